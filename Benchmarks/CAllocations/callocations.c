// Counts what the process asks of the heap, by standing between it and glibc's malloc.
//
// A program's own malloc takes the place of the C library's for all its shared libraries too
// (ELF symbol interposition); glibc keeps its own under the names __libc_malloc and so on, and
// documents that replacing the whole family is supported. Nothing is kept about a block, so
// blocks from entry points that are not here can be freed here and the other way round.
// While counting is off, the cost is one load of a flag that is always in the cache.

#include "callocations.h"

#include <stddef.h>

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SANITISED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITISED)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_int counting;
static atomic_llong blocks;
static atomic_llong bytes;
static atomic_llong large_blocks;
static atomic_llong large_bytes;

static inline void note(size_t size) {
  if (atomic_load_explicit(&counting, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, (long long)size, memory_order_relaxed);
    if (size >= CALLOCATIONS_LARGE) {
      atomic_fetch_add_explicit(&large_blocks, 1, memory_order_relaxed);
      atomic_fetch_add_explicit(&large_bytes, (long long)size, memory_order_relaxed);
    }
  }
}

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  // An overflow is refused by the C library; until then it is a count like any other.
  note(count * size);
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  note(size);
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
    return EINVAL;
  note(size);
  void *made = __libc_memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}

void free(void *block) { __libc_free(block); }

int callocations_available(void) { return 1; }

void callocations_start(void) {
  atomic_store(&blocks, 0);
  atomic_store(&bytes, 0);
  atomic_store(&large_blocks, 0);
  atomic_store(&large_bytes, 0);
  atomic_store(&counting, 1);
}

callocations_count callocations_stop(void) {
  atomic_store(&counting, 0);
  callocations_count count = {
      atomic_load(&blocks), atomic_load(&bytes), atomic_load(&large_blocks),
      atomic_load(&large_bytes)};
  return count;
}

void callocations_return_large(void) { mallopt(M_MMAP_THRESHOLD, 4 << 20); }

#else

void callocations_return_large(void) {}
int callocations_available(void) { return 0; }
void callocations_start(void) {}
callocations_count callocations_stop(void) {
  callocations_count count = {0, 0, 0, 0};
  return count;
}

#endif
