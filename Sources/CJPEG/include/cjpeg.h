// zoombench's interface to libjpeg-turbo, which uses only the public API of the library.
//
// libjpeg reports an error by a long jump, which must not cross Swift's frames. So each function
// here catches its own errors, releases its resources and returns a status. Nothing is printed. A
// warning ends a call like an error, because libjpeg warns when it invents coefficients that the
// file lacks. All functions may be called from several threads at once.
#ifndef ZOOMBENCH_CJPEG_H
#define ZOOMBENCH_CJPEG_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
  CJPEG_OK = 0,
  // The file is damaged or libjpeg warned: the output is not the picture.
  CJPEG_DAMAGED,
  // The file is valid, but this function does not support it, or not with these arguments.
  CJPEG_UNSUPPORTED,
  // More memory is needed than the caller allows or the system has.
  CJPEG_TOO_LARGE,
  CJPEG_UNREADABLE,
  CJPEG_OUTSIDE,
} cjpeg_status;

// The size of a message buffer, including its final zero (libjpeg's JMSG_LENGTH_MAX).
#define CJPEG_MESSAGE_SIZE 200

// A rectangle in pixels of the decoded picture, which may be reduced.
typedef struct {
  unsigned left, top, width, height;
} cjpeg_rectangle;

// Decodes a rectangle of a JPEG in memory.
//
// Rows above it are decoded and discarded, rows below it are not decoded. `scale` is 1, 2, 4 or 8.
// `out` needs width * height * bands bytes, rows from the top, bands interleaved: grey has 1 band,
// YCbCr and RGB have 3 (RGB), CMYK and YCCK have 4, as 255 minus each sample. `bands` is the number
// that the caller expects: another number, or other colours, are CJPEG_UNSUPPORTED.
cjpeg_status cjpeg_decode(
    const unsigned char *data, size_t length, int scale, cjpeg_rectangle part, int bands,
    unsigned char *out, char message[CJPEG_MESSAGE_SIZE]);

// Rewrites a JPEG with the same coefficients: one sequential Huffman-coded scan, a restart marker
// at every MCU row, optimised tables, and only JFIF's and Adobe's marker.
//
// `limit` bounds the bytes of all coefficients plus four times the bytes of the result, which is
// copied when it grows and again by a caller that keeps it. On CJPEG_OK the caller owns `*out` and
// releases it with cjpeg_free; otherwise it is NULL.
cjpeg_status cjpeg_rewrite(
    int descriptor, size_t limit, unsigned char **out, size_t *length,
    char message[CJPEG_MESSAGE_SIZE]);

// Releases memory that cjpeg_rewrite returned; NULL is allowed.
void cjpeg_free(unsigned char *bytes);

#endif
