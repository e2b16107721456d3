/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares the corners that mgpumatch finds with the corners by the true homography with which a
 * reference image was drawn into a frame, and with those of a fit to the matches only. */
#include "match.h"

#define N_FRAMES 30
/* Approximate standard deviation of the noise, in levels */
#define NOISE 14

/* Returns: a random number from 0 to 1 */
static gdouble
draw (guint * state)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 16777216.0;
}

/* Sets @m to the homography of a frame: the reference image is rotated, reduced, and seen from the
 * side. */
static void
draw_homography (guint * state, gint width, gint height, gdouble * m)
{
  gdouble angle = draw (state) - 0.5, scale = 0.4 + 0.2 * draw (state);
  gdouble c = scale * cos (angle), s = scale * sin (angle);
  gdouble px = 0.002 * (draw (state) - 0.5), py = 0.002 * (draw (state) - 0.5);
  gdouble tx = 256 + 60 * (draw (state) - 0.5);
  gdouble ty = 192 + 60 * (draw (state) - 0.5);
  /* Matrix for positions relative to the center of the reference image */
  const gdouble n[9] = { c + tx * px, -s + tx * py, tx, s + ty * px,
    0.8 * c + ty * py, ty, px, py, 1
  };

  for (guint i = 0; i < 3; i++) {
    m[3 * i] = n[3 * i];
    m[3 * i + 1] = n[3 * i + 1];
    m[3 * i + 2] = n[3 * i + 2] - n[3 * i] * width / 2 - n[3 * i + 1] * height
        / 2;
  }
}

static void
project (const gdouble * m, gdouble x, gdouble y, gdouble * u, gdouble * v)
{
  gdouble w = m[6] * x + m[7] * y + m[8];

  *u = (m[0] * x + m[1] * y + m[2]) / w;
  *v = (m[3] * x + m[4] * y + m[5]) / w;
}

/* Draws the reference image into the frame, and adds noise. */
static void
put (GstBuffer * frame, GstBuffer * picture, gint width, gint height,
    const gdouble * m, guint * state)
{
  gdouble back[9];
  GstMapInfo to, from;

  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 3; j++) {
      const gdouble *a = m + 3 * ((j + 1) % 3), *b = m + 3 * ((j + 2) % 3);

      back[3 * i + j] = a[(i + 1) % 3] * b[(i + 2) % 3]
          - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
  gst_buffer_map (frame, &to, GST_MAP_READWRITE);
  gst_buffer_map (picture, &from, GST_MAP_READ);
  for (gint y = 0; y < 384; y++)
    for (gint x = 0; x < 512; x++) {
      gdouble u, v, value = to.data[y * 512 + x], noise = -6;

      project (back, x, y, &u, &v);
      if (u > 0 && v > 0 && u < width - 1 && v < height - 1) {
        const guint8 *p = from.data + (gint) v * GST_ROUND_UP_4 (width)
            + (gint) u;
        gdouble a = u - (gint) u, b = v - (gint) v;

        value = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a)
            * p[GST_ROUND_UP_4 (width)] + a * p[GST_ROUND_UP_4 (width) + 1]);
      }
      for (guint i = 0; i < 12; i++)
        noise += draw (state);
      to.data[y * 512 + x] = CLAMP (value + NOISE * noise, 0, 255);
    }
  gst_buffer_unmap (frame, &to);
  gst_buffer_unmap (picture, &from);
}

/* Returns: the mean distance between found and true corners, in pixels */
static gdouble
get_error (const gdouble * corners, const gdouble * m, gint width, gint height)
{
  gdouble sum = 0;

  for (guint i = 0; i < 4; i++) {
    gdouble x, y;

    project (m, i == 1 || i == 2 ? width - 0.5 : -0.5, i >= 2 ? height - 0.5
        : -0.5, &x, &y);
    sum += hypot (corners[2 * i] - x, corners[2 * i + 1] - y) / 4;
  }
  return sum;
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  const gdouble *p = a, *q = b;

  return *p < *q ? -1 : *p > *q;
}

static gdouble
get_median (gdouble * errors)
{
  qsort (errors, N_FRAMES, sizeof (*errors), compare_doubles);
  return errors[N_FRAMES / 2];
}

/* Tests that refining the homography with all keypoints near its first estimate makes it more
 * exact. */
GST_START_TEST (test_refined)
{
  g_autoptr (GstBuffer) picture = NULL, described = NULL, scene = NULL;
  g_autofree gchar *picture_caps = NULL, *caps = NULL;
  g_autoptr (GstHarness) h = NULL, sift = NULL;
  gdouble ours[N_FRAMES], plain[N_FRAMES];
  GstMgpuKeypointMeta *keypoints;
  guint state = 5;
  GstVideoInfo info;
  GstBus *bus;

  picture = photograph_new ("box.png", &picture_caps);
  info = info_from_string (picture_caps);
  sift = match_new ("mgpusift max-features=500", picture_caps, &bus);
  described = harness_push_pull (sift, gst_buffer_copy (picture));
  keypoints = gst_buffer_get_mgpu_keypoint_meta (described);
  scene = photograph_new ("home.jpg", &caps);
  h = match_new (SIFT "pictures=" DATA "box.png", caps, &bus);
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *frame = gst_buffer_copy_deep (scene);
    g_autoptr (GstBuffer) out = NULL;
    g_autoptr (GBytes) matches = NULL;
    GstMgpuFit *fit;
    g_autofree gdouble *corners = NULL;
    GstMgpuPictureMeta *meta;
    gdouble m[9];

    draw_homography (&state, info.width, info.height, m);
    put (frame, picture, info.width, info.height, m, &state);
    GST_BUFFER_PTS (frame) = i * 40 * GST_MSECOND;
    out = harness_push_pull (h, frame);
    meta = gst_buffer_get_mgpu_picture_meta (out);
    fail_unless (meta != NULL, "frame %u", i);
    matches = gst_mgpu_keypoint_meta_match (keypoints,
        gst_buffer_get_mgpu_keypoint_meta (out), 0.75, TRUE, NULL);
    fit = gst_mgpu_keypoint_meta_fit (keypoints,
        gst_buffer_get_mgpu_keypoint_meta (out), matches,
        GST_MGPU_FIT_MODEL_HOMOGRAPHY, NULL, NULL);
    corners = gst_mgpu_fit_project_corners (fit, info.width, info.height);
    plain[i] = get_error (corners, m, info.width, info.height);
    ours[i] = get_error (gst_mgpu_picture_meta_get_corners (meta, 0), m,
        info.width, info.height);
    gst_mgpu_fit_unref (fit);
    GST_INFO ("frame %u: corners are off by %.3f px, without refinement %.3f",
        i, ours[i], plain[i]);
  }
  get_median (plain);
  get_median (ours);
  GST_INFO ("medians: %.3f px, without refinement %.3f", ours[N_FRAMES / 2],
      plain[N_FRAMES / 2]);
  fail_unless (ours[N_FRAMES / 2] < 0.95 * plain[N_FRAMES / 2]
      && ours[N_FRAMES / 2] < 1.3, "%.3f px, without refinement %.3f",
      ours[N_FRAMES / 2], plain[N_FRAMES / 2]);
}

GST_END_TEST;

CHECK_TESTS (mgpumatchrefine)
{
  tcase_add_test (tc, test_refined);
}
