/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests what mgpuflow draws, the flow of parts of frames, and many streams. */
#include "flow.h"

#include "../../reference/flowfield.h"

#include <gst/vision/colour/colour.h>

/* ---- Drawing ----------------------------------------------------------------- */

/* Draws the flow field with the reference onto a copy of @from; black without a field. */
static GstBuffer *
draw_wheel (const GstVideoInfo * info, GstBuffer * from, const RefFlow * field,
    gboolean is_to_previous, gint range)
{
  GstBuffer *out = gst_buffer_copy_deep (from);
  guint n = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3);
  guint32 colours[REF_WHEEL_COLOURS];
  gint values[3][REF_WHEEL_COLOURS];
  GstVideoFrame frame;

  ref_flow_wheel_colours (colours);
  for (guint i = 0; i < REF_WHEEL_COLOURS; i++) {
    gint samples[3] = { 0 };

    mgpu_colour_from_argb (info, colours[i], samples);
    for (guint k = 0; k < 3; k++)
      values[k][i] = samples[k];
  }
  fail_unless (gst_video_frame_map (&frame, info, out, GST_MAP_WRITE));
  for (guint i = 0; i < n; i++) {
    RefPlane plane = ref_plane (&frame, i);

    ref_flow_wheel (field, is_to_previous, range, values[i],
        info->finfo->w_sub[i], info->finfo->h_sub[i], &plane);
  }
  gst_video_frame_unmap (&frame);
  return out;
}

/* Tests that with draw=colors frames of each format become a drawing of their flow, in which the
 * forward and the backward field of the same motion have the same color. A frame without flow is
 * black. Metas are kept. */
GST_START_TEST (test_draw)
{
  static const gint ranges[] = { 16, 1, 3, 200 };
  Stream stream;

  stream_open (&stream, all_formats[__i__], WIDTH, HEIGHT);
  stream_set (&stream, REF_FLOW_FAST, __i__ % 3, FALSE, FALSE);
  g_object_set (stream.h->element, "draw", 1, NULL);
  for (guint t = 0; t < 4; t++) {
    g_autoptr (GstBuffer) from = stream_frame (&stream, LAYOUT_PADDED, t);
    g_autoptr (GstBuffer) out = NULL, want = NULL;
    RefFlow fields[N_FIELDS] = { {0,}
    };

    g_object_set (stream.h->element, "draw-range", (gdouble) ranges[t], NULL);
    if (t > 0)
      refer (&stream, from, fields);
    want = draw_wheel (&stream.info, from, t == 0 ? NULL
        : &fields[!stream.directions[0]], stream.directions[0], 32 * ranges[t]);
    out = harness_push_pull (stream.h, gst_buffer_ref (from));
    fail_unless_same_frame (&stream.info, want, out);
    fail_unless ((gst_buffer_get_mgpu_flow_meta (out) != NULL) == (t > 0));
    stream_forget (&stream);
    clear_fields (fields);
    stream.before = g_steal_pointer (&from);
  }
  stream_close (&stream);
}

GST_END_TEST;

/* ---- Flow in a rectangle of the frame ---------------------------------------- */

/* Returns the part @box of a frame as a separate frame. */
static GstBuffer *
crop (const GstVideoInfo * info, GstBuffer * from, const MgpuRect * box)
{
  GstVideoInfo part;
  GstVideoFrame in, out;
  GstBuffer *buffer;

  gst_video_info_set_format (&part, GST_VIDEO_FORMAT_GRAY8, box->width,
      box->height);
  buffer = gst_buffer_new_allocate (NULL, part.size, NULL);
  fail_unless (gst_video_frame_map (&in, info, from, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, &part, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < box->height; y++)
    memcpy (comp_data (&out, 0) + y * GST_VIDEO_FRAME_COMP_STRIDE (&out, 0),
        comp_data (&in, 0) + (box->y + y) * GST_VIDEO_FRAME_COMP_STRIDE (&in,
            0) + box->x, box->width);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
  return buffer;
}

/* Fails unless the fields of @whole equal the fields of the cropped frame @part within @box, and
 * are unknown elsewhere. */
static void
check_part (GstBuffer * whole, GstBuffer * part, const MgpuRect * box)
{
  GstMgpuFlowMeta *meta = gst_buffer_get_mgpu_flow_meta (whole);
  GstMgpuFlowMeta *cropped = gst_buffer_get_mgpu_flow_meta (part);
  guint width, height, shift, part_width, part_height;

  fail_unless ((meta != NULL) == (cropped != NULL));
  for (guint i = 0; i < N_FIELDS && meta != NULL; i++) {
    g_autoptr (GBytes) flow = gst_mgpu_flow_meta_get_bytes (meta, i);
    g_autoptr (GBytes) trust = gst_mgpu_flow_meta_get_confidence (meta, i);
    g_autoptr (GBytes) got = gst_mgpu_flow_meta_get_bytes (cropped, i);
    g_autoptr (GBytes) got_trust =
        gst_mgpu_flow_meta_get_confidence (cropped, i);
    RefFlow want = { 0 }, from = { 0 };
    gsize n;

    fail_unless (gst_mgpu_flow_meta_get_field (meta, i, &width, &height,
            &shift));
    fail_unless (gst_mgpu_flow_meta_get_field (cropped, i, &part_width,
            &part_height, NULL));
    n = (gsize) width *height;
    want = (RefFlow) {
    width, height, shift, g_new (gint16, 2 * n), g_new (guint8, n)};
    from = (RefFlow) {
    part_width, part_height, shift, (gint16 *) g_bytes_get_data (got, NULL),
          (guint8 *) g_bytes_get_data (got_trust, NULL)};
    ref_flow_place (&from, box->x >> shift, box->y >> shift, &want);
    check_bytes (g_bytes_ref (flow), want.flow, 4 * n);
    check_bytes (g_bytes_ref (trust), want.confidence, n);
    g_free (want.flow);
    g_free (want.confidence);
  }
}

/* Checks the tracks of the rectangle @box: the tracks of the cropped frame @part have the positions
 * of the tracks of @whole minus the position of @box. Fails if they differ. */
static void
check_part_tracks (GstBuffer * whole, GstBuffer * part, const MgpuRect * box)
{
  GstMgpuKeypointMeta *metas[2] = {
    gst_buffer_get_mgpu_keypoint_meta (whole),
    gst_buffer_get_mgpu_keypoint_meta (part)
  };
  g_autoptr (GBytes) all = gst_mgpu_keypoint_meta_get_keypoints (metas[0]);
  g_autoptr (GBytes) some = gst_mgpu_keypoint_meta_get_keypoints (metas[1]);
  g_autoptr (GBytes) motions = gst_mgpu_keypoint_meta_get_motions (metas[0]);
  g_autoptr (GBytes) others = gst_mgpu_keypoint_meta_get_motions (metas[1]);
  const GstMgpuKeypoint *a = g_bytes_get_data (all, NULL);
  const GstMgpuKeypoint *b = g_bytes_get_data (some, NULL);
  const gfloat *m = g_bytes_get_data (motions, NULL);
  const gfloat *o = g_bytes_get_data (others, NULL);
  guint n = gst_mgpu_keypoint_meta_get_n_keypoints (metas[0]);

  fail_unless (n > 0);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (metas[1]), n);
  for (guint i = 0; i < n; i++) {
    fail_unless_equals_float (a[i].x, b[i].x + box->x);
    fail_unless_equals_float (a[i].y, b[i].y + box->y);
    fail_unless_equals_float (m[4 * i], o[4 * i] + box->x);
    fail_unless_equals_float (m[4 * i + 1], o[4 * i + 1] + box->y);
    fail_unless_equals_float (m[4 * i + 2], o[4 * i + 2]);
    fail_unless_equals_float (m[4 * i + 3], o[4 * i + 3]);
  }
}

/* Tests that with "rectangle", flow and tracks equal those of frames that are cropped to the
 * extended rectangle. When the property changes, the next frame has no flow, unless the extended
 * rectangle stays the same. */
GST_START_TEST (test_rectangle)
{
  static const struct
  {
    const gchar *text;
    MgpuRect box;
    gboolean is_new;
  } parts[] = {
    {"200,100,10,10", {128, 0, 192, 190}, TRUE},
    {"200,100,10,10", {128, 0, 192, 190}, FALSE},
    {"0.5,0.5,0.1,0.1", {128, 0, 192, 190}, FALSE},
    {"1,2,3,4", {0, 0, 128, 128}, TRUE}, {"9,9,1,1", {0, 0, 128, 128}, FALSE},
    {"390,-20,99,22", {320, 0, 81, 128}, TRUE},
    {NULL, {0, 0, 401, 190}, TRUE}, {NULL, {0, 0, 401, 190}, FALSE}
  };
  const gchar *launch = "mgpuflow preset=fast direction=both tracks=60 ";
  const gchar *caps = HOST_CAPS ("GRAY8", 401, 190);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  GstHarness *other = NULL;

  for (guint t = 0; t < G_N_ELEMENTS (parts); t++) {
    const MgpuRect *box = &parts[t].box;
    g_autoptr (GstBuffer) out = NULL, part = NULL;
    GstBuffer *from = rectangles_new (&info, t);

    if (parts[t].is_new) {
      g_autofree gchar *size =
          g_strdup_printf
          ("video/x-raw,format=GRAY8,width=%d,height=%d,framerate=25/1",
          box->width, box->height);

      g_clear_pointer (&other, gst_harness_teardown);
      other = harness_new (launch, size, size);
    }
    part = harness_push_pull (other, crop (&info, from, box));
    g_object_set (h->element, "rectangle", parts[t].text, NULL);
    out = harness_push_pull (h, from);
    fail_unless ((gst_buffer_get_mgpu_flow_meta (out) != NULL)
        == !parts[t].is_new);
    check_part (out, part, box);
    check_part_tracks (out, part, box);
  }
  gst_harness_teardown (other);
}

GST_END_TEST;

/* Tests that a rectangle outside of the frames gives no flow and one warning; frames of another
 * size may intersect it. */
GST_START_TEST (test_rectangle_outside)
{
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_GRAY8, 80, 64, FALSE);
  Stream stream;
  GstBus *bus;

  stream_open (&stream, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  bus = harness_bus (stream.h);
  g_object_set (stream.h->element, "rectangle", "70,5,4,4", "draw", 1, NULL);
  for (guint i = 0; i < 3; i++) {
    stream_forget (&stream);
    stream_push (&stream, i);
  }
  check_warning (bus, "outside of frames of 53x38", "no flow");
  stream_forget (&stream);
  g_object_set (stream.h->element, "draw", 0, NULL);
  fail_unless (gst_video_info_from_caps (&stream.info, caps));
  gst_harness_set_src_caps (stream.h, caps);
  stream_push (&stream, 3);
  stream_push (&stream, 4);
  stream_close (&stream);
}

GST_END_TEST;

GST_START_TEST (test_rectangle_bad)
{
  static const gchar *const texts[][2] = {
    {"1,2,3", "is not a rectangle"},
    {"a", "in fractions of the frame, for example 0.1,0.2,0.25,0.5"},
    {"0,0,0,0", "has no pixels"}, {"0.1,0.1,0.5,0", "height above 0"},
    {"1,2,3,4;5,6,7,8", "more than one rectangle"}
  };
  g_autoptr (GError) error = NULL;
  Stream stream;
  GstBus *bus;

  stream_open (&stream, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  bus = harness_bus (stream.h);
  stream_push (&stream, 1);
  g_object_set (stream.h->element, "rectangle", texts[__i__][0], NULL);
  fail_unless_equals_int (gst_harness_push (stream.h, stream_frame (&stream,
              LAYOUT_DEFAULT, 2)), GST_FLOW_ERROR);
  error =
      pop_message (bus, GST_MESSAGE_ERROR, texts[__i__][1], "\"rectangle\"");
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_SETTINGS));
  fail_unless (strstr (error->message, "semicolons") == NULL);
  stream_close (&stream);
}

GST_END_TEST;

/* Tests that property values with which the element does nothing cause one warning. */
GST_START_TEST (test_idle)
{
  static const gchar *const launches[][2] = {
    {"mgpuflow dense=false name=f", "frames pass unchanged"},
    {"mgpuflow dense=false tracks=9 draw=colors name=f", "has no effect"}
  };
  g_autoptr (GstHarness) h = harness_new (launches[__i__][0],
      HOST_CAPS ("GRAY8", 64, 48), "video/x-raw");
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 64, 48));
  GstBus *bus = harness_bus (h);

  for (gint t = 0; t < 3; t++) {
    g_autoptr (GstBuffer) from = rectangles_new (&info, t);
    g_autoptr (GstBuffer) out = harness_push_pull (h, gst_buffer_ref (from));

    fail_unless_same_frame (&info, from, out);
    fail_unless (gst_buffer_get_mgpu_flow_meta (out) == NULL);
  }
  check_warning (bus, launches[__i__][1], "set dense=true");
}

GST_END_TEST;

CHECK_TESTS (mgpuflowdraw)
{
  tcase_add_loop_test (tc, test_draw, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_rectangle);
  tcase_add_test (tc, test_rectangle_outside);
  tcase_add_loop_test (tc, test_rectangle_bad, 0, 5);
  tcase_add_loop_test (tc, test_idle, 0, 2);
}
