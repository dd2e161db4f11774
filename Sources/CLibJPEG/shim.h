// jpeglib.h uses FILE and size_t and includes neither of their headers.
#ifndef ZOOMBENCH_CLIBJPEG_SHIM_H
#define ZOOMBENCH_CLIBJPEG_SHIM_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

#endif
