/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpustabilize rolling-shutter: the path that is fitted to tracks, the search for the share of the time in
 * which rows are read, and frames whose rows are straightened. */
#include "pointer.h"
#include "stabilize.h"

#include <gst/vision/stabilize/path.h>
#include <gst/vision/stabilize/rolling.h>

/* Describes a simulated camera. @size: strength of its motion. @share: readout time of its rows, as a fraction of the
 * frame interval */
typedef struct
{
  gint width, height;
  gdouble share, size;
} Camera;

#define TRACKS 300

/* Sets @m to the motion that maps what @camera sees at the time @t, relative to the center of frames, to positions
 * that do not depend on time. At 25 frames per second the motion has frequencies up to 7.6 Hz. */
static void
get_pose (const Camera * camera, gdouble t, gdouble m[9])
{
  gdouble angle = 0.002 * camera->size * sin (1.1 * t);
  gdouble zoom = 1 + 0.001 * camera->size * sin (0.7 * t + 1);
  gdouble a = zoom * cos (angle), b = zoom * sin (angle);
  gdouble x = camera->size * (2 * sin (1.3 * t) + sin (1.9 * t + 1));
  gdouble y = camera->size * (2 * sin (1.5 * t + 2) + sin (0.9 * t));
  const gdouble pose[9] = { a, -b, x, b, a, y, 0, 0, 1 };

  memcpy (m, pose, sizeof (pose));
}

static void
move (const gdouble m[9], const gdouble from[2], gdouble to[2])
{
  const gdouble x = from[0], y = from[1];

  to[0] = m[0] * x + m[1] * y + m[2];
  to[1] = m[3] * x + m[4] * y + m[5];
}

/* Sets @at to the position in frame @i of the point @world of the scene. */
static void
look (const Camera * camera, gint i, const gdouble world[2], gdouble at[2])
{
  gdouble m[9];

  at[1] = 0;
  for (guint step = 0; step < 20; step++) {
    get_pose (camera, i + camera->share * at[1] / camera->height, m);
    mgpu_path_invert (m, m);
    move (m, world, at);
  }
}

/* Sets @world to the point of the scene that frame @i shows at @at. */
static void
find_world (const Camera * camera, gint i, const gdouble at[2],
    gdouble world[2])
{
  gdouble m[9];

  get_pose (camera, i + camera->share * at[1] / camera->height, m);
  move (m, at, world);
}

/* Sets @pairs to tracks from frame @i to the next frame, with errors of up to @noise pixels. @n_wrong of ten tracks
 * are wrong. */
static void
make_tracks (const Camera * camera, gint i, gdouble noise, gint n_wrong,
    gfloat pairs[4 * TRACKS])
{
  g_autoptr (GRand) random = g_rand_new_with_seed (i + 7);

  for (guint k = 0; k < TRACKS; k++) {
    const gdouble at[2] =
        { g_rand_double_range (random, -0.47, 0.47) * camera->width,
      g_rand_double_range (random, -0.47, 0.47) * camera->height
    };
    gdouble world[2], next[2], wrong = g_rand_int_range (random, 0, 10) <
        n_wrong ? 40 : 0;

    find_world (camera, i, at, world);
    look (camera, i + 1, world, next);
    for (guint j = 0; j < 2; j++) {
      gdouble middle = ((j == 0 ? camera->width : camera->height) - 1) / 2.0;
      gdouble rest = noise * g_rand_double_range (random, -1, 1)
          + wrong * g_rand_double_range (random, -1, 1);

      /* One pixel of the tracks corresponds to two pixels of the frames. */
      pairs[4 * k + j] = (at[j] + middle) / 2;
      pairs[4 * k + 2 + j] = (next[j] + rest + middle) / 2;
    }
  }
}

/* Returns the largest error of the motion of frame @i of the path, and of straightened positions in it. Frame @i of
 * the path is frame @number of the camera. */
static gdouble
find_error (const Camera * camera, const MgpuRollingPath * path, guint i,
    gint number)
{
  gdouble now[9], before[9], motion[9], largest = 0;

  get_pose (camera, number, now);
  get_pose (camera, number - 1, before);
  mgpu_rolling_get_motion (path, i, motion);
  for (gint y = -2; y <= 2; y++)
    for (gint x = -2; x <= 2; x++) {
      const gdouble at[2] = { x * camera->width / 4.2, y * camera->height / 4.2
      };
      gdouble place[2], world[2], want[2];

      mgpu_rolling_find (path, i, at, place);
      find_world (camera, number, place, world);
      move (now, at, want);
      largest = MAX (largest, hypot (world[0] - want[0], world[1] - want[1]));
      move (motion, at, place);
      move (now, place, world);
      move (before, at, want);
      largest = MAX (largest, hypot (world[0] - want[0], world[1] - want[1]));
    }
  return largest;
}

/* Tests the path for exact tracks, for tracks of which a part is wrong, and for only two frames. */
GST_START_TEST (test_fit)
{
  static const struct
  {
    gdouble share, noise;
    gint n_wrong;
    guint n_frames;
    gdouble most;
  } cases[] = {
    {0.2, 0, 0, 3, 0.03}, {0.8, 0, 0, 3, 0.03}, {1, 0, 0, 3, 0.03},
    {0.8, 0.1, 0, 3, 0.08}, {0.8, 0.1, 3, 3, 0.1}, {0.8, 0, 3, 3, 0.03},
    {0.8, 0, 0, 2, 0.15},
  };
  gdouble largest = 0;

  for (gint i = 0; i < 8; i++) {
    const Camera camera = { 640, 480, cases[__i__].share, 3 };
    gfloat pairs[2][4 * TRACKS];
    const MgpuRollingTracks tracks[] =
        { {pairs[0], TRACKS, 2}, {pairs[1], TRACKS, 2} };
    MgpuRollingPath path = {.width = 640,.height = 480,.share = camera.share };

    for (gint k = 0; k < 2; k++)
      make_tracks (&camera, i + k, cases[__i__].noise, cases[__i__].n_wrong,
          pairs[k]);
    fail_unless (mgpu_rolling_fit (tracks, cases[__i__].n_frames, &path));
    fail_unless (path.n_inliers >= TRACKS * (10 - cases[__i__].n_wrong) / 11.0);
    fail_unless (path.n_inliers <= TRACKS * (10 - cases[__i__].n_wrong) / 9.0);
    largest = MAX (largest, find_error (&camera, &path, 1, i + 1));
  }
  fail_unless (largest <= cases[__i__].most, "case %d: %g pixels", __i__,
      largest);
}

GST_END_TEST;

/* Tests tracks to which no path can be fitted. */
GST_START_TEST (test_no_fit)
{
  const Camera camera = { 640, 480, 0.8, 3 };
  gfloat pairs[4 * TRACKS], alike[4 * TRACKS];
  const MgpuRollingTracks few[] = { {pairs, TRACKS, 2}, {pairs, 11, 2} };
  const MgpuRollingTracks none[] = { {pairs, 0, 2}, {pairs, TRACKS, 2} };
  const MgpuRollingTracks one = { alike, TRACKS, 2 };
  MgpuRollingPath path = {.width = 640,.height = 480,.share = 0.8 };

  make_tracks (&camera, 0, 0, 0, pairs);
  for (guint i = 0; i < 4 * TRACKS; i++)
    alike[i] = 100;
  fail_if (mgpu_rolling_fit (few, 3, &path));
  fail_if (mgpu_rolling_fit (none, 3, &path));
  fail_if (mgpu_rolling_fit (&one, 2, &path));
  make_tracks (&camera, 0, 0, 9, pairs);
  fail_if (mgpu_rolling_fit (&few[0], 2, &path));
}

GST_END_TEST;

/* Tests that the readout time is found with an error of at most 0.05, and is not found if the camera stands still. */
GST_START_TEST (test_search)
{
  static const gdouble shares[] = { 0, 0.1, 0.35, 0.5, 0.8, 1, 0.5 };
  const gboolean is_still = __i__ == G_N_ELEMENTS (shares) - 1;
  const Camera camera = { 640, 480, shares[__i__], is_still ? 0 : 3 };
  gfloat pairs[2][4 * TRACKS];
  MgpuRollingSearch search = { 0 };
  MgpuRollingAnswer answer = MGPU_ROLLING_OPEN;
  guint n = 0;

  make_tracks (&camera, 0, 0.1, 1, pairs[1]);
  while (answer == MGPU_ROLLING_OPEN && n < MGPU_ROLLING_SEARCH) {
    const MgpuRollingTracks tracks[] =
        { {pairs[0], TRACKS, 2}, {pairs[1], TRACKS, 2} };

    memcpy (pairs[0], pairs[1], sizeof (pairs[0]));
    make_tracks (&camera, ++n, 0.1, 1, pairs[1]);
    answer = mgpu_rolling_search_add (&search, tracks, 640, 480);
  }
  fail_unless_equals_int (answer, is_still ? MGPU_ROLLING_UNKNOWN
      : MGPU_ROLLING_FOUND);
  fail_unless_equals_int (n, is_still ? MGPU_ROLLING_SEARCH / 2
      : MGPU_ROLLING_SEARCH);
  fail_unless (is_still || fabs (search.share - camera.share) <= 0.05, "%g",
      search.share);
}

GST_END_TEST;

/* ---- Frames ------------------------------------------------------------------------- */

/* Returns the gray level of a painting at a position relative to its middle, interpolated between pixels. */
static gdouble
sample (const guint8 * picture, const gdouble at[2])
{
  gdouble x = at[0] + (LARGE_WIDTH - 1) / 2.0;
  gdouble y = at[1] + (LARGE_HEIGHT - 1) / 2.0;
  gint i = x, j = y;
  const guint8 *p = picture + j * LARGE_WIDTH + i;
  gdouble f = x - i, g = y - j;

  return (p[0] * (1 - f) + p[1] * f) * (1 - g) + (p[LARGE_WIDTH] * (1 - f)
      + p[LARGE_WIDTH + 1] * f) * g;
}

/* Returns: frame @i, as @camera sees it when it looks at a painting */
static GstBuffer *
see_rolling (const Camera * camera, const guint8 * picture, gint i)
{
  GstBuffer *buffer =
      gst_buffer_new_allocate (NULL, camera->width * camera->height, NULL);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint y = 0; y < camera->height; y++)
    for (gint x = 0; x < camera->width; x++) {
      const gdouble at[2] = { x - (camera->width - 1) / 2.0,
        y - (camera->height - 1) / 2.0
      };
      gdouble world[2];

      find_world (camera, i, at, world);
      map.data[y * camera->width + x] = rint (sample (picture, world));
    }
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

/* Returns: a painting without edges that resampling changes much: its discs are blurred twice by means of 5x5
 * pixels. */
static guint8 *
paint_smooth (guint seed)
{
  guint8 *picture = paint (seed);
  g_autofree guint8 *copy = g_malloc (LARGE_WIDTH * LARGE_HEIGHT);

  for (guint round = 0; round < 2; round++) {
    memcpy (copy, picture, LARGE_WIDTH * LARGE_HEIGHT);
    for (gint y = 2; y < LARGE_HEIGHT - 2; y++)
      for (gint x = 2; x < LARGE_WIDTH - 2; x++) {
        guint sum = 12;

        for (gint k = 0; k < 25; k++)
          sum += copy[(y + k / 5 - 2) * LARGE_WIDTH + x + k % 5 - 2];
        picture[y * LARGE_WIDTH + x] = sum / 25;
      }
  }
  return picture;
}

/* Returns the root mean square difference between the middle of @out, output frame @i, and the frame of a camera that
 * reads all rows at once, moved by the correction in the frame's meta. */
static gdouble
find_difference (const Camera * camera, const guint8 * picture, gint i,
    GstBuffer * out, gint width, gint height)
{
  GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (out);
  gdouble back[9], pose[9], sum = 0;
  GstMapInfo map;
  guint n = 0;

  fail_unless (meta != NULL);
  fail_unless (mgpu_path_invert (gst_mgpu_motion_meta_get_correction (meta),
          back));
  get_pose (camera, i, pose);
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  for (gint y = 24; y < height - 24; y++)
    for (gint x = 24; x < width - 24; x++) {
      const gdouble to[2] = { x + 0.5, y + 0.5 };
      gdouble at[2], world[2], d;

      move (back, to, at);
      at[0] -= camera->width / 2.0;
      at[1] -= camera->height / 2.0;
      move (pose, at, world);
      d = map.data[y * width + x] - sample (picture, world);
      sum += d * d;
      n++;
    }
  gst_buffer_unmap (out, &map);
  return sqrt (sum / n);
}

static void
check_motion (const Camera * camera, gint i, GstBuffer * out, gdouble most)
{
  GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (out);
  const gdouble middle[2] = { camera->width / 2.0, camera->height / 2.0 };
  gdouble now[9], before[9], at[2], want[2];
  const gdouble zero[2] = { 0, 0 };

  get_pose (camera, i, now);
  get_pose (camera, i - 1, before);
  move (before, zero, want);
  move (gst_mgpu_motion_meta_get_motion (meta), middle, at);
  at[0] -= middle[0];
  at[1] -= middle[1];
  move (now, at, at);
  fail_unless (hypot (at[0] - want[0], at[1] - want[1]) <= most,
      "frame %d: %g, %g", i, at[0] - want[0], at[1] - want[1]);
}

static const gchar *const straight_cases[] = {
  "zoom=1 edges=mirror", "zoom=1 edges=black interpolation=cubic",
  "edges=cut zoom=1.25", "", "look-ahead=0",
  "look-ahead=1 interpolation=lanczos",
};

#define N_STRAIGHT ((gint) G_N_ELEMENTS (straight_cases))

/* Maximum difference between an output frame and the frame of a camera that reads all rows at once, in gray levels.
 * Without straightening, the difference is several times as large. */
#define MOST 1.0

/* Tests that frames of a camera with a rolling shutter become what a camera without one would see; without the
 * property they do not. */
GST_START_TEST (test_straight)
{
  const gchar *properties = straight_cases[__i__ % N_STRAIGHT];
  const gboolean is_on = __i__ < N_STRAIGHT;
  const Camera camera = { WIDTH, HEIGHT, 0.8, 2 };
  g_autofree gchar *all = g_strdup_printf ("%s rolling-shutter=%s", properties,
      is_on ? "0.8" : "0");
  g_autoptr (GstHarness) h = stabilizer_new (all, NULL);
  g_autofree guint8 *picture = paint_smooth (3);
  gint width = strstr (properties, "cut") ? 256 : WIDTH;
  gint height = strstr (properties, "cut") ? 192 : HEIGHT;
  gdouble sum = 0;

  for (gint i = 0; i < 8; i++)
    push (h, see_rolling (&camera, picture, i));
  gst_harness_push_event (h, gst_event_new_eos ());
  for (gint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = pull (h, i);
    gdouble difference =
        find_difference (&camera, picture, i, out, width, height);

    /* Without later frames the first one has no path. */
    if (is_on && (i > 0 || strstr (properties, "look-ahead=0") == NULL))
      fail_unless (difference <= MOST, "frame %d: %g", i, difference);
    if (i < 2)
      continue;
    sum += difference;
    if (is_on)
      check_motion (&camera, i, out, 0.06);
  }
  fail_unless (is_on || sum > 6 * 2.5 * MOST, "%g", sum);
}

GST_END_TEST;

/* Tests that frames of a camera that stands still do not change. */
GST_START_TEST (test_still)
{
  const Camera camera = { WIDTH, HEIGHT, 0.8, 0 };
  g_autoptr (GstHarness) h =
      stabilizer_new ("zoom=1 rolling-shutter=0.8", NULL);
  g_autofree guint8 *picture = paint_smooth (4);

  for (gint i = 0; i < 6; i++)
    push (h, see_rolling (&camera, picture, i));
  gst_harness_push_event (h, gst_event_new_eos ());
  for (gint i = 0; i < 6; i++) {
    g_autoptr (GstBuffer) out = pull (h, i);
    gdouble difference =
        find_difference (&camera, picture, i, out, WIDTH, HEIGHT);

    /* Where gray levels change by 10 per pixel, an error of 0.02 pixels is 0.2 levels. Rounding adds 0.3 levels. */
    fail_unless (difference <= 0.35, "frame %d: %g", i, difference);
  }
}

GST_END_TEST;

/* Tests that the property takes effect for frames that arrive after it was set, and that earlier frames keep the bytes
 * that they have without it. Frames of another size are also straightened. */
GST_START_TEST (test_changes)
{
  const Camera camera = { WIDTH, HEIGHT, 0.8, 2 };
  const Camera other = { 240, 160, 0.8, 2 };
  g_autoptr (GstHarness) h = stabilizer_new ("look-ahead=0 zoom=1", NULL);
  g_autoptr (GstHarness) without = stabilizer_new ("look-ahead=0 zoom=1", NULL);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autofree guint8 *picture = paint_smooth (3);

  for (gint i = 0; i < 12; i++) {
    gboolean is_on = i >= 4 && i < 8;
    g_autoptr (GstBuffer) out = NULL, want = NULL;
    gdouble difference;

    g_object_set (filter, "rolling-shutter", is_on ? 0.8 : 0.0, NULL);
    push (h, see_rolling (&camera, picture, i));
    push (without, see_rolling (&camera, picture, i));
    out = pull (h, i);
    want = pull (without, i);
    difference = find_difference (&camera, picture, i, out, WIDTH, HEIGHT);
    fail_unless (i == 4 || !is_on || difference <= MOST, "frame %d: %g", i,
        difference);
    if (i < 4) {
      GstMapInfo map;

      fail_unless (gst_buffer_map (want, &map, GST_MAP_READ));
      fail_unless (gst_buffer_memcmp (out, 0, map.data, map.size) == 0);
      gst_buffer_unmap (want, &map);
    }
  }
  g_object_set (filter, "rolling-shutter", 0.8, NULL);
  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 240, 160));
  for (gint i = 12; i < 18; i++) {
    g_autoptr (GstBuffer) out = NULL;
    gdouble difference;

    push (h, see_rolling (&other, picture, i));
    out = pull (h, i);
    difference = find_difference (&other, picture, i, out, 240, 160);
    fail_unless (i == 12 || difference <= MOST, "frame %d: %g", i, difference);
  }
}

GST_END_TEST;

/* Regions of interest and navigation events move with the rows. */
GST_START_TEST (test_positions)
{
  const Camera camera = { WIDTH, HEIGHT, 1, 3 };
  g_autoptr (GstHarness) h =
      stabilizer_new ("zoom=1 edges=mirror look-ahead=0 rolling-shutter=1",
      NULL);
  g_autofree guint8 *picture = paint_smooth (3);

  for (gint i = 0; i < 6; i++) {
    GstBuffer *in = see_rolling (&camera, picture, i);
    /* Middle of the region, far from the middle row of the frame */
    gdouble at[2] = { 30, 88 }, world[2], pose[9], from[2];
    g_autoptr (GstBuffer) out = NULL;
    GstVideoRegionOfInterestMeta *region;

    gst_buffer_add_video_region_of_interest_meta (in, "thing",
        WIDTH / 2 + 10, HEIGHT / 2 + 68, 40, 40);
    push (h, in);
    out = pull (h, i);
    if (i < 2)
      continue;
    /* Position at which a camera that reads all rows at once would see the region, moved by the correction */
    find_world (&camera, i, at, world);
    get_pose (&camera, i, pose);
    mgpu_path_invert (pose, pose);
    move (pose, world, at);
    fail_unless (hypot (at[0] - 30, at[1] - 88) > 0.7 || i > 2);
    at[0] += WIDTH / 2.0;
    at[1] += HEIGHT / 2.0;
    move (gst_mgpu_motion_meta_get_correction (gst_buffer_get_mgpu_motion_meta
            (out)), at, at);
    region = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (out,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    fail_unless (region != NULL);
    fail_unless (fabs (region->x + region->w / 2.0 - at[0]) <= 1.2
        && fabs (region->y + region->h / 2.0 - at[1]) <= 1.2,
        "frame %d: %u+%u/2, %u+%u/2 and not %g, %g", i, region->x, region->w,
        region->y, region->h, at[0], at[1]);

    point_at (h, at[0], at[1], &from[0], &from[1]);
    fail_unless (fabs (from[0] - WIDTH / 2 - 30) <= 0.1
        && fabs (from[1] - HEIGHT / 2 - 88) <= 0.1, "frame %d: %g, %g", i,
        from[0], from[1]);
  }
}

GST_END_TEST;

/* Tracks of the frames that have arrived */
typedef struct
{
  GBytes *ids[8], *points[8];
  guint n;
} Tracks;

static GstPadProbeReturn
remember_tracks (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstMgpuKeypointMeta *meta =
      gst_buffer_get_mgpu_keypoint_meta (GST_PAD_PROBE_INFO_BUFFER (info));
  Tracks *tracks = data;

  tracks->ids[tracks->n] = gst_mgpu_keypoint_meta_get_ids (meta);
  tracks->points[tracks->n++] = gst_mgpu_keypoint_meta_get_keypoints (meta);
  return GST_PAD_PROBE_OK;
}

/* Sets @pairs to the tracks that frame @i and the next one have. Returns their number */
static guint
pair_tracks (const Tracks * tracks, guint i, gfloat pairs[4 * TRACKS])
{
  gsize size[2];
  const guint32 *a = g_bytes_get_data (tracks->ids[i], &size[0]);
  const guint32 *b = g_bytes_get_data (tracks->ids[i + 1], &size[1]);
  const GstMgpuKeypoint *p = g_bytes_get_data (tracks->points[i], NULL);
  const GstMgpuKeypoint *q = g_bytes_get_data (tracks->points[i + 1], NULL);
  guint n = 0;

  for (guint k = 0, m = 0; k < size[0] / sizeof (*a); k++) {
    while (m < size[1] / sizeof (*b) && b[m] < a[k])
      m++;
    if (m < size[1] / sizeof (*b) && b[m] == a[k]) {
      const gfloat pair[4] = { p[k].x, p[k].y, q[m].x, q[m].y };

      fail_unless (n < TRACKS);
      memcpy (pairs + 4 * n++, pair, sizeof (pair));
    }
  }
  return n;
}

/* Sets the path of three frames, of which @i is the middle one. */
static void
fit_around (const Tracks * tracks, guint i, MgpuRollingPath * path)
{
  gfloat pairs[2][4 * TRACKS];
  const MgpuRollingTracks lists[] =
      { {pairs[0], pair_tracks (tracks, i - 1, pairs[0]), 1}, {pairs[1],
      pair_tracks (tracks, i, pairs[1]), 1}
  };

  *path = (MgpuRollingPath) {
  .width = WIDTH,.height = HEIGHT,.share = 0.8};
  fail_unless (mgpu_rolling_fit (lists, 3, path));
}

/* Adds noise to a frame. */
static GstBuffer *
add_noise (GstBuffer * frame, guint seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  GstMapInfo map;

  fail_unless (gst_buffer_map (frame, &map, GST_MAP_READWRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = CLAMP (map.data[i] + g_rand_int_range (random, -20, 21), 0,
        255);
  gst_buffer_unmap (frame, &map);
  return frame;
}

/* Positions with the origin in the corner of a frame */
static void
move_in_frame (const gdouble m[9], const gdouble from[2], gdouble to[2])
{
  const gdouble at[2] = { from[0] + WIDTH / 2.0, from[1] + HEIGHT / 2.0 };

  move (m, at, to);
  to[0] -= WIDTH / 2.0;
  to[1] -= HEIGHT / 2.0;
}

/* With a frame of look-ahead, motion and rows of a frame are those of the path on which it is the middle one of three: the
 * path that was fitted when it was the last frame is replaced. */
GST_START_TEST (test_middle)
{
  const Camera camera = { WIDTH, HEIGHT, 0.8, 2 };
  const gdouble corner[2] = { 32.5 - WIDTH / 2.0, 16.5 - HEIGHT / 2.0 };
  g_autoptr (GstHarness) h = harness_new ("mgpuflow dense=false tracks=300 "
      "track-cell=12 max-in-flight=1 ! mgpustabilize name=f max-in-flight=1 "
      "zoom=1 edges=mirror look-ahead=1 rolling-shutter=0.8", CAPS,
      "video/x-raw");
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "sink");
  g_autofree guint8 *picture = paint_smooth (3);
  Tracks tracks = { {NULL,} };

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, remember_tracks, &tracks,
      NULL);
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = NULL;
    gdouble motion[9], back[9], want[2], got[2];
    GstMgpuMotionMeta *meta;
    MgpuRollingPath path;

    push (h, add_noise (see_rolling (&camera, picture, i), i));
    out = i > 0 ? pull (h, i - 1) : NULL;
    if (i < 2)
      continue;
    meta = gst_buffer_get_mgpu_motion_meta (out);
    fit_around (&tracks, i - 1, &path);
    mgpu_rolling_get_motion (&path, 1, motion);
    move (motion, corner, want);
    move_in_frame (gst_mgpu_motion_meta_get_motion (meta), corner, got);
    fail_unless (hypot (want[0] - got[0], want[1] - got[1]) <= 1e-6,
        "frame %u moves to (%g, %g) and not (%g, %g)", i - 1, got[0], got[1],
        want[0], want[1]);

    fail_unless (mgpu_path_invert (gst_mgpu_motion_meta_get_correction (meta),
            back));
    move_in_frame (back, corner, got);
    mgpu_rolling_find (&path, 1, got, want);
    point_at (h, 32.5, 16.5, &got[0], &got[1]);
    fail_unless (hypot (want[0] + WIDTH / 2.0 - got[0],
            want[1] + HEIGHT / 2.0 - got[1]) <= 0.005,
        "frame %u shows (%g, %g) and not (%g, %g)", i - 1, got[0], got[1],
        want[0] + WIDTH / 2.0, want[1] + HEIGHT / 2.0);
  }
  for (guint i = 0; i < tracks.n; i++) {
    g_bytes_unref (tracks.ids[i]);
    g_bytes_unref (tracks.points[i]);
  }
}

GST_END_TEST;

/* Tests that with edges=crop no corner of an output frame shows what is outside of the input frame, although rows
 * move. */
GST_START_TEST (test_edges)
{
  const Camera camera = { WIDTH, HEIGHT, 1, 5 };
  g_autoptr (GstHarness) h =
      stabilizer_new ("look-ahead=4 zoom=1.11 rolling-shutter=1", NULL);
  g_autofree guint8 *picture = paint_smooth (3);

  for (gint i = 0; i < 16; i++) {
    push (h, see_rolling (&camera, picture, i));
    if (i < 4)
      continue;
    gst_buffer_unref (pull (h, i - 4));
    for (gint k = 0; k < 4; k++) {
      gdouble at[2];

      point_at (h, k % 2 ? WIDTH - 0.5 : 0.5, k / 2 ? HEIGHT - 0.5 : 0.5,
          &at[0], &at[1]);
      fail_unless (at[0] > 0 && at[0] < WIDTH && at[1] > 0
          && at[1] < HEIGHT, "frame %d, corner %d: %g, %g", i, k, at[0], at[1]);
    }
  }
}

GST_END_TEST;

static gdouble
get_found (GstElement * filter)
{
  g_autoptr (GstStructure) stats = NULL;
  gdouble share = -1;

  g_object_get (filter, "stats", &stats, NULL);
  fail_unless (gst_structure_get_double (stats, "rolling-shutter", &share));
  return share;
}

/* Tests that the readout time is found after 60 frames, reported by the statistics, and then used. */
GST_START_TEST (test_found)
{
  const Camera camera = { WIDTH, HEIGHT, 0.8, 2 };
  g_autoptr (GstHarness) h =
      stabilizer_new ("look-ahead=0 zoom=1 rolling-shutter=-1", NULL);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autofree guint8 *picture = paint_smooth (3);

  for (gint i = 0; i < 66; i++) {
    g_autoptr (GstBuffer) out = NULL;
    gdouble difference;

    push (h, see_rolling (&camera, picture, i));
    out = pull (h, i);
    if (i == 60)
      fail_unless (get_found (filter) == 0);
    if (i < 62)
      continue;
    difference = find_difference (&camera, picture, i, out, WIDTH, HEIGHT);
    fail_unless (difference <= MOST, "frame %d: %g", i, difference);
    fail_unless (fabs (get_found (filter) - 0.8) <= 0.05, "%g",
        get_found (filter));
  }
}

GST_END_TEST;

/* Tests that frames without tracks stay unchanged, as without the property, and that one warning says why. */
GST_START_TEST (test_no_tracks)
{
  static const gchar *const properties[] = { "points=sift", "mode=tripod" };
  const Camera camera = { WIDTH, HEIGHT, 0.3, 1 };
  g_autofree gchar *all = g_strdup_printf ("look-ahead=0 %s "
      "rolling-shutter=0.3", properties[__i__]);
  g_autofree gchar *off = g_strdup_printf ("look-ahead=0 %s",
      properties[__i__]);
  g_autoptr (GstHarness) h = stabilizer_new (all, NULL);
  g_autoptr (GstHarness) without = stabilizer_new (off, NULL);
  g_autofree guint8 *picture = paint_smooth (3);
  GstBus *bus = harness_bus (h);

  for (gint i = 0; i < 4; i++) {
    g_autoptr (GstBuffer) out = NULL, want = NULL;
    GstMapInfo map;

    push (h, see_rolling (&camera, picture, i));
    push (without, see_rolling (&camera, picture, i));
    out = pull (h, i);
    want = pull (without, i);
    fail_unless (gst_buffer_map (want, &map, GST_MAP_READ));
    fail_unless (gst_buffer_memcmp (out, 0, map.data, map.size) == 0);
    gst_buffer_unmap (want, &map);
  }
  g_error_free (pop_message (bus, GST_MESSAGE_WARNING,
          "has no effect on frames without tracks", "\"points\""));
}

GST_END_TEST;

CHECK_TESTS (mgpustabilizerolling)
{
  tcase_add_loop_test (tc, test_fit, 0, 7);
  tcase_add_test (tc, test_no_fit);
  tcase_add_loop_test (tc, test_search, 0, 7);
  tcase_add_loop_test (tc, test_straight, 0, 2 * G_N_ELEMENTS (straight_cases));
  tcase_add_test (tc, test_still);
  tcase_add_test (tc, test_changes);
  tcase_add_test (tc, test_positions);
  tcase_add_test (tc, test_middle);
  tcase_add_test (tc, test_edges);
  tcase_add_test (tc, test_found);
  tcase_add_loop_test (tc, test_no_tracks, 0, 2);
}
