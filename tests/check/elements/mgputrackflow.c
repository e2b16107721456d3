/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgputrack with the flow meta of frames: boxes move with the flow between detections. */
#include "track.h"

#define INTERVAL 10
/* The person walks to the right until frame TURN, then up and to the left. */
#define TURN 20
#define N_FRAMES 40
#define X0 100
#define Y0 300

static void
get_place (gint i, gint * x, gint * y)
{
  *x = X0 + 2 * MIN (i, TURN) - 4 * MAX (i - TURN, 0);
  *y = Y0 - 3 * MAX (i - TURN, 0);
}

/* Returns: (transfer full): a buffer of @n numbers of @size bytes each */
static GstBuffer *
table_new (gconstpointer data, gsize size)
{
  return gst_buffer_new_memdup (data, size);
}

/* Attaches a flow field of 160x120 samples: inside of the box the motion of the person in frame @i,
 * elsewhere the motion of the camera. The flow is known in every @known-th row; in no row if @known
 * is 0. */
static void
add_flow (GstBuffer * buffer, gint i, GstMgpuFlowField field, gint known)
{
  g_autofree gint16 *flow = g_new0 (gint16, 2 * 160 * 120);
  g_autofree guint8 *confidence = g_malloc (160 * 120);
  gint sign = field == GST_MGPU_FLOW_FIELD_TO_PREVIOUS ? -1 : 1;
  gint x, y, before_x, before_y, left, top;

  get_place (i, &x, &y);
  get_place (i - 1, &before_x, &before_y);
  left = sign < 0 ? x : before_x;
  top = sign < 0 ? y : before_y;
  for (gint v = 0; v < 120; v++) {
    memset (confidence + v * 160, known > 0 && v % known == 0 ? 200 : 100, 160);
    for (gint u = 0; u < 160; u++) {
      gboolean inside = 4 * u >= left && 4 * u < left + 40 && 4 * v >= top
          && 4 * v < top + 80;

      flow[2 * (v * 160 + u)] = inside ? 32 * sign * (x - before_x) : 7;
      flow[2 * (v * 160 + u) + 1] = inside ? 32 * sign * (y - before_y) : 9;
    }
  }
  gst_mgpu_flow_meta_set_field (gst_buffer_add_mgpu_flow_meta (buffer, 160, 120,
          2, i - 1), field, table_new (flow, 4 * 160 * 120),
      table_new (confidence, 160 * 120));
}

/* Attaches tracked points in the box of the person, which move with the person, and other
 * points. */
static void
add_points (GstBuffer * buffer, gint i)
{
  GstMgpuKeypoint keypoints[9] = { {0} };
  GstMgpuKeypointHeader header = { 9, 0, {0} };
  gfloat motions[36] = { 0 };
  guint32 ids[9] = { 0 };
  gint x, y, before_x, before_y;
  GstBuffer *table;
  GstMgpuKeypointMeta *meta;

  get_place (i, &x, &y);
  get_place (i - 1, &before_x, &before_y);
  for (guint k = 0; k < 9; k++) {
    gboolean inside = k < 5;

    motions[4 * k] = inside ? before_x + 14 + 2 * k : 10 + k;
    motions[4 * k + 1] = inside ? before_y + 30 + 2 * k : 10;
    /* Points 3 and 4 are new, the other points have moved. */
    motions[4 * k + 2] = k == 3 || k == 4 ? 0 : inside ? x - before_x : 5;
    motions[4 * k + 3] = k == 3 || k == 4 ? 0 : inside ? y - before_y : 5;
    keypoints[k].x = motions[4 * k] + motions[4 * k + 2];
    keypoints[k].y = motions[4 * k + 1] + motions[4 * k + 3];
    ids[k] = k + 1;
  }
  table = table_new (&header, sizeof (header));
  table = gst_buffer_append (table, table_new (keypoints, sizeof (keypoints)));
  {
    /* Copies all tables to one memory. */
    GstMapInfo map;

    fail_unless (gst_buffer_map (table, &map, GST_MAP_READ));
    meta = gst_buffer_add_mgpu_keypoint_meta (buffer, table_new (map.data,
            map.size), GST_MGPU_DESCRIPTOR_TYPE_NONE, NULL);
    gst_buffer_unmap (table, &map);
    gst_buffer_unref (table);
  }
  gst_mgpu_keypoint_meta_set_tracks (meta, table_new (ids, sizeof (ids)),
      table_new (motions, sizeof (motions)));
}

typedef enum
{
  NO_FLOW,
  TO_PREVIOUS,
  FROM_PREVIOUS,
  A_THIRD,                      /* whether only a part of the flow is known */
  UNSURE,
  POINTS,
  N_KINDS
} Kind;

/* Tests that between two detections the box follows a person who turns, with dense flow or points.
 * Without flow, or with flow that is not known, it goes straight on. */
GST_START_TEST (test_follows)
{
  Kind kind = __i__;
  GstHarness *h = track_new ("interval", INTERVAL, NULL);

  /* Without flow, the person is somewhere else than predicted at the next detection. */
  gint n = kind == NO_FLOW || kind == UNSURE ? TURN + INTERVAL : N_FRAMES;

  for (gint i = 0; i < n; i++) {
    GstBuffer *in = frame_new (i);
    g_autoptr (GPtrArray) list = NULL;
    const GstMgpuDetection *d;
    gint x, y, error;

    get_place (i, &x, &y);
    if (i % INTERVAL == 0)
      add_region (in, "person", x, y, 0.9);
    if (i > 0 && kind == POINTS)
      add_points (in, i);
    else if (i > 0 && kind != NO_FLOW)
      add_flow (in, i, kind == FROM_PREVIOUS ? GST_MGPU_FLOW_FIELD_FROM_PREVIOUS
          : GST_MGPU_FLOW_FIELD_TO_PREVIOUS,
          kind == UNSURE ? 0 : kind == A_THIRD ? 3 : 1);
    list = push (h, in);
    if (i < 2 * INTERVAL)
      continue;
    fail_unless_equals_int (list->len, 1);
    d = list->pdata[0];
    fail_unless_equals_int (d->tracking_id, 1);
    error = MAX (ABS (d->x - x), ABS (d->y - y));
    GST_INFO ("kind %d, frame %d: the box is off by %d pixels", kind, i, error);
    if (kind == NO_FLOW || kind == UNSURE)
      fail_unless (i != TURN + INTERVAL - 1 || error > 20, "%d", error);
    else
      fail_unless (error <= 2, "frame %d: %d", i, error);
  }
  harness_end (h);
}

GST_END_TEST;

CHECK_TESTS (mgputrackflow)
{
  tcase_add_loop_test (tc, test_follows, 0, N_KINDS);
}
