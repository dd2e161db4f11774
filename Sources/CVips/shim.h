// The whole C surface of libvips that zoombench touches.
//
// libvips' operations are variadic and Swift cannot call variadic C functions, so every operation
// that is needed has a wrapper here with fixed arguments. Optional arguments must have exactly the
// type of the property they set: passing an int where a double is wanted is undefined behaviour in
// C's varargs. Wrappers hold no policy; a misspelled option fails loudly at the first call.
#ifndef ZOOMBENCH_CVIPS_SHIM_H
#define ZOOMBENCH_CVIPS_SHIM_H

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
static inline VipsImage *cvips_jpegload_buffer(void *data, size_t length, VipsFailOn fail_on) {
  VipsImage *out = NULL;
  if (vips_jpegload_buffer(
          data, length, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL))
    return NULL;
  return out;
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
