// libwebp, whose decoder can leave out what is outside of a rectangle; libvips does not ask it to.
#ifndef ZOOMBENCH_CWEBP_SHIM_H
#define ZOOMBENCH_CWEBP_SHIM_H

#include <webp/decode.h>

#endif
