/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* tiles_x, tiles_y: at least 1. clip_limit: 0 clips nothing. */
typedef struct
{
  int tiles_x, tiles_y;
  double clip_limit;
} RefClahe;

/* tables: tiles_y x tiles_x tables of values counted from lo, row by row. Each is followed by
 * those of n - 1 other components. */
void ref_clahe_tables (const RefPlane * in, const RefClahe * params, uint16_t * tables, int n);

/* in and out may be the same. */
void ref_clahe_apply (const RefPlane * in, const RefPlane * out, const RefClahe * params, const uint16_t * tables, int n);
