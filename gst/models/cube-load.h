/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/grade/lut.h>

G_BEGIN_DECLS

/* Maximum number of entries of an axis of a cube, and of a table with one dimension */
#define MGPU_CUBE_MAX_SIZE 129
#define MGPU_CUBE_MAX_LINE 65536

/* Reads a lookup table of colors from a .cube file of Adobe or IRIDAS. Returns: (transfer full): the
 * table; NULL with the error set, whose text begins with file and line: "look.cube:3: ..." */
MgpuLut *mgpu_cube_load (const gchar * path, GError ** error);

G_END_DECLS
