/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuinpaint with mode=temporal, frame by frame. */
#include "inpaint.h"

#include "../../opencl.h"

#include <math.h>
#include <time.h>

typedef enum
{
  STRIPES,                      /* scene with a texture that repeats in the hole */
  GRASS                         /* scene with a texture that does not repeat */
} Scene;

/* Holds a stream, and what the reference remembers of it. */
typedef struct
{
  GstHarness *h;
  GstVideoInfo info;
  RefInpaintMemory memory;
  guint8 *mask;
  gboolean blend;
} Video;

static void
video_init (Video * video, const gchar * launch, GstVideoFormat format,
    gint width, gint height)
{
  g_autoptr (GstCaps) caps = caps_new (format, width, height, FALSE);
  g_autofree gchar *text = gst_caps_to_string (caps);

  memset (video, 0, sizeof (*video));
  video->h = harness_new (launch, text, text);
  fail_unless (gst_video_info_from_caps (&video->info, caps));
  video->memory.origin = g_new0 (gint32, width * height);
  video->memory.filler = g_new0 (gint32, width * height);
  video->memory.targets = g_new0 (gint32, width * height);
  video->memory.fits = g_new0 (guint32, width * height);
}

static void
video_set_mask (Video * video, gint x, gint y, gint w, gint h)
{
  g_free (video->mask);
  video->mask = rectangle_mask (GST_VIDEO_INFO_WIDTH (&video->info),
      GST_VIDEO_INFO_HEIGHT (&video->info), x, y, w, h);
  video->memory.is_valid = FALSE;
}

static void
video_clear (Video * video)
{
  gst_harness_teardown (video->h);
  g_free (video->memory.origin);
  g_free (video->memory.filler);
  g_free (video->memory.targets);
  g_free (video->memory.fits);
  g_free (video->mask);
}

static gint
make_grass (gint x, gint y)
{
  guint32 n = (guint32) (x / 3) * 73856093u ^ (guint32) (y / 2) * 19349663u;

  n = (n ^ n >> 13) * 1274126177u;
  return 60 + (gint) (n >> 16 & 127);
}

/* Returns noise with an approximately normal distribution. */
static gint
make_noise (GRand * rand, gdouble sigma)
{
  gdouble sum = -6;

  for (guint i = 0; i < 12; i++)
    sum += g_rand_double (rand);
  return (gint) floor (sigma * sum + 0.5);
}

static GstBuffer *
picture_new (const GstVideoInfo * info, Scene scene, gint shift, GRand * rand,
    gdouble sigma)
{
  GstBuffer *buffer = frame_new (info, LAYOUT_DEFAULT, 1);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (&frame); c++) {
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++) {
      guint8 *row = comp_data (&frame, c)
          + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c);

      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++) {
        gint u = x + shift * GST_VIDEO_FRAME_COMP_WIDTH (&frame, c)
            / GST_VIDEO_FRAME_WIDTH (&frame);
        gint value = scene == GRASS ? make_grass (u, y)
            : u % 8 < 4 ? 60 : 180;

        value += make_noise (rand, sigma);
        row[x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c)] =
            CLAMP (value, 0, 255);
      }
    }
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Pushes @in. Fails unless the output equals that of the reference, and the reference fills the
 * hole by the method @how. */
static void
check_frame (Video * video, GstBuffer * in, gint patch_size,
    RefInpaintWay expected_way)
{
  g_autoptr (GstBuffer) expected = gst_buffer_copy_deep (in);
  g_autoptr (GstBuffer) out = harness_push_pull (video->h, gst_buffer_ref (in));
  RefInpaint params = { patch_size, 1.0, 0, video->mask, NULL, FALSE,
    video->blend
  };
  RefPlane from[4], to[4];
  GstVideoFrame a, b;
  RefInpaintWay way;

  fail_unless (gst_video_frame_map (&a, &video->info, in, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&b, &video->info, expected, GST_MAP_WRITE));
  ref_planes (&a, from);
  ref_planes (&b, to);
  fail_unless (ref_inpaint_temporal (from, to,
          GST_VIDEO_FRAME_N_COMPONENTS (&a),
          GST_VIDEO_INFO_IS_RGB (&video->info), &params, &video->memory, &way));
  gst_video_frame_unmap (&b);
  gst_video_frame_unmap (&a);
  fail_unless_equals_int (way, expected_way);
  fail_unless_same_frame (&video->info, out, expected);
  gst_buffer_unref (in);
}

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_GRAY8
};

/* Tests a still scene with noise, a scene cut, a new mask, a flush, a new segment, and a change to
 * another mode and back. */
GST_START_TEST (test_video)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  GstSegment segment;
  Video video;

#define PICTURE(scene) picture_new (&video.info, scene, 0, rand, 2)
  video_init (&video, "mgpuinpaint " PLAIN "mode=temporal patch-size=5 "
      "rectangle=21,12,10,9", formats[__i__], 48, 36);
  video_set_mask (&video, 21, 12, 10, 9);
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_ANEW);
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_REPLAYED);
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_REPLAYED);
  check_frame (&video, PICTURE (GRASS), 5, REF_INPAINT_ANEW);

  gst_harness_set (video.h, "mgpuinpaint", "rectangle", "8,20,7,7", NULL);
  video_set_mask (&video, 8, 20, 7, 7);
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_ANEW);
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_REPLAYED);

  flush (video.h);
  video.memory.is_valid = FALSE;
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_ANEW);
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_REPLAYED);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (video.h,
          gst_event_new_segment (&segment)));
  video.memory.is_valid = FALSE;
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_ANEW);

  gst_harness_set (video.h, "mgpuinpaint", "mode", 0, NULL);
  video.memory.is_valid = FALSE;
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_ANEW);
  video.memory.is_valid = FALSE;
  gst_harness_set (video.h, "mgpuinpaint", "mode", 1, NULL);
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_ANEW);
  check_frame (&video, PICTURE (STRIPES), 5, REF_INPAINT_REPLAYED);
  video_clear (&video);
}

GST_END_TEST;

/* Tests a moving camera: the sources of the patches follow the motion, as in the reference. */
GST_START_TEST (test_pan)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  Video video;

  video_init (&video, "mgpuinpaint " PLAIN "mode=temporal patch-size=5 "
      "rectangle=40,30,20,14", formats[__i__], 96, 72);
  video_set_mask (&video, 40, 30, 20, 14);
  check_frame (&video, picture_new (&video.info, GRASS, 0, rand, 2), 5,
      REF_INPAINT_ANEW);
  for (gint i = 1; i <= 5; i++)
    check_frame (&video, picture_new (&video.info, GRASS, 2 * i, rand, 2), 5,
        REF_INPAINT_FOLLOWED);
  video_clear (&video);
}

GST_END_TEST;

/* Returns the mean PSNR, in dB, between the holes of successive frames. */
static gdouble
find_flicker (const gchar * launch, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed (seed);
  GstBuffer *last = NULL;
  gdouble sum = 0;
  guint n = 0;
  Video video;

  video_init (&video, launch, GST_VIDEO_FORMAT_GRAY8, 128, 96);
  for (guint i = 0; i < 6; i++) {
    GstBuffer *out = harness_push_pull (video.h, PICTURE (GRASS));
    GstMapInfo a, b;

    fail_unless (gst_buffer_map (out, &a, GST_MAP_READ));
    if (last != NULL) {
      fail_unless (gst_buffer_map (last, &b, GST_MAP_READ));
      for (gint y = 36; y < 60; y++) {
        for (gint x = 50; x < 78; x++) {
          gint d = a.data[y * 128 + x] - b.data[y * 128 + x];

          sum += d * d;
          n++;
        }
      }
      gst_buffer_unmap (last, &b);
    }
    gst_buffer_unmap (out, &a);
    gst_clear_buffer (&last);
    last = out;
  }
  gst_buffer_unref (last);
  video_clear (&video);
  g_rand_free (rand);
  return 10 * log10 (255.0 * 255.0 * n / sum);
}

/* Compares with the PSNR of the noise itself: frames differ by noise of 2 sigma^2 with sigma = 2,
 * which is 39 dB. */
GST_START_TEST (test_flicker)
{
  guint32 seed = 2026;
  gdouble exact =
      find_flicker ("mgpuinpaint " PLAIN "rectangle=50,36,28,24", seed);
  gdouble temporal =
      find_flicker ("mgpuinpaint " PLAIN "mode=temporal "
      "rectangle=50,36,28,24", seed);
  gdouble smooth =
      find_flicker ("mgpuinpaint " PLAIN "mode=temporal smooth-seams=true "
      "rectangle=50,36,28,24", seed);

  g_print
      ("flicker in the hole, seed %u: exact %.1f dB, temporal %.1f dB, with "
      "smooth seams %.1f dB\n", seed, exact, temporal, smooth);
  fail_unless (temporal >= 36, "%g", temporal);
  fail_unless (smooth >= 36, "%g", smooth);
}

GST_END_TEST;

/* ---- Budgets --------------------------------------------------------------------- */

#define BUDGET 5

/* Minimum time of each wait of the host for the device, in microseconds */
static gint slowness;

/* Slows an OpenCL function down, so that no device is able to fill the hole within one budget. */
__attribute__((visibility ("default")))
    cl_int
clWaitForEvents (cl_uint n, const cl_event * events)
{
  g_usleep (g_atomic_int_get (&slowness));
  return REAL (clWaitForEvents) (n, events);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  return *(const gint64 *) a < *(const gint64 *) b ? -1 : 1;
}

/* Returns: the value that pixel (@x, @y) of a hole has until its patch is found: the mean of the
 * known pixels next to the hole in its row and its column, weighted by their inverse distances */
static gint
guess_at (const Video * video, const guint8 * picture, gint x, gint y)
{
  static const gint steps[][2] = { {-1, 0}, {1, 0}, {0, -1}, {0, 1} };
  gint width = video->info.width, sum = 0, weights = 0;

  for (guint k = 0; k < G_N_ELEMENTS (steps); k++) {
    gint n = 1;

    while (video->mask[(y + n * steps[k][1]) * width + x + n * steps[k][0]])
      n++;
    sum += 4096 / n * picture[(y + n * steps[k][1]) * width + x
        + n * steps[k][0]];
    weights += 4096 / n;
  }
  return (sum + weights / 2) / weights;
}

/* Tests that pixels for which the time budget of a frame does not suffice are filled in the next
 * frames, from the colors of the first frame. Until then these pixels have a preliminary value,
 * with blending or without. The final filling equals the filling without a budget, and does not
 * change afterwards. */
GST_START_TEST (test_budget)
{
  const gint width = 200, height = 150, x = 70, y = 50, w = 60, h = 45;
  gint64 times[500], start;
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  GstBuffer *in, *last = NULL;
  gboolean is_done = FALSE;
  guint n = 0, n_late = 0;
  GstMapInfo a, b;
  Video video;

  video_init (&video, "mgpuinpaint " PLAIN "mode=temporal "
      "rectangle=70,50,60,45", GST_VIDEO_FORMAT_GRAY8, width, height);
  video_set_mask (&video, x, y, w, h);
  in = picture_new (&video.info, GRASS, 0, rand, 2);
  check_frame (&video, gst_buffer_ref (in), 9, REF_INPAINT_ANEW);
  last = harness_push_pull (video.h, gst_buffer_ref (in));
  gst_harness_set (video.h, "mgpuinpaint", "patch-size", 8, "budget-ms", BUDGET,
      NULL);

  fail_unless (gst_buffer_map (last, &b, GST_MAP_READ));
  g_atomic_int_set (&slowness, 1000);
  while (n < G_N_ELEMENTS (times) && !is_done) {
    GstBuffer *out;

    gst_harness_set (video.h, "mgpuinpaint", "blend", n % 2 != 0, NULL);
    start = g_get_monotonic_time ();
    out = harness_push_pull (video.h, gst_buffer_ref (in));
    fail_unless (gst_buffer_map (out, &a, GST_MAP_READ));
    times[n] = g_get_monotonic_time () - start;
    n_late += times[n] > 1.2 * BUDGET * G_TIME_SPAN_MILLISECOND;
    n++;
    is_done = memcmp (a.data, b.data, width * height) == 0;
    for (gint v = 0; v < height; v++)
      for (gint u = 0; u < width; u++)
        if (u < x || u >= x + w || v < y || v >= y + h)
          fail_unless (a.data[v * width + u] == b.data[v * width + u]);
        else
          fail_unless (n % 2 == 0 ? a.data[v * width + u] >= 40
              : a.data[v * width + u] == b.data[v * width + u]
              || a.data[v * width + u] == guess_at (&video, b.data, u, v),
              "%d at %d,%d of frame %u", a.data[v * width + u], u, v, n);
    gst_buffer_unmap (out, &a);
    gst_buffer_unref (out);
  }
  g_atomic_int_set (&slowness, 0);
  fail_unless (is_done && n > 1, "%u frames", n);
  qsort (times, n, sizeof (times[0]), compare_times);
  g_print
      ("budget of %d ms: %u frames, median %.1f ms, 99 %% below %.1f ms, %u "
      "above 1.2 times\n", BUDGET, n, times[n / 2] / 1e3,
      times[(n - 1) * 99 / 100] / 1e3, n_late);
  gst_buffer_unmap (last, &b);
  gst_buffer_unref (last);

  /* Checks that patches are followed from frame to frame from now on. */
  video.blend = TRUE;
  gst_harness_set (video.h, "mgpuinpaint", "budget-ms", 0, "blend", TRUE, NULL);
  check_frame (&video, in, 9, REF_INPAINT_REPLAYED);
  video_clear (&video);
}

GST_END_TEST;

/* Draws a box, which begins at column @x, into a gray frame. */
static void
draw_box (GstBuffer * buffer, const GstVideoInfo * info, gint x)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint v = 60; v < 90; v++)
    for (gint u = MAX (x, 0); u < MIN (x + 20, info->width); u++)
      ((guint8 *) comp_data (&frame, 0))[u + v
          * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0)] = 250 - v;
  gst_video_frame_unmap (&frame);
}

#define N_TIMED 40

/* Returns: how many of the messages on @bus report that a frame was not finished */
static guint
count_unfinished (GstBus * bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    gint percent = 100;

    gst_structure_get_int (gst_message_get_structure (message), "percent",
        &percent);
    n += percent < 100;
    gst_message_unref (message);
  }
  return n;
}

/* Prints how long frames take, in wall-clock time and in processor time, while a box passes behind
 * a hole. The hole moves if @moves is set. Returns: the number of messages that report that a frame
 * was not finished */
static guint
time_frames (const gchar * way, gboolean moves)
{
  g_autofree gchar *launch =
      g_strdup_printf ("mgpuinpaint name=f rectangle=70,50,50,45 "
      "budget-ms=%u %s", 2 * BUDGET, way);
  g_autoptr (GstHarness) h = harness_new (launch, HOST_CAPS ("GRAY8", 200, 150),
      HOST_CAPS ("GRAY8", 200, 150));
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 200, 150));
  gint64 times[N_TIMED], used[N_TIMED];
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  guint n = 0, n_unfinished;
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (h->element, bus);
  for (guint i = 0; i < N_TIMED; i++) {
    GstBuffer *in = picture_new (&info, GRASS, 0, rand, 2), *out;
    gint64 start = g_get_monotonic_time (), begun = clock ();

    draw_box (in, &info, 6 * (gint) i - 60);
    if (moves) {
      gchar *rectangle = g_strdup_printf ("%u,50,50,45", 20 + 2 * i);

      gst_harness_set (h, "mgpuinpaint", "rectangle", rectangle, NULL);
      g_free (rectangle);
    }
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
    out = gst_harness_try_pull (h);
    if (out == NULL)
      continue;
    used[n] = (clock () - begun) * G_USEC_PER_SEC / CLOCKS_PER_SEC;
    times[n++] = g_get_monotonic_time () - start;
    gst_buffer_unref (out);
  }
  n_unfinished = count_unfinished (bus);
  fail_unless (n > 0);
  qsort (times, n, sizeof (times[0]), compare_times);
  qsort (used, n, sizeof (used[0]), compare_times);
  g_print
      ("budget of %d ms, hole %s, %s: by the clock median %.1f ms, 90 %% below "
      "%.1f ms, at most %.1f ms; of processors %.1f, %.1f, %.1f ms\n",
      2 * BUDGET, moves ? "moves" : "stays", way, times[n / 2] / 1e3,
      times[(n - 1) * 9 / 10] / 1e3, times[n - 1] / 1e3, used[n / 2] / 1e3,
      used[(n - 1) * 9 / 10] / 1e3, used[n - 1] / 1e3);
  gst_element_set_bus (h->element, NULL);
  return n_unfinished;
}

/* Modes of mgpuinpaint that have a time limit */
static const gchar *const ways[] = {
  "mode=temporal", "background=true", "background=true mode=temporal",
  "background=true look-ahead=4", "background=true mode=temporal look-ahead=4",
  "background=true camera=moves"
};

/* Tests that a budget leaves frames unfinished in each mode that has one, if the hole does not
 * move. Prints how long frames take for fixed and for moving holes, which depends on the
 * machine. */
GST_START_TEST (test_ways)
{
  g_atomic_int_set (&slowness, 1000);
  fail_unless (time_frames (ways[__i__], FALSE) > 0, "%s", ways[__i__]);
  time_frames (ways[__i__], TRUE);
  g_atomic_int_set (&slowness, 0);
}

GST_END_TEST;

#define LARGE_BUDGET 40
#define N_LARGE 8

/* Tests that the processor time is at most what the limit, a wall-clock time, allows, although the
 * hole is too large to be filled in any of these frames. Prints, for the first two modes, how long
 * frames take. */
GST_START_TEST (test_large_hole)
{
  gchar *launch =
      g_strdup_printf ("mgpuinpaint name=f rectangle=100,40,400,400 "
      "method=exemplar budget-ms=%u %s", LARGE_BUDGET, ways[__i__]);
  g_autoptr (GstHarness) h = harness_new (launch, HOST_CAPS ("GRAY8", 640, 480),
      HOST_CAPS ("GRAY8", 640, 480));
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 640, 480));
  gint64 times[N_LARGE], used[N_LARGE];
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autoptr (GstBuffer) in = picture_new (&info, GRASS, 0, rand, 2);
  guint n = 0;

  for (gint i = -2; i < N_LARGE; i++) {
    gint64 start = g_get_monotonic_time (), begun = clock ();
    GstMapInfo map;
    GstBuffer *out;

    fail_unless_equals_int (gst_harness_push (h, gst_buffer_copy_deep (in)),
        GST_FLOW_OK);
    out = gst_harness_try_pull (h);
    if (out == NULL)
      continue;
    fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
    gst_buffer_unmap (out, &map);
    gst_buffer_unref (out);
    if (i < 0)
      continue;
    used[n] = (clock () - begun) * G_USEC_PER_SEC / CLOCKS_PER_SEC;
    times[n++] = g_get_monotonic_time () - start;
  }
  qsort (times, n, sizeof (times[0]), compare_times);
  qsort (used, n, sizeof (used[0]), compare_times);
  g_print ("budget of %d ms, hole of 400x400, %s: by the clock median %.1f ms, "
      "at most %.1f ms; of processors %.1f, %.1f ms\n", LARGE_BUDGET,
      ways[__i__], times[n / 2] / 1e3, times[n - 1] / 1e3, used[n / 2] / 1e3,
      used[n - 1] / 1e3);
  fail_unless (used[n / 2] <= g_get_num_processors () * LARGE_BUDGET
      * G_TIME_SPAN_MILLISECOND);
  g_free (launch);
}

GST_END_TEST;

/* Draws a light box next to the hole of test_unfinished(), in the area from which patches are
 * copied. */
static void
draw_beside (GstBuffer * buffer, const GstVideoInfo * info)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint v = 40; v < 105; v++)
    memset (comp_data (&frame, 0) + v * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0)
        + 132, 250, 24);
  gst_video_frame_unmap (&frame);
}

/* Tests a filling that is not finished. A box is drawn, and stays, where patches were copied from,
 * so that the element searches for new sources but has no time to finish. The earlier filling is
 * still shown; it changes by at most 1/16, to follow the light, also if the hole grows before the
 * new filling is complete. */
GST_START_TEST (test_unfinished)
{
  const gint width = 200, x = 70, y = 50, w = 60, h = 45;
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autofree guint8 *before = g_malloc (w * h);
  GstBus *bus = gst_bus_new ();
  Video video;

  video_init (&video, "mgpuinpaint " PLAIN "name=f background=true "
      "rectangle=70,50,60,45", GST_VIDEO_FORMAT_GRAY8, width, 150);
  gst_element_set_bus (video.h->element, bus);
  for (guint i = 0; i < 12; i++) {
    GstBuffer *in = picture_new (&video.info, STRIPES, 0, rand, 0), *out;
    GstMapInfo map;

    if (i >= 3)
      draw_beside (in, &video.info);
    /* The box becomes background once it was visible for as many frames as the pixels before it, in
     * the sixth frame. */
    if (i == 5) {
      gst_harness_set (video.h, "mgpuinpaint", "budget-ms", 1, NULL);
      g_atomic_int_set (&slowness, 2000);
    } else if (i == 6) {
      gst_harness_set (video.h, "mgpuinpaint", "rectangle", "64,50,66,45",
          NULL);
    } else if (i == 8) {
      g_atomic_int_set (&slowness, 0);
      gst_harness_set (video.h, "mgpuinpaint", "budget-ms", 0, NULL);
    }
    out = harness_push_pull (video.h, in);
    fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
    for (gint k = 0; k < w * h; k++) {
      gint now = map.data[x + k % w + (y + k / w) * width];

      if (i == 0)
        before[k] = now;
      fail_unless (ABS (now - before[k]) <= 256 / 16,
          "frame %u: %d after %d at %d,%d of the hole", i, now, before[k],
          k % w, k / w);
    }
    gst_buffer_unmap (out, &map);
    gst_buffer_unref (out);
  }
  fail_unless (count_unfinished (bus) > 0);
  gst_element_set_bus (video.h->element, NULL);
  gst_object_unref (bus);
  video_clear (&video);
}

GST_END_TEST;

/* Tests masks that change in each frame: empty, the whole frame, one pixel, all borders, thousands
 * of holes, all but one pixel. */
static gboolean
is_hidden (guint kind, gint x, gint y, gint width, gint height)
{
  switch (kind) {
    case 0:
      return FALSE;
    case 1:
      return TRUE;
    case 2:
      return x == width - 1 && y == height / 2;
    case 3:
      return x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
    case 4:
      return x % 2 == 0 && y % 2 == 0;
    default:
      return x != 5 || y != 7;
  }
}

/* Makes the hidden pixels of a frame transparent. */
static void
hide_pixels (GstBuffer * buffer, const GstVideoInfo * info, guint kind)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READWRITE));
  for (gint y = 0; y < info->height; y++)
    for (gint x = 0; x < info->width; x++)
      ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0))[4 * x + 3 + y
          * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0)] =
          is_hidden (kind, x, y, info->width, info->height) ? 0 : 255;
  gst_video_frame_unmap (&frame);
}

/* Checks that the visible pixels of a frame did not change. */
static void
check_visible (GstBuffer * in, GstBuffer * out, const GstVideoInfo * info,
    guint kind)
{
  GstVideoFrame from, to;

  fail_unless (gst_video_frame_map (&from, info, in, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&to, info, out, GST_MAP_READ));
  for (gint y = 0; y < info->height; y++)
    for (gint x = 0; x < info->width; x++)
      fail_unless (is_hidden (kind, x, y, info->width, info->height)
          || memcmp ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&from, 0) + 4 * x
              + y * GST_VIDEO_FRAME_PLANE_STRIDE (&from, 0),
              (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&to, 0) + 4 * x
              + y * GST_VIDEO_FRAME_PLANE_STRIDE (&to, 0), 4) == 0,
          "mask %u changes pixel %d,%d", kind, x, y);
  gst_video_frame_unmap (&from);
  gst_video_frame_unmap (&to);
}

/* Tests each mask of the list after each other mask, and frames of other sizes, down to one
 * pixel. */
GST_START_TEST (test_masks)
{
  static const gchar *const ways[] = {
    "mode=temporal", "background=true", "background=true mode=temporal",
    "mode=video", "mode=video look-ahead=2", "background=true camera=moves",
    "background=true look-ahead=2",
    "background=true mode=temporal budget-ms=1",
    "background=true camera=moves mode=temporal budget-ms=1"
  };
  static const gint sizes[][2] = { {70, 52}, {1, 1}, {9, 60} };
  g_autofree gchar *launch =
      g_strdup_printf ("mgpuinpaint mask-source=alpha %s",
      ways[__i__]);
  g_autoptr (GstHarness) h = harness_new (launch, HOST_CAPS ("RGBA", 70, 52),
      HOST_CAPS ("RGBA", 70, 52));
  guint ahead = strstr (launch, "ahead") != NULL ? 2 : 0;

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
    gchar *caps = g_strdup_printf ("video/x-raw,format=RGBA,width=%d,height=%d,"
        "framerate=25/1", sizes[k][0], sizes[k][1]);
    GstVideoInfo info = info_from_string (caps);
    GQueue waiting = G_QUEUE_INIT;
    GstBuffer *out;

    gst_harness_set_caps_str (h, caps, caps);
    for (guint i = 0; i < 12; i++) {
      GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1 + i / 9);

      hide_pixels (in, &info, i * 5 % 6);
      g_queue_push_tail (&waiting, gst_buffer_copy_deep (in));
      fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
      if (i < ahead)
        continue;
      in = g_queue_pop_head (&waiting);
      out = harness_pull (h);
      check_visible (in, out, &info, (i - ahead) * 5 % 6);
      gst_buffer_unref (in);
      gst_buffer_unref (out);
    }
    g_queue_clear_full (&waiting, (GDestroyNotify) gst_buffer_unref);
    g_free (caps);
    /* Stops after the first size with look-ahead, because new caps would push the waiting
     * frames. */
    if (ahead > 0)
      break;
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuinpainttemporal)
{
  tcase_add_loop_test (tc, test_video, 0, G_N_ELEMENTS (formats));
  tcase_add_loop_test (tc, test_pan, 0, G_N_ELEMENTS (formats));
  tcase_add_test (tc, test_flicker);
  tcase_add_test (tc, test_budget);
  tcase_add_loop_test (tc, test_ways, 0, G_N_ELEMENTS (ways));
  tcase_add_loop_test (tc, test_large_hole, 0, 2);
  tcase_add_test (tc, test_unfinished);
  tcase_add_loop_test (tc, test_masks, 0, 7);
}
