// What zoombench asks of libjpeg-turbo, through its public interface alone.
//
// libjpeg reports an error by a long jump, which must not cross Swift's frames: each function here
// catches its own, releases everything it took and returns a status. Nothing is ever printed. A
// warning ends a call as an error does: libjpeg warns where it makes up coefficients that the file
// does not hold. All functions may be called from several threads at once.
#ifndef ZOOMBENCH_CJPEG_H
#define ZOOMBENCH_CJPEG_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
  CJPEG_OK = 0,
  // Warned or damaged: what was made so far is not the picture.
  CJPEG_DAMAGED,
  // A sound file that this function does not do, or not with these arguments.
  CJPEG_UNSUPPORTED,
  // More memory than the caller allows or the system has.
  CJPEG_TOO_LARGE,
  // The operating system failed to read.
  CJPEG_UNREADABLE,
  // The rectangle is not inside the picture.
  CJPEG_OUTSIDE,
} cjpeg_status;

// The bytes of a message buffer, its final zero included (libjpeg's JMSG_LENGTH_MAX).
#define CJPEG_MESSAGE_SIZE 200

// A rectangle in pixels of the decoded, perhaps reduced, picture.
typedef struct {
  unsigned left, top, width, height;
} cjpeg_rectangle;

// Decodes a rectangle of a JPEG that stands in memory.
//
// Rows above it are decoded and thrown away, rows below it are not decoded. `scale` is 1, 2, 4 or
// 8. `out` takes width * height * bands bytes, rows from the top, bands interleaved: grey as 1, YCbCr
// and RGB as 3 (RGB), CMYK and YCCK as 4, each sample taken from 255. `bands` is what the caller has
// room for: another number, or other colours, are CJPEG_UNSUPPORTED.
cjpeg_status cjpeg_decode(
    const unsigned char *data, size_t length, int scale, cjpeg_rectangle part, int bands,
    unsigned char *out, char message[CJPEG_MESSAGE_SIZE]);

// What cjpeg_read_region went through.
typedef struct {
  // Bytes taken from the file.
  uint64_t bytes_read;
  // MCU rows before the first were passed over, those before the second were decoded. The second may
  // count rows below the picture: libjpeg goes by as many as the largest sampling factor.
  unsigned first_row, end_row;
  // Likewise of the columns of pixels of the decoded picture: those of whole MCUs, cut off at its edge.
  unsigned first_column, end_column;
} cjpeg_reach;

// Decodes a rectangle of a JPEG of one Huffman-coded scan from an open file, passing over the rows
// above it and, where libjpeg-turbo crops exactly, the columns beside it without an inverse DCT.
//
// The descriptor's offset is neither used nor changed. For the rest see cjpeg_decode.
cjpeg_status cjpeg_read_region(
    int descriptor, int scale, cjpeg_rectangle part, int bands, unsigned char *out,
    cjpeg_reach *reach, char message[CJPEG_MESSAGE_SIZE]);

// Writes the coefficients of a JPEG anew: sequential Huffman coding, one scan with all components,
// a restart marker at every MCU row, the shortest tables; no metadata but JFIF's and Adobe's marker.
//
// `limit` bounds the bytes of all coefficients and four times those of the result together: it grows
// by copying, and who keeps it copies it, too. On CJPEG_OK the caller owns `*out` and returns it with
// cjpeg_free; otherwise it is NULL.
cjpeg_status cjpeg_rewrite(
    int descriptor, size_t limit, unsigned char **out, size_t *length,
    char message[CJPEG_MESSAGE_SIZE]);

// Returns memory that a function here gave out; NULL is allowed.
void cjpeg_free(unsigned char *bytes);

#endif
