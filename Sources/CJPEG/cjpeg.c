#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "cjpeg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

// Rows per call: the largest sampling factor, so that libjpeg never has to keep rows back.
enum { ROWS = 4 };

// ---------------------------------------------------------------------------------------------
// Sources of coded bytes

typedef struct {
  struct jpeg_source_mgr manager;
  int descriptor;
  off_t offset;
  JOCTET *piece;
} FileSource;

static void begin_source(j_decompress_ptr cinfo) { (void) cinfo; }

static void end_source(j_decompress_ptr cinfo) { (void) cinfo; }

static boolean read_piece(j_decompress_ptr cinfo) {
  FileSource *source = (FileSource *) cinfo->src;
  ssize_t count;
  do {
    count = pread(source->descriptor, source->piece, PIECE, source->offset);
  } while (count < 0 && errno == EINTR);
  if (count < 0) stop((j_common_ptr) cinfo, CJPEG_UNREADABLE, "the file cannot be read");
  if (count == 0) stop((j_common_ptr) cinfo, CJPEG_DAMAGED, "it is cut off");
  source->offset += count;
  source->manager.next_input_byte = source->piece;
  source->manager.bytes_in_buffer = (size_t) count;
  return TRUE;
}

// Skips a segment; if it is longer than the file, the next read fails.
static void pass_over(j_decompress_ptr cinfo, long count) {
  FileSource *source = (FileSource *) cinfo->src;
  if (count <= 0) return;
  if ((size_t) count <= source->manager.bytes_in_buffer) {
    source->manager.next_input_byte += count;
    source->manager.bytes_in_buffer -= (size_t) count;
  } else {
    source->offset += count - (off_t) source->manager.bytes_in_buffer;
    source->manager.bytes_in_buffer = 0;
  }
}

static void read_from_file(j_decompress_ptr cinfo, FileSource *source, int descriptor) {
  memset(source, 0, sizeof *source);
  source->manager.init_source = begin_source;
  source->manager.fill_input_buffer = read_piece;
  source->manager.skip_input_data = pass_over;
  source->manager.resync_to_restart = jpeg_resync_to_restart;
  source->manager.term_source = end_source;
  source->descriptor = descriptor;
  source->piece =
      cinfo->mem->alloc_large((j_common_ptr) cinfo, JPOOL_PERMANENT, PIECE * sizeof(JOCTET));
  cinfo->src = &source->manager;
}

// ---------------------------------------------------------------------------------------------
// Decoding

// Reads the headers, checks the rectangle and the number of bands, and starts the decoder.
static void start(j_decompress_ptr cinfo, int scale, cjpeg_rectangle part, int bands) {
  j_common_ptr common = (j_common_ptr) cinfo;
  jpeg_read_header(cinfo, TRUE);
  switch (cinfo->jpeg_color_space) {
  case JCS_GRAYSCALE:
    cinfo->out_color_space = JCS_GRAYSCALE;
    break;
  case JCS_YCbCr:
  case JCS_RGB:
    cinfo->out_color_space = JCS_RGB;
    break;
  case JCS_CMYK:
  case JCS_YCCK:
    cinfo->out_color_space = JCS_CMYK;
    break;
  default:
    stop(common, CJPEG_UNSUPPORTED, "its colours are neither grey, RGB nor CMYK");
  }
  // Inverse DCT, upsampling and smoothing of incomplete scans keep libjpeg's defaults, like
  // libvips.
  cinfo->scale_num = 1;
  cinfo->scale_denom = (unsigned) scale;
  jpeg_calc_output_dimensions(cinfo);
  if (cinfo->output_components != bands)
    stop(common, CJPEG_UNSUPPORTED, "it has another number of bands");
  if (part.width == 0 || part.height == 0 || part.left > cinfo->output_width ||
      part.width > cinfo->output_width - part.left || part.top > cinfo->output_height ||
      part.height > cinfo->output_height - part.top)
    stop(common, CJPEG_OUTSIDE, "the rectangle is not inside");
  jpeg_start_decompress(cinfo);
}

// Converts CMYK to amounts of ink, as libvips does; files hold 255 minus the amount.
static void finish_row(j_decompress_ptr cinfo, unsigned char *row, size_t length) {
  if (cinfo->out_color_space != JCS_CMYK) return;
  for (size_t i = 0; i < length; i++) row[i] = (unsigned char) (255 - row[i]);
}

// Reads from the current row to the rectangle's last.
static void read_rows(j_decompress_ptr cinfo, cjpeg_rectangle part, unsigned char *out) {
  const size_t bands = (size_t) cinfo->output_components;
  const size_t row_length = part.width * bands;
  const size_t shift = part.left * bands;
  const int is_whole = part.width == cinfo->output_width;
  JSAMPARRAY scratch = cinfo->mem->alloc_sarray(
      (j_common_ptr) cinfo, JPOOL_IMAGE, cinfo->output_width * (JDIMENSION) bands, ROWS);
  const unsigned end = part.top + part.height;
  while (cinfo->output_scanline < end) {
    const unsigned row = cinfo->output_scanline;
    const unsigned limit = row < part.top ? part.top : end;
    const unsigned most = limit - row < ROWS ? limit - row : ROWS;
    JSAMPROW rows[ROWS];
    for (unsigned i = 0; i < most; i++)
      rows[i] =
          is_whole && row >= part.top ? out + (row - part.top + i) * row_length : scratch[i];
    const unsigned count = jpeg_read_scanlines(cinfo, rows, most);
    // Only a source that suspends would yield no rows; both sources here continue or stop.
    if (count == 0) stop((j_common_ptr) cinfo, CJPEG_DAMAGED, "no rows are left");
    if (row < part.top) continue;
    for (unsigned i = 0; i < count; i++) {
      unsigned char *target = out + (row - part.top + i) * row_length;
      if (!is_whole) memcpy(target, scratch[i] + shift, row_length);
      finish_row(cinfo, target, row_length);
    }
  }
}

cjpeg_status cjpeg_decode(
    const unsigned char *data, size_t length, int scale, cjpeg_rectangle part, int bands,
    unsigned char *out, char message[CJPEG_MESSAGE_SIZE]) {
  struct jpeg_decompress_struct cinfo;
  Errors errors;
  memset(&cinfo, 0, sizeof cinfo);
  cinfo.err = prepare(&errors, message);
  if (setjmp(errors.stop)) {
    jpeg_destroy_decompress(&cinfo);
    return errors.status;
  }
  jpeg_create_decompress(&cinfo);
  cinfo.progress = &errors.progress;
  jpeg_mem_src(&cinfo, data, (unsigned long) length);
  start(&cinfo, scale, part, bands);
  read_rows(&cinfo, part, out);
  jpeg_destroy_decompress(&cinfo);
  return CJPEG_OK;
}

// ---------------------------------------------------------------------------------------------
// Rewriting

// Returns the bytes of all coefficients, as libjpeg stores them: every component in whole MCUs.
static uint64_t coefficient_bytes(j_decompress_ptr cinfo) {
  uint64_t blocks = 0;
  const uint64_t across = (uint64_t) cinfo->max_h_samp_factor * DCTSIZE;
  const uint64_t down = (uint64_t) cinfo->max_v_samp_factor * DCTSIZE;
  const uint64_t columns = (cinfo->image_width + across - 1) / across;
  const uint64_t rows = (cinfo->image_height + down - 1) / down;
  for (int i = 0; i < cinfo->num_components; i++) {
    const jpeg_component_info *component = cinfo->comp_info + i;
    blocks += columns * (uint64_t) component->h_samp_factor * rows *
              (uint64_t) component->v_samp_factor;
  }
  return blocks * sizeof(JBLOCK);
}

// Whether a decoder would smooth blocks of a progressive file, because low coefficients are
// missing. It does so by its record of the scans, which a rewritten file lacks.
static int is_smoothed(j_decompress_ptr cinfo) {
  if (!cinfo->progressive_mode || !cinfo->coef_bits) return 0;
  // libjpeg-turbo checks the first ten coefficients, older versions six (jdcoefct.c).
  for (int i = 0; i < cinfo->num_components; i++)
    for (int k = 0; k < 10; k++)
      if (cinfo->coef_bits[i][k] != 0) return 1;
  return 0;
}

cjpeg_status cjpeg_rewrite(
    int descriptor, size_t limit, unsigned char **out, size_t *length,
    char message[CJPEG_MESSAGE_SIZE]) {
  struct jpeg_decompress_struct from;
  struct jpeg_compress_struct to;
  Errors errors;
  FileSource source;
  MemoryTarget target;
  *out = NULL;
  *length = 0;
  memset(&from, 0, sizeof from);
  memset(&to, 0, sizeof to);
  memset(&target, 0, sizeof target);
  from.err = to.err = prepare(&errors, message);
  if (setjmp(errors.stop)) {
    jpeg_destroy_compress(&to);
    jpeg_destroy_decompress(&from);
    free(target.bytes);
    return errors.status;
  }
  jpeg_create_decompress(&from);
  from.progress = &errors.progress;
  jpeg_create_compress(&to);
  read_from_file(&from, &source, descriptor);
  jpeg_read_header(&from, TRUE);
  // Checked before any of it is allocated, because libjpeg does not check first.
  const uint64_t needed = coefficient_bytes(&from);
  if (needed >= limit)
    stop((j_common_ptr) &from, CJPEG_TOO_LARGE, "its coefficients pass the memory limit");
  jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&from);
  if (is_smoothed(&from))
    stop((j_common_ptr) &from, CJPEG_UNSUPPORTED, "its scans do not hold all of the picture");

  errors.meaning = CJPEG_UNSUPPORTED;
  jpeg_copy_critical_parameters(&from, &to);
  // A decoder identifies the colours by these markers, so they are the same as in the original.
  to.write_JFIF_header = from.saw_JFIF_marker;
  to.write_Adobe_marker = from.saw_Adobe_marker;
  to.optimize_coding = TRUE;
  to.restart_in_rows = 1;
  target.limit = (limit - needed) / 4;
  write_to_memory(&to, &target);
  jpeg_write_coefficients(&to, coefficients);
  jpeg_finish_compress(&to);
  jpeg_destroy_compress(&to);
  jpeg_destroy_decompress(&from);
  *out = target.bytes;
  *length = target.length;
  return CJPEG_OK;
}

void cjpeg_free(unsigned char *bytes) { free(bytes); }
