/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include "gstmgpufilter.h"

G_BEGIN_DECLS

/* Describes an element of the plugin; elements.c has a table of these rows. */
typedef struct
{
  const gchar *name, *title, *klass, *text;
  const MgpuAlgorithm *algorithm;       /* algorithm of the element, if it is a plain
                                         * filter; else NULL */
  const gchar *guide;           /* name of the pad for guide images, if the element is a
                                 * plain filter with one; else NULL */
  GType (*get_type) (void);             /* returns the type of an element that is not a plain
                                         * filter; else NULL */
} GstMgpuElement;

/* Returns: the type of the plain filter that @row describes. Such an element makes a
 * frame of the same format and size from each frame, and from its guide image if the row
 * names a pad of guide images. The parameters of the algorithm are its properties */
GType gst_mgpu_plain_get_type (const GstMgpuElement * row);

G_END_DECLS
