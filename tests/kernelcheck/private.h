/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Between the files of the framework. */
#pragma once

#include "kernelcheck.h"
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

struct _KcRunPrivate
{
  const gchar *function;
  const gchar *class_name;
  gboolean verbose;
  GChecksum *digest;
  JsonBuilder *benches;         /* inside an array, or NULL */
  GString *text;                /* the case */
  KcKind kind;
  gboolean case_failed;
  guint n_cases, n_failed;
};

/* Returns: (transfer full): words for the byte at offset, for reports about bytes that
 * are no sample */
gchar *kc_picture_describe_byte (const KcPicture * picture, gsize offset);

/* A sample of an array. */
gdouble kc_array_get (const KcArray * array, gint x, gint y);

/* Component as an array. */
KcArray kc_picture_array (const KcPicture * picture, guint component);

/* Median; sorts values. */
gdouble kc_median (gdouble * values, guint n);

G_END_DECLS
