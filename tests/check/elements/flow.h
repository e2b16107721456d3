/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Pushes streams of frames to mgpuflow, and compares their optical flow with the reference. */
#pragma once

#include "reference.h"

#include "../../reference/flow.h"

#define WIDTH 53
#define HEIGHT 38
#define N_FIELDS 2

/* Stores a harness of mgpuflow, and the frame and fields on which the flow of the next frame
 * depends */
typedef struct
{
  GstHarness *h;
  GstVideoInfo info;
  RefFlowParams params;
  gboolean directions[N_FIELDS];        /* for each direction, whether its flow field is measured */
  gboolean temporal;
  GstBuffer *before;            /* the previous frame; NULL: the next frame gets no flow */
  RefFlow past[N_FIELDS];       /* flow fields of the previous frame; empty where no flow was
                                 * measured */
} Stream;

static inline void
clear_fields (RefFlow fields[N_FIELDS])
{
  for (guint i = 0; i < N_FIELDS; i++) {
    g_clear_pointer (&fields[i].flow, g_free);
    g_clear_pointer (&fields[i].confidence, g_free);
  }
}

static inline void
stream_forget (Stream * self)
{
  clear_fields (self->past);
  gst_clear_buffer (&self->before);
}

/* Opens a stream of frames in @format for an mgpuflow with the default properties. */
static inline void
stream_open (Stream * self, GstVideoFormat format, gint width, gint height)
{
  GstCaps *caps = caps_new (format, width, height, FALSE);

  *self = (Stream) {
  .h = harness_open ("mgpuflow name=f"),.params =
        { REF_FLOW_MEDIUM, FALSE },.directions = { TRUE, FALSE },.temporal =
        TRUE};
  fail_unless (gst_video_info_from_caps (&self->info, caps));
  gst_harness_add_propose_allocation_meta (self->h, GST_VIDEO_META_API_TYPE,
      NULL);
  gst_harness_set_sink_caps_str (self->h, "video/x-raw");
  gst_harness_set_src_caps (self->h, caps);
}

static inline void
stream_close (Stream * self)
{
  stream_forget (self);
  harness_end (self->h);
}

/* Sets properties of mgpuflow. @direction: index of the value in the enumeration */
static inline void
stream_set (Stream * self, RefFlowPreset preset, guint direction,
    gboolean lighting_changes, gboolean temporal)
{
  if (preset != self->params.preset)
    clear_fields (self->past);
  self->params = (RefFlowParams) {
  preset, lighting_changes};
  for (guint i = 0; i < N_FIELDS; i++)
    self->directions[i] = direction == N_FIELDS || direction == i;
  self->temporal = temporal;
  g_object_set (self->h->element, "preset", preset, "direction", direction,
      "lighting", lighting_changes, "temporal", temporal, NULL);
}

/* Computes the flow fields of @frame into @fields, with the reference. */
static inline void
refer (Stream * self, GstBuffer * frame, RefFlow fields[N_FIELDS])
{
  LumaPair luma;

  luma_pair_init (&luma, &self->info, frame, self->before);
  for (guint i = 0; i < N_FIELDS; i++) {
    const RefFlow *past = &self->past[i];
    RefFlow *field = &fields[i];

    if (!self->directions[i])
      continue;
    ref_flow_size (&self->params, luma.planes[0].width, luma.planes[0].height,
        field);
    field->flow = g_new (gint16, 2 * field->width * field->height);
    field->confidence = g_new (guint8, field->width * field->height);
    fail_unless (ref_flow (&self->params, &luma.planes[i], &luma.planes[!i],
            self->temporal && past->flow != NULL ? past : NULL, field));
  }
  if (self->directions[0] && self->directions[1]) {
    ref_flow_compare (&fields[0], &fields[1]);
    ref_flow_compare (&fields[1], &fields[0]);
  }
  luma_pair_clear (&luma);
}

static inline void
check_field (GstMgpuFlowMeta * meta, GstMgpuFlowField field,
    const RefFlow * want)
{
  guint width, height, shift;
  gsize n = (gsize) want->width * want->height;
  gfloat dx, dy;
  gint u, v;

  fail_unless (gst_mgpu_flow_meta_get_field (meta, field, &width, &height,
          &shift));
  fail_unless_equals_int (width, want->width);
  fail_unless_equals_int (height, want->height);
  fail_unless_equals_int (shift, want->shift);
  check_bytes (gst_mgpu_flow_meta_get_bytes (meta, field), want->flow, 4 * n);
  check_bytes (gst_mgpu_flow_meta_get_confidence (meta, field),
      want->confidence, n);
  for (guint i = 0; i < 2; i++) {
    guint x = i * ((width << shift) - 1), y = i * 11;

    ref_flow_at (want, x, y, &u, &v);
    fail_unless (gst_mgpu_flow_meta_get_flow (meta, field, x, y, &dx, &dy));
    fail_unless_equals_float (dx, u / 32.0);
    fail_unless_equals_float (dy, v / 32.0);
  }
  fail_if (gst_mgpu_flow_meta_get_flow (meta, field, width << shift, 0, &dx,
          &dy));
}

/* Fails unless @out, the output frame for @from, has the flow that the reference computes. Keeps
 * @from as the previous frame for the next call. */
static inline void
stream_check (Stream * self, GstBuffer * from, GstBuffer * out)
{
  GstMgpuFlowMeta *meta = gst_buffer_get_mgpu_flow_meta (out);
  RefFlow fields[N_FIELDS] = { {0,} };

  fail_unless_same_frame (&self->info, from, out);
  fail_unless ((meta != NULL) == (self->before != NULL));
  if (meta != NULL) {
    refer (self, from, fields);
    fail_unless_equals_uint64 (gst_mgpu_flow_meta_get_previous_offset (meta),
        GST_BUFFER_OFFSET (self->before));
    for (guint i = 0; i < N_FIELDS; i++)
      if (self->directions[i])
        check_field (meta, (GstMgpuFlowField) i, &fields[i]);
      else
        fail_if (gst_mgpu_flow_meta_get_field (meta, (GstMgpuFlowField) i,
                NULL, NULL, NULL)
            || gst_mgpu_flow_meta_get_bytes (meta, (GstMgpuFlowField) i));
  }
  stream_forget (self);
  for (guint i = 0; i < N_FIELDS; i++)
    self->past[i] = fields[i];
  self->before = gst_buffer_ref (from);
}

static inline GstBuffer *
stream_frame (const Stream * self, Layout layout, guint seed)
{
  GstBuffer *frame = frame_new (&self->info, layout, seed);

  GST_BUFFER_OFFSET (frame) = 100 + seed;
  GST_BUFFER_PTS (frame) = seed * GST_SECOND / 25;
  return frame;
}

/* Pushes a frame of random samples, and checks the flow and the pixels of the output frame. */
static inline void
stream_push (Stream * self, guint seed)
{
  g_autoptr (GstBuffer) from = stream_frame (self, LAYOUT_PADDED, seed);
  g_autoptr (GstBuffer) out = NULL;

  out = harness_push_pull (self->h, gst_buffer_ref (from));
  stream_check (self, from, out);
}

/* Returns a gray frame of rectangles, which move by (3, 1) pixels from frame to frame. @t: number
 * of the frame */
static inline GstBuffer *
rectangles_new (const GstVideoInfo * info, gint t)
{
  GstBuffer *buffer = frame_new (info, LAYOUT_DEFAULT, 1);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < info->height; y++)
    for (gint x = 0; x < info->width; x++) {
      guint i = (x + 300 - 3 * t) / 11, j = (y + 300 - t) / 7;
      guint hash = (i * 40503u ^ j * 9176u) * 2654435761u;

      comp_data (&frame, 0)[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0) + x] =
          hash >> 24;
    }
  gst_video_frame_unmap (&frame);
  return buffer;
}
