#include "cjpeg_encode.h"

#include "internal.h"

struct cjpeg_encoder {
  struct jpeg_compress_struct cinfo;
  Errors errors;
  MemoryTarget target;
  // The buffer for inverted inks.
  JSAMPARRAY inverted;
  jpeg_scan_info scans[MAX_COMPONENTS];
};

enum { INVERTED_ROWS = 8 };

// Sets the message buffer and the default status for the errors of a call.
static void direct_errors(cjpeg_encoder *encoder, char *message) {
  encoder->errors.message = message;
  encoder->errors.meaning = CJPEG_UNSUPPORTED;
  message[0] = 0;
}

static void set_colours(j_compress_ptr cinfo, cjpeg_colour colour) {
  static const J_COLOR_SPACE given[] = {
      JCS_GRAYSCALE, JCS_RGB, JCS_RGB, JCS_RGB, JCS_CMYK, JCS_CMYK};
  static const J_COLOR_SPACE stored[] = {
      JCS_GRAYSCALE, JCS_YCbCr, JCS_RGB, JCS_RGB, JCS_CMYK, JCS_YCCK};
  cinfo->in_color_space = given[colour];
  cinfo->input_components = colour == CJPEG_GREY ? 1 : colour >= CJPEG_CMYK ? 4 : 3;
  jpeg_set_defaults(cinfo);
  jpeg_set_colorspace(cinfo, stored[colour]);
  // libjpeg marks RGB by both the identifiers and Adobe's marker.
  if (colour == CJPEG_RGB_IDENTIFIERS) cinfo->write_Adobe_marker = FALSE;
  if (colour == CJPEG_RGB_ADOBE)
    for (int i = 0; i < cinfo->num_components; i++) cinfo->comp_info[i].component_id = i + 1;
}

// Returns the number of MCUs in a row of the widest scan. In a scan of one component an MCU is a
// block, and the component with the largest factor has a sample for each pixel.
static unsigned widest_row(j_compress_ptr cinfo, const cjpeg_encoding *encoding) {
  const bool is_interleaved = cinfo->num_components > 1 && !encoding->separate_scans;
  unsigned most = 1;
  for (int i = 0; is_interleaved && i < cinfo->num_components; i++)
    if (encoding->horizontal[i] > most) most = encoding->horizontal[i];
  return (encoding->width + 8 * most - 1) / (8 * most);
}

static void set_up(cjpeg_encoder *encoder, const cjpeg_encoding *encoding) {
  j_compress_ptr cinfo = &encoder->cinfo;
  j_common_ptr common = (j_common_ptr) cinfo;
  if (encoding->quality < 1 || encoding->quality > 100)
    stop(common, CJPEG_UNSUPPORTED, "the quality is not from 1 to 100");
  // libjpeg checks them too, but only after they are used in calculations here.
  if (encoding->width < 1 || encoding->width > JPEG_MAX_DIMENSION || encoding->height < 1 ||
      encoding->height > JPEG_MAX_DIMENSION)
    stop(common, CJPEG_UNSUPPORTED, "a side is not from 1 to 65500");
  cinfo->image_width = encoding->width;
  cinfo->image_height = encoding->height;
  set_colours(cinfo, encoding->colour);
  for (int i = 0; i < cinfo->num_components; i++) {
    cinfo->comp_info[i].h_samp_factor = encoding->horizontal[i];
    cinfo->comp_info[i].v_samp_factor = encoding->vertical[i];
  }
  jpeg_set_quality(cinfo, encoding->quality, TRUE);
  // libjpeg would silently write the largest possible interval instead.
  if (encoding->restart_mcus > 65535 || encoding->restart_rows > 65535 ||
      encoding->restart_rows * widest_row(cinfo, encoding) > 65535)
    stop(common, CJPEG_UNSUPPORTED, "the restart interval is more than 65535 MCUs");
  cinfo->restart_in_rows = (int) encoding->restart_rows;
  cinfo->restart_interval = encoding->restart_mcus;
  cinfo->optimize_coding = encoding->optimised;
  cinfo->arith_code = encoding->arithmetic;
  if (encoding->progressive) jpeg_simple_progression(cinfo);
  if (encoding->separate_scans) {
    for (int i = 0; i < cinfo->num_components; i++)
      encoder->scans[i] = (jpeg_scan_info) {.comps_in_scan = 1, .component_index = {i}, .Se = 63};
    cinfo->scan_info = encoder->scans;
    cinfo->num_scans = cinfo->num_components;
  }
  if (cinfo->in_color_space == JCS_CMYK)
    encoder->inverted = cinfo->mem->alloc_sarray(
        common, JPOOL_IMAGE, encoding->width * 4, INVERTED_ROWS);
}

cjpeg_status cjpeg_begin(
    const cjpeg_encoding *encoding, size_t limit, cjpeg_encoder **out,
    char message[CJPEG_MESSAGE_SIZE]) {
  *out = NULL;
  cjpeg_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) {
    snprintf(message, CJPEG_MESSAGE_SIZE, "the memory is exhausted");
    return CJPEG_TOO_LARGE;
  }
  encoder->cinfo.err = prepare(&encoder->errors, message);
  direct_errors(encoder, message);
  if (setjmp(encoder->errors.stop)) {
    const cjpeg_status status = encoder->errors.status;
    cjpeg_discard(encoder);
    return status;
  }
  jpeg_create_compress(&encoder->cinfo);
  encoder->target.limit = limit;
  write_to_memory(&encoder->cinfo, &encoder->target);
  set_up(encoder, encoding);
  jpeg_start_compress(&encoder->cinfo, TRUE);
  *out = encoder;
  return CJPEG_OK;
}

cjpeg_status cjpeg_write_marker(
    cjpeg_encoder *encoder, int code, const unsigned char *bytes, size_t length,
    char message[CJPEG_MESSAGE_SIZE]) {
  direct_errors(encoder, message);
  if (setjmp(encoder->errors.stop)) return encoder->errors.status;
  if (length > 65533)
    stop((j_common_ptr) &encoder->cinfo, CJPEG_UNSUPPORTED, "a segment is more than 65533 bytes");
  jpeg_write_marker(&encoder->cinfo, code, bytes, (unsigned) length);
  return CJPEG_OK;
}

cjpeg_status cjpeg_write_rows(
    cjpeg_encoder *encoder, const unsigned char *rows, unsigned count,
    char message[CJPEG_MESSAGE_SIZE]) {
  j_compress_ptr cinfo = &encoder->cinfo;
  direct_errors(encoder, message);
  if (setjmp(encoder->errors.stop)) return encoder->errors.status;
  const size_t length = (size_t) cinfo->image_width * (size_t) cinfo->input_components;
  if (count > cinfo->image_height - cinfo->next_scanline)
    stop((j_common_ptr) cinfo, CJPEG_OUTSIDE, "there are more rows than the picture has");
  for (unsigned done = 0; done < count;) {
    const unsigned most = count - done < INVERTED_ROWS ? count - done : INVERTED_ROWS;
    JSAMPROW some[INVERTED_ROWS];
    for (unsigned i = 0; i < most; i++) {
      const unsigned char *row = rows + (done + i) * length;
      if (encoder->inverted)
        for (size_t x = 0; x < length; x++)
          encoder->inverted[i][x] = (unsigned char) (255 - row[x]);
      // libjpeg only reads its input, but its type is not const.
      some[i] = encoder->inverted ? encoder->inverted[i] : (JSAMPROW) row;
    }
    // The target never suspends, so all rows are taken.
    done += jpeg_write_scanlines(cinfo, some, most);
  }
  return CJPEG_OK;
}

cjpeg_status cjpeg_finish(cjpeg_encoder *encoder, char message[CJPEG_MESSAGE_SIZE]) {
  direct_errors(encoder, message);
  if (setjmp(encoder->errors.stop)) return encoder->errors.status;
  jpeg_finish_compress(&encoder->cinfo);
  return CJPEG_OK;
}

size_t cjpeg_take(cjpeg_encoder *encoder, const unsigned char **bytes) {
  MemoryTarget *target = &encoder->target;
  const size_t length = target->capacity - target->manager.free_in_buffer;
  *bytes = target->bytes;
  target->manager.next_output_byte = target->bytes;
  target->manager.free_in_buffer = target->capacity;
  return length;
}

void cjpeg_discard(cjpeg_encoder *encoder) {
  if (!encoder) return;
  jpeg_destroy_compress(&encoder->cinfo);
  free(encoder->target.bytes);
  free(encoder);
}
