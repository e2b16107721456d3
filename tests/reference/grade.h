/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

enum
{
  REF_TONE_NONE,
  REF_TONE_PQ,
  REF_TONE_HLG
};

/* Describes a color mapping: see docs/algorithms/grade.md. @peak: luminance of the brightest pixels
 * of PQ, in nits. @size: number of entries of an axis of the lookup table, 0 if there is none.
 * @values: 3 for each entry, with red varying fastest */
typedef struct
{
  int tone;
  double peak;
  int is_srgb, changes_primaries;
  int size, is_cube;
  double min[3], max[3];
  const float *values;
} RefGrade;

/* Maps R, G and B with 8 or 12 bits. Returns 0 if there is not enough memory */
int ref_grade (const RefPlane in[3], const RefPlane out[3], const RefGrade * grade);
