/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes a folder with a calibration file, for tests of mgpuremap. */
#pragma once

#include "../file.h"
#include "remap.h"

/* A camera in OpenCV's file format, for frames of 64x48, as text and as numbers */
#define K "60.5, 0., 30.25, 0., 61, 24.75, 0, 0, 1"
#define D "-0.25, 0.0625, 0.001, -2e-3"
#define MATRIX(name, rows, cols, data) name ": !!opencv-matrix\n   rows: " rows \
    "\n   cols: " cols "\n   dt: d\n   data: [ " data " ]\n"
#define FILE(size, k, d) "%YAML:1.0\n---\n" size MATRIX ("M1", "3", "3", k) \
    MATRIX ("D1", "4", "1", d) MATRIX ("M2", "3", "3", "70, 0, 32, 0, 70, 24, 0, 0, 1") \
    MATRIX ("D2", "4", "1", "0, 0, 0, 0") MATRIX ("R2", "3", "3", \
        "0, -1, 0, 1, 0, 0, 0, 0, 1") MATRIX ("P2", "3", "4", \
        "50, 0, 20, 0, 0, 55, 25, 0, 0, 0, 1, 0")
#define SIZE "image_width: 64\nimage_height: 48\n"
#define CAMERA {.lens = REF_LENS_BROWN,.focal = {60.5, 61},.centre = {30.25, \
      24.75},.k = {-0.25, 0.0625, 0.001, -2e-3},.beta = 1,.width = 64,.height = 48}

static inline void
setup (void)
{
  file_begin ("camera.yml");
  replace_file (path, FILE (SIZE, K, D), -1);
}
