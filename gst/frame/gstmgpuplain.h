/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include "gstmgpufilter.h"

G_BEGIN_DECLS

/* Describes an element: a row of elements.c. */
typedef struct
{
  const gchar *name, *title, *klass, *text;
  const MgpuAlgorithm *algorithm;       /* of a plain filter; else NULL */
  GType (*get_type) (void);             /* of another element; else NULL */
} GstMgpuElement;

/* Returns: the type of a plain filter: one frame in, one of the same format and size
 * out, with the parameters of the algorithm as properties */
GType gst_mgpu_plain_get_type (const GstMgpuElement * row);

G_END_DECLS
