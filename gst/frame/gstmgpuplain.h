/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include "gstmgpufilter.h"

G_BEGIN_DECLS

/* A row of the table of elements in elements.c: describes an element of the plugin. */
typedef struct
{
  const gchar *name, *title, *klass, *text;
  const MgpuAlgorithm *algorithm;       /* for a plain filter: algorithm of the element;
                                         * otherwise NULL */
  const gchar *guide;           /* for a plain filter with guide images: name of the pad for
                                 * them; otherwise NULL */
  GType (*get_type) (void);             /* for other elements: returns the type of the
                                         * element; NULL for a plain filter */
} GstMgpuElement;

/* Returns: the type of the plain filter that @row describes. Such an element makes an
 * output frame of the same format and size from each input frame. If @row names a pad for
 * guide images, the output also depends on the guide image. The properties of the element
 * are the parameters of the algorithm */
GType gst_mgpu_plain_get_type (const GstMgpuElement * row);

G_END_DECLS
