// Encoding with libjpeg-turbo through its public API.
//
// Rows are passed from the top, and encoded bytes are taken as they are made, so that memory holds
// only a few rows and the bytes not yet taken. Optimised tables, progressive coding and several
// scans need all coefficients first, two bytes per sample. For errors see cjpeg.h; after an error
// only cjpeg_discard may be called.
#ifndef ZOOMBENCH_CJPEG_ENCODE_H
#define ZOOMBENCH_CJPEG_ENCODE_H

#include <stdbool.h>
#include <stddef.h>

#include "cjpeg.h"

typedef enum {
  // With a JFIF marker.
  CJPEG_GREY,
  CJPEG_YCBCR,
  // Red, green and blue unconverted, marked only by the component identifiers "R", "G", "B".
  CJPEG_RGB_IDENTIFIERS,
  // The same, marked by an Adobe marker of transform 0.
  CJPEG_RGB_ADOBE,
  // Inks, stored inverted as Adobe does, with an Adobe marker of transform 0.
  CJPEG_CMYK,
  // Three inks as YCbCr, and black, stored inverted, with an Adobe marker of transform 2.
  CJPEG_YCCK,
} cjpeg_colour;

typedef struct {
  unsigned width, height;
  cjpeg_colour colour;
  // The sampling factors of each component, from 1 to 4.
  unsigned char horizontal[4], vertical[4];
  int quality;
  // MCU rows, or MCUs, between restart markers; 0 for none.
  unsigned restart_rows, restart_mcus;
  // Whether Huffman tables are optimised for this picture.
  bool optimised;
  // Whether the picture has libjpeg's default progression of scans.
  bool progressive;
  bool arithmetic;
  // Whether each component has its own sequential scan.
  bool separate_scans;
} cjpeg_encoding;

typedef struct cjpeg_encoder cjpeg_encoder;

// Begins a picture; `limit` bounds the encoded bytes that are not yet taken.
//
// On CJPEG_OK the caller owns `*encoder` and releases it with cjpeg_discard; otherwise it is NULL.
cjpeg_status cjpeg_begin(
    const cjpeg_encoding *encoding, size_t limit, cjpeg_encoder **encoder,
    char message[CJPEG_MESSAGE_SIZE]);

// Writes a marker segment of at most 65533 bytes, before the first row.
cjpeg_status cjpeg_write_marker(
    cjpeg_encoder *encoder, int code, const unsigned char *bytes, size_t length,
    char message[CJPEG_MESSAGE_SIZE]);

// Encodes the next rows, unpadded: 1 byte per pixel for grey, 3 for RGB, 4 for amounts of ink.
cjpeg_status cjpeg_write_rows(
    cjpeg_encoder *encoder, const unsigned char *rows, unsigned count,
    char message[CJPEG_MESSAGE_SIZE]);

// Ends the picture; all rows must have been written.
cjpeg_status cjpeg_finish(cjpeg_encoder *encoder, char message[CJPEG_MESSAGE_SIZE]);

// Takes the bytes encoded since the last call; they are valid until the next call of any function.
size_t cjpeg_take(cjpeg_encoder *encoder, const unsigned char **bytes);

// Releases an encoder, finished or not; NULL is allowed.
void cjpeg_discard(cjpeg_encoder *encoder);

#endif
