/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Holds what the tests of mgpuhog with part models use. */
#pragma once

#include "reference.h"

#include "../dpmmodel.h"
#include "../file.h"

static inline void
setup (void)
{
  g_autofree gchar *text = make_model ();

  file_begin ("two words.xml");
  fail_unless (g_file_set_contents (path, text, -1, NULL));
}

/* Writes a model file with a change in it. */
static inline void
break_model (const gchar * from, const gchar * to)
{
  g_autofree gchar *text = change_model (make_model (), from, to);

  fail_unless (g_file_set_contents (path, text, -1, NULL));
}

/* Makes a harness of mgpuhog with the part model. If @all is set, each position is a hit, and each
 * hit becomes a detection. */
static inline GstHarness *
model_harness_new (gboolean all, const gchar * caps)
{
  GstHarness *h = gst_harness_new ("mgpuhog");

  gst_util_set_object_arg (G_OBJECT (h->element), "detector", "model");
  g_object_set (h->element, "model", path, "name", "f", NULL);
  if (all)
    g_object_set (h->element, "threshold", -100.0, "nms-overlap", 1.0,
        "max-detections", 0, NULL);
  gst_harness_set_caps_str (h, caps, caps);
  return h;
}
