// Code shared by decoding and encoding: errors that end a call, and bytes written to memory.
#ifndef ZOOMBENCH_CJPEG_INTERNAL_H
#define ZOOMBENCH_CJPEG_INTERNAL_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

#include "cjpeg.h"

// A progressive file may contain any number of scans, and each costs a pass over the picture.
// Encoders write about ten; the fuzzers of the libjpeg-turbo project stop at this many.
enum { MOST_SCANS = 500 };

// Bytes per read: large enough to make calls rare, small enough for the second-level cache.
enum { PIECE = 1 << 16 };

// ---------------------------------------------------------------------------------------------
// Errors

typedef struct {
  struct jpeg_error_mgr manager;
  struct jpeg_progress_mgr progress;
  jmp_buf stop;
  cjpeg_status status;
  // The status to return for a libjpeg error at this point.
  cjpeg_status meaning;
  char *message;
} Errors;

_Noreturn static inline void stop(j_common_ptr cinfo, cjpeg_status status, const char *reason) {
  Errors *errors = (Errors *) cinfo->err;
  errors->status = status;
  snprintf(errors->message, CJPEG_MESSAGE_SIZE, "%s", reason);
  longjmp(errors->stop, 1);
}

static inline void stop_by_libjpeg(j_common_ptr cinfo) {
  Errors *errors = (Errors *) cinfo->err;
  char reason[JMSG_LENGTH_MAX];
  errors->manager.format_message(cinfo, reason);
  stop(
      cinfo, errors->manager.msg_code == JERR_OUT_OF_MEMORY ? CJPEG_TOO_LARGE : errors->meaning,
      reason);
}

// Levels below 0 are warnings; the others are trace messages, which are ignored.
static inline void heed_warning(j_common_ptr cinfo, int level) {
  if (level >= 0) return;
  Errors *errors = (Errors *) cinfo->err;
  errors->meaning = CJPEG_DAMAGED;
  stop_by_libjpeg(cinfo);
}

static inline void print_nothing(j_common_ptr cinfo) { (void) cinfo; }

static inline void limit_scans(j_common_ptr cinfo) {
  if (cinfo->is_decompressor && ((j_decompress_ptr) cinfo)->input_scan_number > MOST_SCANS)
    stop(cinfo, CJPEG_UNSUPPORTED, "it has more than 500 scans");
}

static inline struct jpeg_error_mgr *prepare(Errors *errors, char *message) {
  memset(errors, 0, sizeof *errors);
  errors->meaning = CJPEG_DAMAGED;
  errors->message = message;
  message[0] = 0;
  jpeg_std_error(&errors->manager);
  errors->manager.error_exit = stop_by_libjpeg;
  errors->manager.emit_message = heed_warning;
  errors->manager.output_message = print_nothing;
  errors->progress.progress_monitor = limit_scans;
  return &errors->manager;
}

// ---------------------------------------------------------------------------------------------
// Encoded bytes in memory

typedef struct {
  struct jpeg_destination_mgr manager;
  unsigned char *bytes;
  size_t capacity;
  size_t limit;
  size_t length;
} MemoryTarget;

static inline void begin_target(j_compress_ptr cinfo) { (void) cinfo; }

static inline boolean grow_target(j_compress_ptr cinfo) {
  MemoryTarget *target = (MemoryTarget *) cinfo->dest;
  const size_t used = target->capacity;
  // The buffer is full here, even if libjpeg-turbo's Huffman coder has its own write pointer.
  if (used >= target->limit)
    stop((j_common_ptr) cinfo, CJPEG_TOO_LARGE, "the encoded bytes pass the memory limit");
  size_t capacity = used > 0 ? used : PIECE;
  capacity = capacity > target->limit - used ? target->limit : used + capacity;
  unsigned char *bytes = realloc(target->bytes, capacity);
  if (!bytes) stop((j_common_ptr) cinfo, CJPEG_TOO_LARGE, "the memory is exhausted");
  target->bytes = bytes;
  target->capacity = capacity;
  target->manager.next_output_byte = bytes + used;
  target->manager.free_in_buffer = capacity - used;
  return TRUE;
}

static inline void end_target(j_compress_ptr cinfo) {
  MemoryTarget *target = (MemoryTarget *) cinfo->dest;
  target->length = target->capacity - target->manager.free_in_buffer;
}

// Requires a zeroed target with its limit set; the caller frees its bytes.
static inline void write_to_memory(j_compress_ptr cinfo, MemoryTarget *target) {
  target->manager.init_destination = begin_target;
  target->manager.empty_output_buffer = grow_target;
  target->manager.term_destination = end_target;
  cinfo->dest = &target->manager;
  grow_target(cinfo);
}

#endif
