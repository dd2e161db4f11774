// zlib, which libvips reads PNG with: checksums, and the packing of what an index keeps.
#ifndef ZOOMBENCH_CZLIB_SHIM_H
#define ZOOMBENCH_CZLIB_SHIM_H

#include <zlib.h>

#endif
