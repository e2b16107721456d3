/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls the scalar references with the components of mapped frames. */
#pragma once

#include "common.h"

#include "../../cases/cases.h"
#include "../../reference/colour.h"

static inline RefPlane
ref_plane (GstVideoFrame * frame, guint component)
{
  guint depth = GST_VIDEO_FRAME_COMP_DEPTH (frame, component);
  RefPlane plane = {
    .data = comp_data (frame, component),
    .stride = GST_VIDEO_FRAME_COMP_STRIDE (frame, component),
    .pixel_stride = GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component),
    .width = GST_VIDEO_FRAME_COMP_WIDTH (frame, component),
    .height = GST_VIDEO_FRAME_COMP_HEIGHT (frame, component),
    .bytes = depth > 8 ? 2 : 1,
    .shift = frame->info.finfo->shift[component],
    .max = (1 << depth) - 1
  };

  test_get_range (&frame->info, component, &plane.lo, &plane.hi);
  return plane;
}

/* Sets the elements of @planes to describe the components of a mapped frame. */
static inline void
ref_planes (GstVideoFrame * frame, RefPlane planes[GST_VIDEO_MAX_COMPONENTS])
{
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (frame); i++)
    planes[i] = ref_plane (frame, i);
}

/* Returns the gray samples or luma of a frame. The luma of RGB is computed into *@storage, which the
 * caller frees; otherwise *@storage is NULL. */
static inline RefPlane
ref_luma (GstVideoFrame * frame, guint8 ** storage)
{
  RefPlane plane = ref_plane (frame, 0);
  RefPlane rgb[3];

  *storage = NULL;
  if (!GST_VIDEO_INFO_IS_RGB (&frame->info))
    return plane;
  for (guint i = 0; i < 3; i++)
    rgb[i] = ref_plane (frame, i);
  *storage = g_malloc ((gsize) plane.width * plane.height);
  plane.data = *storage;
  plane.stride = plane.width;
  plane.pixel_stride = plane.bytes = 1;
  plane.shift = 0;
  plane.max = 255;
  ref_colour_luma (rgb, &plane);
  return plane;
}

/* Holds the luma planes of two frames of a video. */
typedef struct
{
  GstVideoFrame frames[2];
  guint8 *storage[2];
  RefPlane planes[2];
} LumaPair;

static inline void
luma_pair_init (LumaPair * self, const GstVideoInfo * info, GstBuffer * first,
    GstBuffer * second)
{
  for (guint i = 0; i < 2; i++) {
    fail_unless (gst_video_frame_map (&self->frames[i], info, i == 0 ? first
            : second, GST_MAP_READ));
    self->planes[i] = ref_luma (&self->frames[i], &self->storage[i]);
  }
}

static inline void
luma_pair_clear (LumaPair * self)
{
  for (guint i = 0; i < 2; i++) {
    gst_video_frame_unmap (&self->frames[i]);
    g_free (self->storage[i]);
  }
}

typedef void (*RefFunc) (GstVideoFrame * in, GstVideoFrame * out,
    gconstpointer params);

/* Fails unless @to equals a copy of @from that @reference has processed. */
static inline void
fail_unless_as_reference (const GstVideoInfo * info, GstBuffer * from,
    GstBuffer * to, RefFunc reference, gconstpointer params)
{
  g_autoptr (GstBuffer) expected = gst_buffer_copy_deep (from);
  GstVideoFrame in, out;

  fail_unless (gst_video_frame_map (&in, info, from, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, info, expected, GST_MAP_WRITE));
  reference (&in, &out, params);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
  fail_unless_same_frame (info, to, expected);
}

/* Pushes a frame through an analyzer, whose source pad has caps with device memory if @device is
 * set. Fails unless the frame passes unchanged. Sets *@info and *@from to the format and to the
 * pushed frame. Returns: (transfer full): the output frame */
static inline GstBuffer *
push_through_analyser (GstHarness * h, GstVideoFormat format, gint width,
    gint height, Layout layout, gboolean device, GstVideoInfo * info,
    GstBuffer ** from)
{
  GstCaps *caps = caps_new (format, width, height, FALSE);
  GstBuffer *out;

  GST_INFO ("%s %dx%d, layout %d", gst_video_format_to_string (format), width,
      height, layout);
  fail_unless (gst_video_info_from_caps (info, caps));
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_caps (h, caps, caps_new (format, width, height, device));
  *from = frame_new (info, layout, width);
  out = harness_push_pull (h, gst_buffer_ref (*from));
  if (device)
    frame_memory (out);
  fail_unless_same_frame (info, *from, out);
  return out;
}

/* Pushes the frame made from @seed to a filter, with the flag DISCONT if @discont is TRUE. Fails
 * unless the output frame equals the result of @reference for that frame. */
static inline void
push_as_reference (GstHarness * h, const GstVideoInfo * info, guint seed,
    gboolean discont, RefFunc reference, gconstpointer params)
{
  g_autoptr (GstBuffer) from = frame_new (info, LAYOUT_DEFAULT, seed), to =
      NULL;

  if (discont)
    GST_BUFFER_FLAG_SET (from, GST_BUFFER_FLAG_DISCONT);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless_as_reference (info, from, to, reference, params);
}

/* Pushes a padded frame of random samples through @launch. Fails unless the output equals a copy of
 * the frame that @reference has changed. */
static inline void
check_reference (const gchar * launch, GstVideoFormat format, gint width,
    gint height, RefFunc reference, gconstpointer params)
{
  g_autoptr (GstHarness) h = harness_open (launch);
  GstCaps *caps = caps_new (format, width, height, FALSE);
  g_autoptr (GstBuffer) from = NULL, to = NULL;
  GstVideoInfo info;

  GST_INFO ("%s, %s, %dx%d", launch, gst_video_format_to_string (format), width,
      height);
  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps (h, caps);
  from = frame_new (&info, LAYOUT_PADDED, width);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless_as_reference (&info, from, to, reference, params);
}
