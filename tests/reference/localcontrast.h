/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

#define REF_LOCALCONTRAST_LEVELS 256

/* The parameters of the element, and the nominal range of the samples. levels: 0, or up to
 * REF_LOCALCONTRAST_LEVELS */
typedef struct
{
  double detail, shadows, highlights, sigma;
  int levels;
  int black, white;
} RefLocalcontrast;

/* Changes the local contrast of luma. Returns 0 when there is no memory left. */
int ref_localcontrast (const RefPlane * in, const RefPlane * out, const RefLocalcontrast * params);
