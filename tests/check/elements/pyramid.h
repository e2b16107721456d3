/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes mgpupyramid elements with several pads, and the expected levels. */
#pragma once

#include "reference.h"

#include <gst/vision/pyramid/pyramid.h>

#include "../../reference/pyramid.h"

#define MAX_PADS 5

/* Holds an mgpupyramid with a harness for each of its first @n source pads. */
typedef struct
{
  GstElement *element;
  GstHarness *h[MAX_PADS];
  guint n;
} Pyramid;

static inline void
pyramid_init (Pyramid * self, guint n, const gchar * name, ...)
{
  va_list args;

  self->element = gst_element_factory_make ("mgpupyramid", NULL);
  va_start (args, name);
  g_object_set_valist (G_OBJECT (self->element), name, args);
  va_end (args);
  self->n = n;
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *pad = g_strdup_printf ("src_%u", i);

    self->h[i] = gst_harness_new_with_element (self->element,
        i == 0 ? "sink" : NULL, pad);
  }
}

static inline void
pyramid_clear (Pyramid * self)
{
  for (guint i = self->n; i > 0; i--)
    gst_harness_teardown (self->h[i - 1]);
  gst_object_unref (self->element);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pyramid, pyramid_clear)

/* Computes a pyramid level from the finer level below it; both are frames of the same format. */
static inline GstBuffer *
reference_level (const GstVideoInfo * below_info, GstBuffer * below,
    GstVideoInfo * info)
{
  GstVideoFrame in, out;
  GstBuffer *level;

  gst_video_info_set_format (info, GST_VIDEO_INFO_FORMAT (below_info),
      (GST_VIDEO_INFO_WIDTH (below_info) + 1) / 2,
      (GST_VIDEO_INFO_HEIGHT (below_info) + 1) / 2);
  level = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  gst_buffer_memset (level, 0, 0, -1);
  fail_unless (gst_video_frame_map (&in, below_info, below, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, info, level, GST_MAP_WRITE));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (&in); i++) {
    RefPlane from = ref_plane (&in, i), to = ref_plane (&out, i);

    ref_pyramid_down (&from, &to);
  }
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
  return level;
}
