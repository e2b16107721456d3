/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes conversions with mgpuconvert, and the expected frames with the reference. */
#pragma once

#include "reference.h"

#include "../../cases/frame.h"

#define PAR ",pixel-aspect-ratio=1/1"

/* Holds a mapped frame and its description for the reference. */
typedef struct
{
  GstVideoFrame mapped;
  GstBuffer *plain;             /* the unpacked samples of a packed format; NULL for other
                                 * formats */
  GstVideoFrame plain_mapped;
  RefFrame frame;
} TestFrame;

static inline RefPacked
describe_packed (GstVideoFrame * frame)
{
  guint8 *data[2] = { GST_VIDEO_FRAME_PLANE_DATA (frame, 0) };

  if (GST_VIDEO_FRAME_N_PLANES (frame) > 1)
    data[1] = GST_VIDEO_FRAME_PLANE_DATA (frame, 1);
  return test_packed_describe (&frame->info, data);
}

static inline void
open_frame (TestFrame * self, const GstVideoInfo * info, GstBuffer * buffer,
    GstMapFlags flags)
{
  GstVideoFrame *frame = &self->mapped;
  GstVideoInfo plain;

  self->plain = NULL;
  fail_unless (gst_video_frame_map (frame, info, buffer, flags));
  if (test_packed_find (GST_VIDEO_INFO_FORMAT (info)) != NULL) {
    test_packed_plain (info, &plain);
    self->plain = frame_new (&plain, LAYOUT_DEFAULT, 2);
    frame = &self->plain_mapped;
    fail_unless (gst_video_frame_map (frame, &plain, self->plain,
            GST_MAP_READWRITE));
  }
  self->frame = describe_frame (&frame->info);
  for (gint i = 0; i < self->frame.n_components; i++)
    self->frame.plane[i] = ref_plane (frame, i);
  if (self->plain != NULL && flags & GST_MAP_READ) {
    RefPacked packed = describe_packed (&self->mapped);

    ref_unpack (&packed, self->frame.plane, self->frame.n_components);
  }
}

static inline void
close_frame (TestFrame * self)
{
  if (self->plain != NULL) {
    RefPacked packed = describe_packed (&self->mapped);

    if (self->mapped.map[0].flags & GST_MAP_WRITE)
      ref_pack (self->frame.plane, self->frame.n_components, &packed);
    gst_video_frame_unmap (&self->plain_mapped);
    gst_buffer_unref (self->plain);
  }
  gst_video_frame_unmap (&self->mapped);
}

/* Returns: (transfer full): the conversion of @from by the reference. A rectangle of width 0 stands
 * for the whole frame. */
static inline GstBuffer *
convert_by_reference (const GstVideoInfo * in_info, GstBuffer * from,
    const GstVideoInfo * out_info, const RefConvert * params)
{
  GstBuffer *expected = frame_new (out_info, LAYOUT_DEFAULT, 1);
  RefConvert convert = *params;
  TestFrame in, out;
  RefFrame *a = &in.frame, *b = &out.frame;

  open_frame (&in, in_info, from, GST_MAP_READ);
  open_frame (&out, out_info, expected, GST_MAP_WRITE);
  if (!GST_VIDEO_INFO_HAS_ALPHA (out_info))
    a->n_components = MIN (a->n_components, 3);
  if (convert.source.width == 0)
    convert.source = (RefRectangle) {
    0, 0, a->width, a->height};
  if (convert.destination.width == 0)
    convert.destination = (RefRectangle) {
    0, 0, b->width, b->height};
  ref_convert (a, b, &convert);
  close_frame (&out);
  close_frame (&in);
  return expected;
}

/* Fails unless @to equals the conversion of @from by the reference. */
static inline void
check_frame (const GstVideoInfo * in_info, GstBuffer * from,
    const GstVideoInfo * out_info, GstBuffer * to, const RefConvert * params)
{
  g_autoptr (GstBuffer) expected =
      convert_by_reference (in_info, from, out_info, params);

  fail_unless_same_frame (out_info, to, expected);
}

/* Pushes a frame in the format of @in and with @layout, and compares the output of @h with the
 * reference. */
static inline void
push_and_check (GstHarness * h, const GstVideoInfo * in, Layout layout,
    const RefConvert * params)
{
  g_autoptr (GstBuffer) from = frame_new (in, layout, in->width);
  g_autoptr (GstBuffer) to = harness_push_pull (h, gst_buffer_ref (from));
  GstVideoInfo out = harness_out_info (h);

  check_frame (in, from, &out, to, params);
}

static inline GstHarness *
convert_new (const gchar * launch, const gchar * in, const gchar * out,
    GstVideoInfo * info)
{
  GstHarness *h = harness_open (launch);

  *info = info_from_string (in);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (h, out);
  gst_harness_set_src_caps_str (h, in);
  return h;
}

/* Adds to @buffer, a frame of the format @info, a crop meta for the visible part @seen, and the
 * GstVideoMeta that the crop needs. */
static inline void
show_part (GstBuffer * buffer, const GstVideoInfo * info,
    const RefRectangle * seen)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  if (gst_buffer_get_video_meta (buffer) == NULL)
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info),
        (gsize *) info->offset, (gint *) info->stride);
  crop->x = seen->x;
  crop->y = seen->y;
  crop->width = seen->width;
  crop->height = seen->height;
}

/* Returns a frame of the format @info with a crop meta for the visible part @seen. */
static inline GstBuffer *
cropped_new (GstHarness * h, const GstVideoInfo * info, gboolean device,
    const RefRectangle * seen)
{
  GstBuffer *buffer;

  if (device) {
    g_autoptr (GstMgpuContext) context = harness_context (h);

    buffer = device_frame_new (context, info, 7);
  } else {
    buffer = frame_new (info, LAYOUT_DEFAULT, 7);
  }
  show_part (buffer, info, seen);
  return buffer;
}

/* Returns: whether the elements of @launch announce to upstream that they accept frames with a crop
 * meta */
static inline gboolean
offers_crop (const gchar * launch)
{
  GstVideoInfo info;
  g_autoptr (GstHarness) h = convert_new (launch, HOST_CAPS ("I420", 32, 24),
      "video/x-raw,format=I420", &info);
  g_autoptr (GstQuery) query =
      gst_query_new_allocation (caps_new (GST_VIDEO_FORMAT_I420, 32, 24, FALSE),
      TRUE);
  gboolean offers;

  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE,
          NULL));
  offers = gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE,
      NULL);
  return offers;
}
