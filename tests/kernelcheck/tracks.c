/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the tracking of points on streams, and measures its time. */
#include "peers.h"

#include <string.h>

#include <gst/mgpu/gstmgpukeypointmeta.h>
#include <gst/vision/tracks/tracks.h>

#include "flow.h"

#include "../reference/tracks.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_UYVY
};

static const gint sizes[][2] = {
  {97, 75}, {16, 16}, {160, 48}, {33, 130}, {321, 241}
};

/* Number of frames of a stream, number of the frame before which the objects forget earlier frames
 * (FORGETS), and number of the frame in which the maximum number of tracks is halved (FEWER) */
#define N_FRAMES 9
#define FORGETS 4
#define FEWER 6

#define CONTENT_MOVING KC_CONTENT_OWN

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  MgpuTracksParams params;
  KcContent content;
  KcLayout layout;
} Case;

/* State of a stream, on the device and in the reference */
typedef struct
{
  MgpuFlow *flow;
  MgpuTracks *tracks;
  RefTracks want;
  MgpuTracksTables got;
} Stream;

#define KEYPOINTS_SIZE(n) (sizeof (GstMgpuKeypointHeader) \
    + (n) * sizeof (GstMgpuKeypoint))

static GstMgpuMemory *
memory_new (KcRun * run, gsize size)
{
  g_autofree guint8 *poison = g_malloc (size);

  memset (poison, 0xa5, size);
  return kc_memory_new (run, poison, size);
}

static gboolean
stream_init (Stream * self, KcRun * run, const Case * c)
{
  GError *error = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  self->want.tracks = g_new0 (RefTrack, MGPU_TRACKS_MAX);
  self->want.last_id = c->params.first_id;
  self->got.keypoints = memory_new (run, KEYPOINTS_SIZE (c->params.most));
  self->got.ids = memory_new (run, c->params.most * 4);
  self->got.motions = memory_new (run, c->params.most * 16);
  self->flow = mgpu_object_new (&mgpu_flow, run->context, &info, NULL, NULL,
      NULL, &error);
  if (self->flow != NULL)
    self->tracks = mgpu_object_new (&mgpu_tracks, run->context, &info, NULL,
        NULL, NULL, &error);
  if (self->tracks == NULL)
    kc_case_fail_error (run, error);
  return self->tracks != NULL && self->got.keypoints != NULL
      && self->got.ids != NULL && self->got.motions != NULL;
}

static void
stream_clear (Stream * self)
{
  g_free (self->want.tracks);
  g_clear_pointer (&self->got.keypoints, kc_memory_free);
  g_clear_pointer (&self->got.ids, kc_memory_free);
  g_clear_pointer (&self->got.motions, kc_memory_free);
  mgpu_object_free (self->tracks);
  mgpu_object_free (self->flow);
}

/* Compares @n elements of @size bytes after the first @skip bytes of a memory. */
static gboolean
compare (KcRun * run, const gchar * name, KcType type, gconstpointer want,
    gsize skip, gsize size, gsize n, GstMgpuMemory * memory)
{
  g_autofree guint8 *data = g_malloc (((GstMemory *) memory)->size);
  const KcArray wanted = { name, type, want, size, 4, size / 4, n };
  KcArray got = wanted;

  got.data = data + skip;
  return kc_memory_read (run, memory, data)
      && (n == 0 || kc_compare_array (run, &wanted, &got));
}

static gboolean
compare_tracks (KcRun * run, const RefTracks * want,
    const MgpuTracksParams * params, const MgpuTracksTables * got)
{
  guint most = params->most;
  g_autofree GstMgpuKeypoint *keypoints = g_new0 (GstMgpuKeypoint, most);
  g_autofree guint32 *ids = g_new0 (guint32, most);
  g_autofree gfloat *motions = g_new0 (gfloat, 4 * most);
  guint n = want->n;
  const guint32 header[4] = { n, 0, 0, 0 };

  for (guint i = 0; i < n; i++) {
    const RefTrack *t = &want->tracks[i];
    const gfloat motion[4] = {
      t->old_x + params->left, t->old_y + params->top, t->u, t->v
    };

    keypoints[i] = (GstMgpuKeypoint) {
    t->x + params->left, t->y + params->top, 16, -1, t->score, G_MININT32, 0};
    ids[i] = t->id;
    memcpy (motions + 4 * i, motion, sizeof (motion));
  }
  return compare (run, "header", KC_U32, header, 0, sizeof (header), 1,
      got->keypoints)
      && compare (run, "keypoints", KC_U32, keypoints, sizeof (header),
      sizeof (GstMgpuKeypoint), n, got->keypoints)
      && compare (run, "ids", KC_U32, ids, 0, 4, n, got->ids)
      && compare (run, "motions", KC_F32, motions, 0, 16, n, got->motions);
}

static gboolean
check_frame (KcRun * run, const MgpuTracksParams * params, Stream * stream,
    const KcPicture * before, const KcPicture * now)
{
  const MgpuFlowParams flow_params = {.dense = FALSE };
  const MgpuFlowField fields[MGPU_FLOW_N_FIELDS] = { {NULL,} };
  g_autoptr (KcFrame) frame = kc_frame_new (run, now);
  RefPlane planes[2] = { kc_picture_plane (now, 0) };
  GstMgpuJob job;

  if (frame == NULL)
    return FALSE;
  if (before != NULL)
    planes[1] = kc_picture_plane (before, 0);
  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_flow_enqueue (stream->flow, &job, &flow_params, &frame->image, fields);
  mgpu_tracks_enqueue (stream->tracks, &job, params, stream->flow,
      &stream->got);
  return kc_end_job (run, &job)
      && ref_tracks (before != NULL ? &planes[1] : NULL, &planes[0],
      params->cell, params->most, &stream->want)
      && compare_tracks (run, &stream->want, params, &stream->got);
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  MgpuTracksParams params = c->params;
  GstVideoInfo info;
  Stream stream = { NULL, };
  g_autoptr (KcPicture) before = NULL;
  gboolean ok;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  kc_case_begin (run, c->kind, "%s %dx%d, layout %d, %s, %u tracks, cells of "
      "%u", GST_VIDEO_INFO_NAME (&info), c->width, c->height, c->layout,
      c->content == CONTENT_MOVING ? "moving" : kc_content_name (c->content),
      params.most, params.cell);
  ok = stream_init (&stream, run, c);
  for (gint t = 0; t < N_FRAMES && ok; t++) {
    g_autoptr (KcPicture) now =
        kc_picture_make (&info, c->layout,
        c->content == CONTENT_MOVING ? KC_CONTENT_RANDOM : c->content, random);
    if (c->content == CONTENT_MOVING)
      kc_flow_draw (now, t);
    if (t == FORGETS) {
      mgpu_flow.forget (stream.flow);
      g_clear_pointer (&before, kc_picture_free);
    }
    if (t == FEWER)
      params.most = (params.most + 1) / 2;
    ok = check_frame (run, &params, &stream, before, now);
    g_clear_pointer (&before, kc_picture_free);
    before = g_steal_pointer (&now);
  }
  stream_clear (&stream);
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  /* Skips further sizes under Oclgrind, which takes half a minute for a size. */
  guint n_sizes = kc_is_oclgrind (run) ? 1 : run->quick ? 3
      : G_N_ELEMENTS (sizes), turn = 0;
  guint n_random = kc_is_oclgrind (run) ? 0 : run->quick ? 2 : 20, edge =
      run->quick ? 80 : 400;
  const guint cells[] = { 8, 17, 32 }, most[] = { 4096, 40, 1 };
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint s = 0; s < n_sizes && kc_goes_on (run); s++)
    for (guint i = 0; i < G_N_ELEMENTS (cells); i++, turn++) {
      const Case c = {
        KC_FIXED, formats[turn % G_N_ELEMENTS (formats)], sizes[s][0],
        sizes[s][1], {most[(s + i) % 3], cells[i], 5 * i},
        turn % 4 == 3 ? turn / 4 % KC_N_CONTENTS : CONTENT_MOVING,
        turn % KC_N_LAYOUTS
      };

      check_case (run, &c, &random);
    }
  kc_random_init (&random, run->seed);
  for (guint i = 0; i < n_random && kc_goes_on (run); i++) {
    Case c = {
      .kind = KC_RANDOM,
      .format = formats[kc_random_below (&random, G_N_ELEMENTS (formats))],
      .width = MGPU_FLOW_LEAST + kc_random_below (&random, edge),
      .height = MGPU_FLOW_LEAST + kc_random_below (&random, edge),
      .params = {1 + kc_random_below (&random, 300),
            8 + kc_random_below (&random, 60), 0,
          64 * kc_random_below (&random, 3), 64 * kc_random_below (&random, 3)},
      .layout = kc_random_below (&random, KC_N_LAYOUTS),
      .content = CONTENT_MOVING
    };

    check_case (run, &c, &random);
  }
}

/* ---- Timing ------------------------------------------------------------------ */

/* Number of points that are tracked */
#define N_POINTS 1000

typedef struct
{
  KcRun *run;
  Stream stream;
  MgpuTracksParams params;
  KcPicture *pictures[2];
  KcFrame *frames[2];
  gfloat *points;               /* x and y of N_POINTS points, for the peer (OpenCV) */
  guint turn;
} Bench;

static gdouble
time_ours (gpointer data)
{
  const MgpuFlowParams flow_params = {.dense = FALSE };
  const MgpuFlowField fields[MGPU_FLOW_N_FIELDS] = { {NULL,} };
  Bench *bench = data;
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_flow_enqueue (bench->stream.flow, &job, &flow_params,
      &bench->frames[bench->turn++ % 2]->image, fields);
  mgpu_tracks_enqueue (bench->stream.tracks, &job, &bench->params,
      bench->stream.flow, &bench->stream.got);
  return kc_finish (run, &job, bench->stream.got.ids, before);
}

#ifdef HAVE_OPENCV_VIDEO
static gdouble
time_opencv (gpointer data)
{
  Bench *bench = data;
  guint i = bench->turn++ % 2;

  return kc_opencv_tracks (bench->points, N_POINTS, bench->pictures[!i],
      bench->pictures[i]);
}
#else
#define time_opencv NULL
#endif

/* Returns: (transfer full): N_POINTS points distributed over a frame */
static gfloat *
make_points (gint width, gint height, KcRandom * random)
{
  gfloat *points = g_new (gfloat, 2 * N_POINTS);

  for (guint i = 0; i < N_POINTS; i++) {
    points[2 * i] = kc_random_below (random, 4 * width) / 4.0f;
    points[2 * i + 1] = kc_random_below (random, 4 * height) / 4.0f;
  }
  return points;
}

static void
bench_size (KcRun * run, gint width, gint height)
{
  const Case c = { KC_RANDOM, GST_VIDEO_FORMAT_GRAY8, width, height,
    {N_POINTS, 32, 0}
  };
  Bench bench = {.run = run,.params = c.params };
  GstVideoInfo info;
  KcRandom random;
  gboolean ok;

  kc_random_init (&random, 3);
  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  gst_video_info_set_format (&info, c.format, width, height);
  ok = stream_init (&bench.stream, run, &c);
  for (gint i = 0; i < 2 && ok; i++) {
    bench.pictures[i] = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
    kc_flow_draw (bench.pictures[i], i);
    bench.frames[i] = kc_frame_new (run, bench.pictures[i]);
    ok = bench.frames[i] != NULL;
  }
  if (ok) {
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench, NULL, {bench.stream.got.keypoints,
              bench.stream.got.ids}},
      {"OpenCV PyrLK", time_opencv, &bench}
    };
    g_autofree gchar *what = g_strdup_printf ("tracks of 1000 points GRAY8 "
        "%dx%d", width, height);

    bench.points = make_points (width, height, &random);
    time_ours (&bench);
    kc_bench (run, what, contestants, run->peers ? 2 : 1);
  }
  stream_clear (&bench.stream);
  g_free (bench.points);
  for (gint i = 0; i < 2; i++) {
    g_clear_pointer (&bench.frames[i], kc_frame_free);
    g_clear_pointer (&bench.pictures[i], kc_picture_free);
  }
  kc_case_end (run);
}

const KcFunction kc_tracks = { "tracks", check,.bench_size = bench_size };
