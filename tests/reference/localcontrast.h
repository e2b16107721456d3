/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

#define REF_LOCALCONTRAST_LEVELS 256

/* Parameters of the filter, which are the properties of mgpulocalcontrast, and the nominal range of
 * the samples. The number of pyramid levels is at most REF_LOCALCONTRAST_LEVELS; 0 for
 * automatic. */
typedef struct
{
  double detail, shadows, highlights, sigma;
  int levels;
  int black, white;
} RefLocalcontrast;

/* Changes the local contrast of luma. Returns 0 if there is not enough memory. */
int ref_localcontrast (const RefPlane * in, const RefPlane * out, const RefLocalcontrast * params);
