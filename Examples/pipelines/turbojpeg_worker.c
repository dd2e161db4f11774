/* Answers zoombench with libjpeg-turbo: decodes the rows down to the region's end.
   cc -O2 -o turbojpeg_worker turbojpeg_worker.c -ljpeg
   zoombench bench --pipeline turbo=worker:./turbojpeg_worker photo.jpg */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>

static char path[4096];

static int open_picture(struct jpeg_decompress_struct *cinfo, struct jpeg_error_mgr *errors, FILE **file) {
  *file = fopen(path, "rb");
  if (!*file) return 0;
  cinfo->err = jpeg_std_error(errors);
  jpeg_create_decompress(cinfo);
  jpeg_stdio_src(cinfo, *file);
  jpeg_read_header(cinfo, TRUE);
  return 1;
}

int main(void) {
  static char line[5000];
  while (fgets(line, sizeof line, stdin)) {
    struct jpeg_decompress_struct cinfo;
    struct jpeg_error_mgr errors;
    FILE *file;
    int x, y, w, h;
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "zoombench ", 10)) {
      printf("zoombench 1 libjpeg %d\n", JPEG_LIB_VERSION);
    } else if (!strncmp(line, "open ", 5)) {
      snprintf(path, sizeof path, "%s", line + 5);
      if (open_picture(&cinfo, &errors, &file)) {
        printf("ok %u %u\n", cinfo.image_width, cinfo.image_height);
        jpeg_destroy_decompress(&cinfo);
        fclose(file);
      } else printf("error no such file\n");
    } else if (sscanf(line, "read %d %d %d %d", &x, &y, &w, &h) == 4 && open_picture(&cinfo, &errors, &file)) {
      jpeg_start_decompress(&cinfo);
      size_t bands = cinfo.output_components;
      JSAMPLE *row = malloc(cinfo.output_width * bands);
      printf("pixels %d %d %zu uint8\n", w, h, bands);
      for (int at = 0; at < y + h; at++) {
        jpeg_read_scanlines(&cinfo, &row, 1);
        if (at >= y) fwrite(row + x * bands, bands, w, stdout);
      }
      free(row);
      jpeg_abort_decompress(&cinfo);
      jpeg_destroy_decompress(&cinfo);
      fclose(file);
    } else printf(strcmp(line, "close") ? "error unknown request\n" : "ok\n");
    fflush(stdout);
  }
}
