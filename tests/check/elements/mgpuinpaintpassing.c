/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuinpaint with background=true and mode=temporal: objects that pass behind a fixed mask,
 * compared with the same video without a mask. */
#include "inpaint.h"

#include "../../opencl.h"

#include <math.h>

#define WIDTH 200
#define HEIGHT 112

/* Hole, and first frame with a hole: the background behind it was visible before this frame. */
#define HOLE_X 90
#define HOLE_Y 16
#define HOLE_WIDTH 28
#define HOLE_HEIGHT 84
#define HOLE "90,16,28,84"
#define FIRST 10

/* Number of frames in a video, after which all objects have left */
#define N_FRAMES 84

/* An oval object that moves by (speed_x, speed_y) in 1/8 pixels per frame */
typedef struct
{
  gint x, y, width, height, speed_x, speed_y, level;
} Thing;

/* Videos with one object that passes the hole, or with two objects */
static const struct
{
  Thing things[2];
  guint n;
  gint noise;                   /* maximum noise that is added, in levels */
} films[] = {
  {{{-40, 20, 24, 70, 24, 0, 30}}, 1, 0},
  {{{-40, 20, 24, 70, 24, 0, 30}}, 1, 5},
  {{{210, 26, 20, 60, -20, 2, 200}}, 1, 5},
  {{{-30, 20, 22, 66, 22, 0, 30}, {-64, 24, 20, 62, 22, 1, 210}}, 2, 5},
  {{{-40, 20, 22, 66, 24, 0, 30}, {240, 32, 20, 62, -22, 0, 210}}, 2, 0}
};

static gint
get_truth (guint film, gint frame, gint x, gint y)
{
  gint value = 110 + (x * 7 + y * 3 + x * y / 16) % 30;

  for (guint i = 0; i < films[film].n; i++) {
    const Thing *it = &films[film].things[i];
    gint u = x - it->x - (gint) floor (it->speed_x * frame / 8.0 + 0.5);
    gint v = y - it->y - (gint) floor (it->speed_y * frame / 8.0 + 0.5);
    gdouble a = (2.0 * u + 1) / it->width - 1;
    gdouble b = (2.0 * v + 1) / it->height - 1;

    if (a * a + b * b <= 1)
      value = it->level + (u * u * 5 + v * v * 3 + u * v) % 41;
  }
  return value;
}

/* Returns whether an object is behind the hole. */
static gboolean
is_passed (guint film, gint frame)
{
  for (guint i = 0; i < films[film].n; i++) {
    const Thing *it = &films[film].things[i];
    gint x = it->x + (gint) floor (it->speed_x * frame / 8.0 + 0.5);

    if (x < HOLE_X + HOLE_WIDTH && x + it->width > HOLE_X)
      return TRUE;
  }
  return FALSE;
}

static GstBuffer *
paint (const GstVideoInfo * info, guint film, gint frame, GRand * rand)
{
  GstBuffer *buffer = frame_new (info, LAYOUT_DEFAULT, 1);
  gint noise = films[film].noise;
  GstVideoFrame map;

  fail_unless (gst_video_frame_map (&map, info, buffer, GST_MAP_WRITE));
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (&map); c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&map, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&map, c); x++)
        ((guint8 *) comp_data (&map, c))[x + y
            * GST_VIDEO_FRAME_COMP_STRIDE (&map, c)] = c > 0 ? 128
            : get_truth (film, frame, x, y)
            + (noise > 0 ? g_rand_int_range (rand, 0, noise + 1) : 0);
  gst_video_frame_unmap (&map);
  return buffer;
}

/* Copies the luma samples of a frame. */
static void
get_luma (const GstVideoInfo * info, GstBuffer * buffer, guint8 * luma)
{
  GstVideoFrame map;

  fail_unless (gst_video_frame_map (&map, info, buffer, GST_MAP_READ));
  for (gint y = 0; y < HEIGHT; y++)
    memcpy (luma + y * WIDTH, comp_data (&map, 0)
        + y * GST_VIDEO_FRAME_COMP_STRIDE (&map, 0), WIDTH);
  gst_video_frame_unmap (&map);
}

/* Returns: the mean change of the hole from one frame to the next, in levels */
static gdouble
get_change (const guint8 * now, const guint8 * before)
{
  gint sum = 0;

  for (gint y = HOLE_Y; y < HOLE_Y + HOLE_HEIGHT; y++)
    for (gint x = HOLE_X; x < HOLE_X + HOLE_WIDTH; x++)
      sum += ABS (now[y * WIDTH + x] - before[y * WIDTH + x]);
  return (gdouble) sum / (HOLE_WIDTH * HOLE_HEIGHT);
}

/* Plays a video. Returns: the PSNR in the hole while an object passes. Sets *@flicker to the change
 * of the hole from frame to frame, divided by the change in the video without a mask. */
static gdouble
show (guint film, const gchar * mode, gdouble * flicker, guint64 * n_passing)
{
  const gchar *caps = HOST_CAPS ("I420", WIDTH, HEIGHT);
  g_autofree gchar *launch =
      g_strdup_printf ("mgpuinpaint name=f background=true mode=%s", mode);
  GstHarness *h = harness_new (launch, caps, caps);
  GstVideoInfo info = info_from_string (caps);
  guint8 now[WIDTH * HEIGHT], before[WIDTH * HEIGHT];
  guint8 truth[WIDTH * HEIGHT], true_before[WIDTH * HEIGHT];
  GRand *rand = g_rand_new_with_seed (7);
  GstElement *f = harness_filter (h);
  gdouble error = 0, changes = 0, true_changes = 0;
  gint n = 0;

  for (gint i = 0; i < N_FRAMES; i++) {
    GstBuffer *in = paint (&info, film, i, rand), *out;
    gdouble sum = 0;

    if (i == FIRST)
      gst_util_set_object_arg (G_OBJECT (f), "rectangle", HOLE);
    get_luma (&info, in, truth);
    out = harness_push_pull (h, in);
    get_luma (&info, out, now);
    for (gint k = 0; k < WIDTH * HEIGHT; k++)
      sum += (now[k] - truth[k]) * (now[k] - truth[k]);
    if (i >= FIRST && is_passed (film, i)) {
      error += sum;
      n += HOLE_WIDTH * HOLE_HEIGHT;
    }
    if (i > FIRST) {
      changes += get_change (now, before);
      true_changes += get_change (truth, true_before);
    }
    memcpy (before, now, sizeof (now));
    memcpy (true_before, truth, sizeof (truth));
    gst_buffer_unref (out);
  }
  *flicker = changes / true_changes;
  *n_passing = get_stat (f, "passing-pixels");
  gst_object_unref (f);
  gst_harness_teardown (h);
  g_rand_free (rand);
  return 10 * log10 (65025.0 * n / MAX (error, 1));
}

/* Tests that objects that pass behind the hole look nearly as they would without a mask, and do not
 * flicker. */
GST_START_TEST (test_truth)
{
  guint64 n;
  gdouble flicker, psnr = show (__i__, "temporal", &flicker, &n);

  g_print ("film %d: %.1f dB in the hole, changes %.2f, %" G_GUINT64_FORMAT
      " pixels\n", __i__, psnr, flicker, n);
  fail_unless (psnr >= 30, "%.1f dB", psnr);
  fail_unless (flicker <= 1.3, "%.2f", flicker);
  fail_unless (n > 10000);
}

GST_END_TEST;

/* Tests that with mode=exact objects that pass behind the hole are not visible in it. */
GST_START_TEST (test_exact)
{
  guint64 n;
  gdouble flicker, psnr = show (0, "exact", &flicker, &n);

  fail_unless (psnr < 20, "%.1f dB", psnr);
  fail_unless (flicker < 0.1, "%.2f", flicker);
  fail_unless_equals_uint64 (n, 0);
}

GST_END_TEST;

/* Tests that pixels that the mask hides from the first frame on are filled with patches. When the
 * mask moves to the right, 16 columns become visible, and their filling is forgotten at once. */
GST_START_TEST (test_seen)
{
  const gchar *caps = HOST_CAPS ("I420", WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint background=true mode=temporal "
      "mask-source=roi search-factor=0.2", caps, caps);
  guint8 now[WIDTH * HEIGHT], truth[WIDTH * HEIGHT];

  for (gint i = 0; i < 19; i++) {
    GstBuffer *in = paint (&info, 0, 0, NULL), *out;
    gboolean is_away = i >= 12 && i < 15, is_same = TRUE;

    get_luma (&info, in, truth);
    gst_buffer_add_video_region_of_interest_meta (in, "person",
        HOLE_X + (is_away ? 16 : 0), HOLE_Y, HOLE_WIDTH, HOLE_HEIGHT);
    out = harness_push_pull (h, in);
    get_luma (&info, out, now);
    gst_buffer_unref (out);
    for (gint y = 0; y < HEIGHT; y++)
      is_same = is_same && memcmp (now + y * WIDTH + HOLE_X,
          truth + y * WIDTH + HOLE_X, 16) == 0;
    fail_unless (is_same == (i >= 12), "frame %d", i);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaintpassing)
{
  tcase_set_timeout (tc, 120);
  tcase_add_loop_test (tc, test_truth, 0, G_N_ELEMENTS (films));
  tcase_add_test (tc, test_exact);
  tcase_add_test (tc, test_seen);
}
