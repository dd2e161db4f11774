// The C surface of libvips for zoombench: wrappers for what Swift cannot call directly.
//
// libvips' operations are variadic, and Swift cannot call variadic C functions. So every operation
// that is needed has a wrapper here with fixed arguments. Optional arguments must have exactly the
// type of the property that they set: in C's varargs, an int in place of a double is undefined
// behaviour. Wrappers make no decisions; a misspelled option fails at the first call.
#ifndef ZOOMBENCH_CVIPS_SHIM_H
#define ZOOMBENCH_CVIPS_SHIM_H

#include <errno.h>
#include <unistd.h>
#include <vips/vips.h>

// VIPS_INIT is a function-like macro.
static inline int cvips_init(const char *name) { return VIPS_INIT(name); }

// A source that reads an open file at its own offset, so that sources may share a descriptor.
//
// It is a class rather than a `VipsSourceCustom`, because libjpeg requests 4 KB at a time, and a
// signal for each request costs more than the read. It returns at most the `length` bytes that the
// file had when it was opened, because libvips (8.14) allocates memory for that length only.
typedef struct {
  VipsSource parent;
  int descriptor;
  gint64 length, position, bytes_read;
  // Bytes that replace the file's own, and their offset; -1 for none.
  gint64 patch_at;
  unsigned char patch[4];
  void *owner;
  void (*release)(void *owner);
  // Reads a file that has no descriptor; returns as `pread` does.
  gint64 (*fetch)(void *owner, gint64 offset, void *buffer, size_t length);
} CvipsFileSource;

// Returns the number of bytes read, 0 at the end, -1 for an error.
static inline gint64 cvips_file_source_read(VipsSource *source, void *buffer, size_t length) {
  CvipsFileSource *file = (CvipsFileSource *) source;
  if (file->position >= file->length) return 0;
  gint64 rest = file->length - file->position;
  if ((guint64) rest < length) length = (size_t) rest;
  gint64 count;
  do {
    count = file->fetch ? file->fetch(file->owner, file->position, buffer, length)
                        : pread(file->descriptor, buffer, length, (off_t) file->position);
  } while (count < 0 && !file->fetch && errno == EINTR);
  if (count <= 0) return count;
  if (file->patch_at >= 0)
    for (int i = 0; i < 4; i++) {
      gint64 place = file->patch_at + i - file->position;
      if (place >= 0 && place < count) ((unsigned char *) buffer)[place] = file->patch[i];
    }
  file->position += count;
  // libvips may read on another thread while the count is requested.
  __atomic_fetch_add(&file->bytes_read, count, __ATOMIC_RELAXED);
  return count;
}

static inline gint64 cvips_file_source_seek(VipsSource *source, gint64 offset, int whence) {
  CvipsFileSource *file = (CvipsFileSource *) source;
  gint64 base = whence == SEEK_CUR ? file->position : whence == SEEK_END ? file->length : 0;
  gint64 target;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) return -1;
  file->position = target;
  return target;
}

static inline void cvips_file_source_finalize(GObject *object) {
  CvipsFileSource *file = (CvipsFileSource *) object;
  if (file->release) file->release(file->owner);
  GObjectClass *parent = (GObjectClass *) g_type_class_peek(vips_source_get_type());
  parent->finalize(object);
}

static inline void cvips_file_source_class_init(void *class, void *data) {
  (void) data;
  ((GObjectClass *) class)->finalize = cvips_file_source_finalize;
  ((VipsObjectClass *) class)->nickname = "zoombench_file";
  ((VipsObjectClass *) class)->description = "an open file";
  ((VipsSourceClass *) class)->read = cvips_file_source_read;
  ((VipsSourceClass *) class)->seek = cvips_file_source_seek;
}

// Registers the class; called once, before any source is made.
static inline GType cvips_file_source_register(void) {
  return g_type_register_static_simple(
      vips_source_get_type(), "ZoombenchFileSource", sizeof(VipsSourceClass),
      cvips_file_source_class_init, sizeof(CvipsFileSource), NULL, (GTypeFlags) 0);
}

// Creates a source; `release` is called with `owner` when the source is no longer in use. `fetch`,
// if not NULL, reads instead of the descriptor.
static inline VipsSource *cvips_file_source_new(
    GType type, int descriptor, gint64 length, void *owner, void (*release)(void *),
    gint64 (*fetch)(void *, gint64, void *, size_t)) {
  CvipsFileSource *file = (CvipsFileSource *) g_object_new(type, NULL);
  file->descriptor = descriptor;
  file->length = length;
  file->patch_at = -1;
  file->owner = owner;
  file->release = release;
  file->fetch = fetch;
  if (vips_object_build(VIPS_OBJECT(file))) {
    g_object_unref(file);
    return NULL;
  }
  return VIPS_SOURCE(file);
}

// Replaces a JPEG's size, four bytes, in what is read; `at` is the offset of the height.
static inline void cvips_file_source_resize_jpeg(
    VipsSource *source, gint64 at, int width, int height) {
  CvipsFileSource *file = (CvipsFileSource *) source;
  file->patch_at = at;
  file->patch[0] = (unsigned char) (height >> 8);
  file->patch[1] = (unsigned char) (height & 255);
  file->patch[2] = (unsigned char) (width >> 8);
  file->patch[3] = (unsigned char) (width & 255);
}

static inline gint64 cvips_file_source_bytes_read(VipsSource *source) {
  return __atomic_load_n(&((CvipsFileSource *) source)->bytes_read, __ATOMIC_RELAXED);
}

// A search among loaders: by sources or, if `name` is set, by name. `head` holds only the first
// bytes of the file, so that no test reads further.
typedef struct {
  VipsSource *head;
  VipsSource *whole;
  const char *name;
  gboolean untrusted;
} CvipsLoaderSearch;

static inline void *cvips_loader_match(void *item, void *a, void *b) {
  (void) b;
  CvipsLoaderSearch *search = (CvipsLoaderSearch *) a;
  VipsForeignLoadClass *class = (VipsForeignLoadClass *) item;
  VipsOperationFlags flags = ((VipsOperationClass *) item)->flags;
  const char *nickname = ((VipsObjectClass *) item)->nickname;
  if (flags & VIPS_OPERATION_BLOCKED) return NULL;
  if (!(flags & VIPS_OPERATION_UNTRUSTED) == search->untrusted) return NULL;
  if (search->name) {
    // These tests read a whole line of any length. The same tests were made on the head.
    if (g_str_equal(nickname, "matrixload") || g_str_equal(nickname, "radload")) return NULL;
    return class->is_a && class->is_a(search->name) ? item : NULL;
  }
  if (!g_str_has_suffix(nickname, "_source") || !class->is_a_source) return NULL;
  // The test for TIFF may read a directory anywhere, but only if the file starts like a TIFF.
  VipsSource *source = g_str_equal(nickname, "tiffload_source") ? search->whole : search->head;
  // An earlier test may have read rather than sniffed.
  if (vips_source_rewind(source)) return NULL;
  return class->is_a_source(source) ? item : NULL;
}

// Returns the nickname of the loader that libvips would use for a file, among the trusted loaders
// or among the others; NULL if there is none. `name` is not searched for "[options]".
static inline const char *cvips_find_loader(
    VipsSource *head, VipsSource *whole, const char *name, gboolean untrusted) {
  CvipsLoaderSearch search = {head, whole, name, untrusted};
  VipsObjectClass *class =
      (VipsObjectClass *) vips_foreign_map("VipsForeignLoad", cvips_loader_match, &search, NULL);
  return class ? class->nickname : NULL;
}

// Defines a function with fixed arguments that calls libvips and returns the image that the call
// assigns to `out`, or NULL if it fails.
#define CVIPS_IMAGE(name, parameters, call)  \
  static inline VipsImage *name parameters { \
    VipsImage *out = NULL;                   \
    return (call) ? NULL : out;              \
  }

CVIPS_IMAGE(
    cvips_load_source,
    (const char *loader, VipsSource *source, VipsAccess access, VipsFailOn fail_on,
     VipsForeignFlags *flags),
    vips_source_rewind(source)
        || vips_call(
            loader, source, &out, "access", access, "fail_on", fail_on, "flags", flags, NULL))

// Opens a reduced copy that the file contains: `kind` is "page" or "subifd".
CVIPS_IMAGE(
    cvips_load_level,
    (const char *loader, VipsSource *source, const char *kind, int number, VipsFailOn fail_on),
    vips_source_rewind(source)
        || vips_call(
            loader, source, &out, kind, number, "access", VIPS_ACCESS_RANDOM, "fail_on", fail_on,
            NULL))

// For formats that libvips can only open by name (slides, FITS).
static inline VipsImage *cvips_load_name(
    const char *loader, const char *name, VipsAccess access, VipsFailOn fail_on,
    VipsForeignFlags *flags) {
  VipsImage *out = NULL;
  // An earlier result in libvips' cache may be of another version of the file; `revalidate` avoids
  // that. Loaders in modules may lack this property; then their results are not cached for long.
  GType type = vips_type_find("VipsForeignLoad", loader);
  GObjectClass *kind = type ? (GObjectClass *) g_type_class_ref(type) : NULL;
  gboolean revalidates = kind && g_object_class_find_property(kind, "revalidate");
  if (kind) g_type_class_unref(kind);
  int status = revalidates ? vips_call(
                                 loader, name, &out, "access", access, "fail_on", fail_on,
                                 "revalidate", TRUE, "flags", flags, NULL)
                           : vips_call(
                                 loader, name, &out, "access", access, "fail_on", fail_on, "flags",
                                 flags, NULL);
  return status ? NULL : out;
}

// The image, and all made from it, need `data` to stay alive. `shrink` is 1, 2, 4 or 8.
CVIPS_IMAGE(
    cvips_jpegload_buffer, (void *data, size_t length, int shrink, VipsFailOn fail_on),
    vips_jpegload_buffer(
        data, length, &out, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on,
        NULL))

// `shrink` is 1, 2, 4 or 8.
CVIPS_IMAGE(
    cvips_jpegload_source, (VipsSource *source, int shrink, VipsFailOn fail_on),
    vips_jpegload_source(
        source, &out, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL))

// Function-like macro: the address of a pixel that the region holds.
static inline const VipsPel *cvips_region_address(VipsRegion *region, int x, int y) {
  return VIPS_REGION_ADDR(region, x, y);
}

// Function-like macro: the number of bytes between rows of the region.
static inline size_t cvips_region_stride(VipsRegion *region) {
  return VIPS_REGION_LSKIP(region);
}

// Takes an untyped pointer, so that objects of all types can be passed without a cast.
static inline void cvips_unref(void *object) { g_object_unref(object); }

CVIPS_IMAGE(
    cvips_crop, (VipsImage *in, int left, int top, int width, int height),
    vips_crop(in, &out, left, top, width, height, NULL))

// Makes a picture upright by its EXIF orientation, as a full decode with libvips does.
CVIPS_IMAGE(cvips_autorot, (VipsImage *in), vips_autorot(in, &out, NULL))

// Places an image on a larger canvas; the canvas beyond it repeats its edge pixels.
CVIPS_IMAGE(
    cvips_embed_copying_edges, (VipsImage *in, int x, int y, int width, int height),
    vips_embed(in, &out, x, y, width, height, "extend", VIPS_EXTEND_COPY, NULL))

// Returns a copy with another colour interpretation and the same pixels.
CVIPS_IMAGE(
    cvips_copy_interpretation, (VipsImage *in, VipsInterpretation interpretation),
    vips_copy(in, &out, "interpretation", interpretation, NULL))

CVIPS_IMAGE(
    cvips_colourspace, (VipsImage *in, VipsInterpretation space),
    vips_colourspace(in, &out, space, NULL))

// Converts colours, relative colorimetric, by the embedded profile or, without one, by `fallback`,
// which may be NULL. `target` and `fallback` are profiles of libvips: "srgb", "p3", "cmyk".
CVIPS_IMAGE(
    cvips_icc_transform, (VipsImage *in, const char *target, const char *fallback, int depth),
    vips_icc_transform(
        in, &out, target, "embedded", TRUE, "input_profile", fallback, "intent",
        VIPS_INTENT_RELATIVE, "depth", depth, NULL))

// Returns one of libvips' profiles in memory to release with g_free, or NULL.
static inline void *cvips_profile(const char *name, size_t *length) {
  VipsBlob *blob = NULL;
  if (vips_profile_load(name, &blob, NULL) || !blob) return NULL;
  const void *data = vips_blob_get(blob, length);
  void *copy = g_memdup2(data, *length);
  vips_area_unref(VIPS_AREA(blob));
  return copy;
}

// Transforms with bilinear interpolation: X = a x + b y + odx, Y = c x + d y + ody, where whole
// numbers are the centres of pixels. Edge pixels are repeated; the output begins at (0, 0).
static inline VipsImage *cvips_affine_bilinear(
    VipsImage *in, double a, double b, double c, double d, double odx, double ody, int width,
    int height) {
  VipsImage *out = NULL;
  VipsArrayInt *area = vips_array_int_newv(4, 0, 0, width, height);
  int failed = vips_affine(
      in, &out, a, b, c, d, "interpolate", vips_interpolate_bilinear_static(), "oarea", area,
      "odx", odx, "ody", ody, "idx", 0.0, "idy", 0.0, "extend", VIPS_EXTEND_COPY, NULL);
  vips_area_unref(VIPS_AREA(area));
  return failed ? NULL : out;
}

// Averages blocks of pixels; partial blocks at the edges are completed with edge pixels.
CVIPS_IMAGE(
    cvips_shrink, (VipsImage *in, int factor),
    vips_shrink(in, &out, (double) factor, (double) factor, "ceil", TRUE, NULL))

CVIPS_IMAGE(
    cvips_resize, (VipsImage *in, double across, double down),
    vips_resize(in, &out, across, "vscale", down, NULL))

// Blends transparent pixels with black.
CVIPS_IMAGE(cvips_flatten, (VipsImage *in), vips_flatten(in, &out, NULL))

CVIPS_IMAGE(
    cvips_first_bands, (VipsImage *in, int count),
    vips_extract_band(in, &out, 0, "n", count, NULL))

CVIPS_IMAGE(cvips_premultiply, (VipsImage *in), vips_premultiply(in, &out, NULL))

CVIPS_IMAGE(cvips_cast_uchar, (VipsImage *in), vips_cast(in, &out, VIPS_FORMAT_UCHAR, NULL))

// Rounds to the nearest whole number; a cast alone truncates.
static inline VipsImage *cvips_unpremultiply_uchar(VipsImage *in) {
  VipsImage *straight = NULL, *whole = NULL, *out = NULL;
  if (vips_unpremultiply(in, &straight, NULL)) return NULL;
  int failed = vips_rint(straight, &whole, NULL);
  g_object_unref(straight);
  if (failed) return NULL;
  failed = vips_cast(whole, &out, VIPS_FORMAT_UCHAR, NULL);
  g_object_unref(whole);
  return failed ? NULL : out;
}

// The suffix of `name` selects the saver; `settings` are its options as "[lossless]", or empty.
static inline int cvips_write_to_file(
    VipsImage *image, const char *name, const char *settings) {
  char *both = g_strconcat(name, settings, NULL);
  int status = vips_image_write_to_file(image, both, NULL);
  g_free(both);
  return status;
}

// The image, and all made from it, need `data` to stay alive.
CVIPS_IMAGE(
    cvips_pngload_buffer, (void *data, size_t length, VipsFailOn fail_on),
    vips_pngload_buffer(
        data, length, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL))

// Returns memory to release with g_free, or NULL. `compression` is zlib's level.
static inline void *cvips_pngsave_buffer(VipsImage *image, size_t *length, int compression) {
  void *data = NULL;
  return vips_pngsave_buffer(image, &data, length, "compression", compression, NULL) ? NULL : data;
}

// Returns memory to release with g_free, or NULL.
static inline void *cvips_jpegsave_buffer(
    VipsImage *image, size_t *length, int quality, VipsForeignSubsample subsampling) {
  void *data = NULL;
  return vips_jpegsave_buffer(
             image, &data, length, "Q", quality, "subsample_mode", subsampling, NULL)
      ? NULL : data;
}

#endif
