/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Formats whose samples share words or lie in tiles, with GStreamer's names */
typedef enum
{
  REF_PACK_GRAY16_BE,
  REF_PACK_RGB16,
  REF_PACK_BGR16,
  REF_PACK_RGB15,
  REF_PACK_BGR15,
  REF_PACK_V210,
  REF_PACK_Y210,
  REF_PACK_Y212,
  REF_PACK_Y410,
  REF_PACK_NV12_4L4,
  REF_PACK_NV12_32L32
} RefPackFormat;

/* A frame of a packed format. Plane 1 is the chroma of NV12 in tiles. @stride is the number of
 * bytes from row to row; for tiles, from one row of tiles to the next. */
typedef struct
{
  RefPackFormat format;
  uint8_t *data[2];
  ptrdiff_t stride[2];
} RefPacked;

/* Sets all samples of @plain, which has @n components, to those of @packed: see
 * docs/algorithms/convert.md. Samples of RGB have 8 bits. */
void ref_unpack (const RefPacked * packed, const RefPlane * plain, int n);

/* Packs the samples: writes whole groups of words, and whole tiles. */
void ref_pack (const RefPlane * plain, int n, const RefPacked * packed);
