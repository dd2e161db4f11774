// The whole C surface of libvips that zoombench touches.
//
// libvips' operations are variadic and Swift cannot call variadic C functions, so every operation
// that is needed has a wrapper here with fixed arguments. Optional arguments must have exactly the
// type of the property they set: passing an int where a double is wanted is undefined behaviour in
// C's varargs. Wrappers hold no policy; a misspelled option fails loudly at the first call.
#ifndef ZOOMBENCH_CVIPS_SHIM_H
#define ZOOMBENCH_CVIPS_SHIM_H

#include <errno.h>
#include <unistd.h>
#include <vips/vips.h>

// VIPS_INIT is a function-like macro.
static inline int cvips_init(const char *name) { return VIPS_INIT(name); }

// Variadic. Opens through a source, because a file name would be searched for "[options]".
static inline VipsImage *cvips_image_new_from_source(
    VipsSource *source, VipsAccess access, VipsFailOn fail_on) {
  return vips_image_new_from_source(source, "", "access", access, "fail_on", fail_on, NULL);
}

// Variadic. For the formats that libvips can only open by name (slides, FITS).
static inline VipsImage *cvips_image_new_from_file(
    const char *name, VipsAccess access, VipsFailOn fail_on) {
  return vips_image_new_from_file(name, "access", access, "fail_on", fail_on, NULL);
}

// Variadic. The caller keeps `data` alive as long as the image or anything made from it lives.
// `shrink` is 1, 2, 4 or 8.
static inline VipsImage *cvips_jpegload_buffer(
    void *data, size_t length, int shrink, VipsFailOn fail_on) {
  VipsImage *out = NULL;
  if (vips_jpegload_buffer(
          data, length, &out, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
          fail_on, NULL))
    return NULL;
  return out;
}

// Variadic. `shrink` is 1, 2, 4 or 8.
static inline VipsImage *cvips_jpegload_source(
    VipsSource *source, int shrink, VipsFailOn fail_on) {
  VipsImage *out = NULL;
  if (vips_jpegload_source(
          source, &out, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on,
          NULL))
    return NULL;
  return out;
}

// A JPEG in an open file, read from front to back with the four bytes of its size replaced.
typedef struct {
  int descriptor;
  gint64 position, size_at;
  unsigned char size[4];
} CvipsResizedJPEG;

// The handler of a custom source's "read": bytes read, 0 at the end, -1 for an error.
static inline gint64 cvips_read_resized_jpeg(
    VipsSourceCustom *source, void *buffer, gint64 length, void *context) {
  (void) source;
  CvipsResizedJPEG *jpeg = (CvipsResizedJPEG *) context;
  gint64 count;
  do {
    count = read(jpeg->descriptor, buffer, (size_t) length);
  } while (count < 0 && errno == EINTR);
  for (int i = 0; i < 4; i++) {
    gint64 place = jpeg->size_at + i - jpeg->position;
    if (place >= 0 && place < count) ((unsigned char *) buffer)[place] = jpeg->size[i];
  }
  if (count > 0) jpeg->position += count;
  return count;
}

static inline void cvips_free_resized_jpeg(void *context, GClosure *closure) {
  (void) closure;
  g_free(context);
}

// Reads from the descriptor's offset, which the caller has left at the start, and does not close it:
// it has to stay open as long as the source is read. `size_at` is where the height stands.
static inline VipsSource *cvips_source_of_resized_jpeg(
    int descriptor, gint64 size_at, int width, int height) {
  VipsSourceCustom *source = vips_source_custom_new();
  if (!source) return NULL;
  CvipsResizedJPEG *jpeg = g_new0(CvipsResizedJPEG, 1);
  jpeg->descriptor = descriptor;
  jpeg->size_at = size_at;
  jpeg->size[0] = (unsigned char) (height >> 8);
  jpeg->size[1] = (unsigned char) (height & 255);
  jpeg->size[2] = (unsigned char) (width >> 8);
  jpeg->size[3] = (unsigned char) (width & 255);
  g_signal_connect_data(
      source, "read", G_CALLBACK(cvips_read_resized_jpeg), jpeg, cvips_free_resized_jpeg,
      (GConnectFlags) 0);
  return VIPS_SOURCE(source);
}

// Function-like macro: the address of a pixel that the region holds.
static inline const VipsPel *cvips_region_address(VipsRegion *region, int x, int y) {
  return VIPS_REGION_ADDR(region, x, y);
}

// Function-like macro: bytes from one row of the region to the next.
static inline size_t cvips_region_stride(VipsRegion *region) {
  return VIPS_REGION_LSKIP(region);
}

// Takes an untyped pointer, so that every kind of object needs no cast of its own.
static inline void cvips_unref(void *object) { g_object_unref(object); }

static inline VipsImage *cvips_crop(VipsImage *in, int left, int top, int width, int height) {
  VipsImage *out = NULL;
  if (vips_crop(in, &out, left, top, width, height, NULL)) return NULL;
  return out;
}

static inline VipsImage *cvips_rot(VipsImage *in, VipsAngle angle) {
  VipsImage *out = NULL;
  if (vips_rot(in, &out, angle, NULL)) return NULL;
  return out;
}

static inline VipsImage *cvips_flip_horizontal(VipsImage *in) {
  VipsImage *out = NULL;
  if (vips_flip(in, &out, VIPS_DIRECTION_HORIZONTAL, NULL)) return NULL;
  return out;
}

// Turns a picture upright by its EXIF orientation, as a full decode with libvips does.
static inline VipsImage *cvips_autorot(VipsImage *in) {
  VipsImage *out = NULL;
  if (vips_autorot(in, &out, NULL)) return NULL;
  return out;
}

// Places an image on a larger canvas; the canvas beyond it repeats its edge pixels.
static inline VipsImage *cvips_embed_copying_edges(
    VipsImage *in, int x, int y, int width, int height) {
  VipsImage *out = NULL;
  if (vips_embed(in, &out, x, y, width, height, "extend", VIPS_EXTEND_COPY, NULL)) return NULL;
  return out;
}

// A copy that claims another colour interpretation; pixels stay as they are.
static inline VipsImage *cvips_copy_interpretation(
    VipsImage *in, VipsInterpretation interpretation) {
  VipsImage *out = NULL;
  if (vips_copy(in, &out, "interpretation", interpretation, NULL)) return NULL;
  return out;
}

static inline VipsImage *cvips_colourspace(VipsImage *in, VipsInterpretation space) {
  VipsImage *out = NULL;
  if (vips_colourspace(in, &out, space, NULL)) return NULL;
  return out;
}

// Converts by the embedded profile where there is one.
static inline VipsImage *cvips_icc_to_srgb(VipsImage *in, int depth) {
  VipsImage *out = NULL;
  if (vips_icc_transform(in, &out, "srgb", "embedded", TRUE, "depth", depth, NULL)) return NULL;
  return out;
}

// Stretches between the four nearest pixels: X = a x + b y + odx, Y = c x + d y + ody, where whole
// numbers are the centres of pixels; pixels beyond the input's edges repeat them. The output begins
// at (0, 0).
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

// Averages blocks of pixels; the last of a row or column may be a part, filled up by its edge.
static inline VipsImage *cvips_shrink(VipsImage *in, int factor) {
  VipsImage *out = NULL;
  if (vips_shrink(in, &out, (double) factor, (double) factor, "ceil", TRUE, NULL)) return NULL;
  return out;
}

static inline VipsImage *cvips_resize(VipsImage *in, double across, double down) {
  VipsImage *out = NULL;
  if (vips_resize(in, &out, across, "vscale", down, NULL)) return NULL;
  return out;
}

// Puts what is transparent over black.
static inline VipsImage *cvips_flatten(VipsImage *in) {
  VipsImage *out = NULL;
  if (vips_flatten(in, &out, NULL)) return NULL;
  return out;
}

static inline VipsImage *cvips_first_bands(VipsImage *in, int count) {
  VipsImage *out = NULL;
  if (vips_extract_band(in, &out, 0, "n", count, NULL)) return NULL;
  return out;
}

static inline VipsImage *cvips_cast_uchar(VipsImage *in) {
  VipsImage *out = NULL;
  if (vips_cast(in, &out, VIPS_FORMAT_UCHAR, NULL)) return NULL;
  return out;
}

// What libvips' savers read of an animation whose frames stand one below the other: the height of
// a frame, how long each is shown in ms, and how often all are (0: for ever). Sets the image's own
// metadata: the image must not be shared yet.
static inline void cvips_set_animation(
    VipsImage *image, int page_height, int *delays, int count, int loop) {
  vips_image_set_int(image, VIPS_META_PAGE_HEIGHT, page_height);
  vips_image_set_array_int(image, "delay", delays, count);
  vips_image_set_int(image, "loop", loop);
}

// Variadic. Savers of animations only: a WebP's settings, or a GIF's own.
static inline int cvips_gifsave(VipsImage *image, const char *name) {
  return vips_gifsave(image, name, NULL);
}

// Variadic. The saver is chosen by the suffix of `name`, which holds no options of its own.
static inline int cvips_write_to_file(VipsImage *image, const char *name) {
  return vips_image_write_to_file(image, name, NULL);
}

static inline int cvips_tiffsave_tiled(
    VipsImage *image, const char *name, int tile, gboolean pyramid,
    VipsForeignTiffPredictor predictor, gboolean bigtiff) {
  return vips_tiffsave(
      image, name, "compression", VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE, "predictor", predictor,
      "tile", TRUE, "tile_width", tile, "tile_height", tile, "pyramid", pyramid, "bigtiff",
      bigtiff, NULL);
}

static inline int cvips_jpegsave(
    VipsImage *image, const char *name, int quality, gboolean progressive,
    VipsForeignSubsample subsample) {
  return vips_jpegsave(
      image, name, "Q", quality, "interlace", progressive, "subsample_mode", subsample,
      "optimize_coding", TRUE, NULL);
}

static inline int cvips_pngsave(
    VipsImage *image, const char *name, int compression, gboolean interlace) {
  return vips_pngsave(
      image, name, "compression", compression, "interlace", interlace, NULL);
}

static inline int cvips_webpsave(
    VipsImage *image, const char *name, int quality, gboolean lossless, int effort) {
  return vips_webpsave(
      image, name, "Q", quality, "lossless", lossless, "effort", effort, NULL);
}

#endif
