#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// The requests to the C heap by all threads of the process while counting was on.
typedef struct {
  /// Blocks asked for: malloc, calloc, realloc and the aligned ones.
  long long blocks;
  /// Bytes asked for, which may be fewer than were given.
  long long bytes;
  /// The blocks of at least CALLOCATIONS_LARGE bytes among them, and their bytes.
  long long large_blocks;
  long long large_bytes;
} callocations_count;

/// Rows, tiles and copies of pixels are larger; names, lists and messages are smaller. Only the
/// latter depend on which thread came first, so that the count of the former is exact.
#define CALLOCATIONS_LARGE 16384

/// Whether this build can count: only with glibc, whose own entry points stay reachable under
/// other names, and not with a sanitiser, which takes the same place.
int callocations_available(void);

/// Sets the counts to zero and starts to count.
void callocations_start(void);

/// Stops counting and returns the counts.
callocations_count callocations_stop(void);

/// Lets glibc return freed blocks of at least 4 MB at once, instead of keeping them in the arena of each thread.
void callocations_return_large(void);

#endif
