/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the methods of mgpuinpaint, and the options that improve their results. */
#include "inpaint.h"

#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

#include "../../reference/inpaint-scenes.h"

static void
set_quality (GstHarness * h, guint quality)
{
  gst_harness_set (h, "mgpuinpaint", "smooth-seams", (quality & SEAM) != 0,
      "blend", (quality & BLEND) != 0, NULL);
}

/* Tests the options with both on, each alone, both off, and on again in PLAYING. */
GST_START_TEST (test_options)
{
  static const guint quality[] = { SEAM | BLEND, SEAM, BLEND, 0, BLEND | SEAM };
  g_autofree gchar *caps = caps_string (several_formats[__i__], 45, 34);
  GstVideoInfo info = info_from_string (caps);
  Removal r = { 5, 0, 1, 30, 11, 99, 12, NULL, NULL, 0 };
  GstHarness *h =
      harness_new ("mgpuinpaint method=exemplar patch-size=5 name=f "
      "rectangle=30,11,99,12", caps, caps);

  for (guint i = 0; i < G_N_ELEMENTS (quality); i++) {
    r.quality = quality[i];
    /* Sets the options before the second frame; the first frame is filled with the harness's
     * defaults. */
    if (i > 0)
      set_quality (h, quality[i]);
    push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, i + 1), &r);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Tests each method by its name, and the method that "auto" chooses for thin holes and for other
 * holes. */
GST_START_TEST (test_methods)
{
  static const struct
  {
    RefInpaintMethod method;    /* numbers of the property "method" equal those of
                                 * RefInpaintMethod */
    gint height;                /* of the hole */
  } ways[] = {
    {REF_INPAINT_HARMONIC, 20}, {REF_INPAINT_EXEMPLAR, 4}, {REF_INPAINT_AUTO,
        2},
    {REF_INPAINT_AUTO, 3}, {REF_INPAINT_HARMONIC, 3},
    {REF_INPAINT_PATCHMATCH, 12}
  };
  g_autofree gchar *caps = caps_string (several_formats[__i__], 45, 34);
  GstVideoInfo info = info_from_string (caps);
  Removal r = { 5, 0, 1, 12, 7, 11, 0, NULL, NULL, SEAM | BLEND };
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint patch-size=5 name=f", caps, caps);

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    gchar *rectangle = g_strdup_printf ("12,7,11,%d", ways[i].height);

    r.height = ways[i].height;
    r.method = ways[i].method;
    gst_harness_set (h, "mgpuinpaint", "rectangle", rectangle, "method",
        ways[i].method, NULL);
    push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, i + 1), &r);
    g_free (rectangle);
  }
}

GST_END_TEST;

/* ---- Visual quality ------------------------------------------------------------- */

#define SCENE_SIZE (REF_SCENE_WIDTH * REF_SCENE_HEIGHT)

/* Returns: (transfer full): the name of a new mask file */
static gchar *
write_mask (const guint8 * mask, gint width, gint height)
{
  gchar *path;
  gint fd = g_file_open_tmp ("mgpuinpaint-XXXXXX.png", &path, NULL);

  fail_unless (fd >= 0);
  close (fd);
  write_png (path, width, height, mask);
  return path;
}

/* Tests that a thin hole in a linear gradient, also at the border of the frame, is filled with an
 * error of at most one level. */
GST_START_TEST (test_gradient)
{
  static const gchar *const methods[] = { "harmonic", "auto" };
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, 160, 120);
  guint8 *mask = g_malloc0 (160 * 120), *clean = g_malloc (160 * 120);
  GstBuffer *in = gst_buffer_new_allocate (NULL, 160 * 120, NULL), *out;
  gchar *path, *launch;
  GstHarness *h;
  GstMapInfo map;
  gint worst = 0;

  fail_unless (gst_buffer_map (in, &map, GST_MAP_WRITE));
  for (gint y = 0; y < 120; y++) {
    for (gint x = 0; x < 160; x++) {
      gint i = y * 160 + x;

      clean[i] = 10 + x + y / 2;
      /* Lines with a width of 3 to 8 pixels, none of which touches a corner of the frame */
      mask[i] = (y >= 20 && y < 23) || (x >= 50 && x < 58 && y > 5 && y < 110)
          || ABS (x - y - 20) < 3 ? 255 : 0;
      map.data[i] = mask[i] != 0 ? 255 : clean[i];
    }
  }
  gst_buffer_unmap (in, &map);
  path = write_mask (mask, 160, 120);
  launch = g_strdup_printf ("mgpuinpaint method=%s mask-location=%s",
      methods[__i__], path);
  h = harness_new (launch, caps, caps);
  out = harness_push_pull (h, in);
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  for (gint i = 0; i < 160 * 120; i++)
    worst = MAX (worst, ABS (map.data[i] - clean[i]));
  g_print ("gradient: %d levels off at most\n", worst);
  fail_unless (worst <= 1, "%d", worst);
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  g_unlink (path);
  g_free (launch);
  g_free (path);
  g_free (clean);
  g_free (mask);
}

GST_END_TEST;

/* Returns: the mean squared error of a 16-pixel-wide pole that is filled with @method, in an image
 * of straight edges */
static gdouble
find_edge_error (const gchar * method)
{
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, 160, 120);
  g_autofree gchar *launch = g_strdup_printf
      ("mgpuinpaint method=%s rectangle=72,0,16,120", method);
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  GstBuffer *in = gst_buffer_new_allocate (NULL, 160 * 120, NULL), *out;
  guint8 clean[160 * 120];
  GstMapInfo map;
  gdouble sum = 0;

  fail_unless (gst_buffer_map (in, &map, GST_MAP_WRITE));
  for (gint y = 0; y < 120; y++) {
    for (gint x = 0; x < 160; x++) {
      gint slope = y / 40 - 1;  /* slope of the edge, which differs for each of the three edges of
                                 * the image */

      clean[y * 160 + x] = 2 * (y % 40 - 20) + slope * (x - 80) < 0 ? 60 : 180;
      map.data[y * 160 + x] = x >= 72 && x < 88 ? 255 : clean[y * 160 + x];
    }
  }
  gst_buffer_unmap (in, &map);
  out = harness_push_pull (h, in);
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  for (gint i = 0; i < 160 * 120; i++)
    sum += (map.data[i] - clean[i]) * (map.data[i] - clean[i]);
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
  return sum / (16 * 120);
}

/* Tests that straight edges continue behind a pole. */
GST_START_TEST (test_edges)
{
  gdouble lines = find_edge_error ("directional");
  gdouble surface = find_edge_error ("harmonic");

  g_print ("edges: %g, a smooth surface: %g\n", lines, surface);
  fail_unless (lines < 0.5 * surface, "%g, %g", lines, surface);
}

GST_END_TEST;

/* ---- Shades ------------------------------------------------------------------------ */

#define SHADE_WIDTH 768
#define SHADE_HEIGHT 576

/* A smooth image, the rectangle of it that is hidden, and the maximum error of the filling in
 * levels */
typedef struct
{
  const gchar *method;
    guint8 (*paint) (gint x, gint y);
  gint x, y, width, height;
  gint limit;
} Shade;

static guint8
paint_white (gint x, gint y)
{
  return 255;
}

static guint8
paint_ramp (gint x, gint y)
{
  return 60 + (140 * x + SHADE_WIDTH / 2) / (SHADE_WIDTH - 1);
}

static guint8
paint_ramp_down (gint x, gint y)
{
  return 60 + (140 * y + SHADE_HEIGHT / 2) / (SHADE_HEIGHT - 1);
}

/* Returns a sample of an image that becomes darker toward the corners on one diagonal, and brighter
 * toward the other corners. Each sample is the mean of its neighbors, as in a membrane, but the
 * values along the sides are not linear. */
static guint8
paint_saddle (gint x, gint y)
{
  return 128 + 100 * (x - SHADE_WIDTH / 2) * (y - SHADE_HEIGHT / 2)
      / (SHADE_WIDTH * SHADE_HEIGHT / 4);
}

static guint8
paint_vignette (gint x, gint y)
{
  gint u = 2 * x - SHADE_WIDTH + 1, v = 2 * y - SHADE_HEIGHT + 1;

  return 200 - 100 * (u * u + v * v) / (960 * 960);
}

/* Returns a sample of an image with a lens's vignette, the fourth power of the cosine; the corners
 * are a quarter darker. */
static guint8
paint_cosine (gint x, gint y)
{
  gint u = 2 * x - SHADE_WIDTH + 1, v = 2 * y - SHADE_HEIGHT + 1;
  gdouble cosine = 1 / (1 + 0.15 * (u * u + v * v) / (960.0 * 960.0));

  return (guint8) (240 * cosine * cosine + 0.5);
}

/* Returns a sample of a linear slope with noise, a sum of uniform random numbers, of a standard
 * deviation of about 3 levels. */
static guint8
paint_noise (gint x, gint y)
{
  guint32 hash = (guint32) (y * SHADE_WIDTH + x) * 2654435761u;
  gint sum = 0;

  for (gint i = 0; i < 3; i++) {
    hash = (hash ^ hash >> 15) * 2246822519u;
    sum += (gint) (hash >> 16) % 13 - 6;
  }
  return paint_ramp (x, y) + sum / 2;
}

static const Shade shades[] = {
  {"harmonic", paint_ramp, 150, 100, 450, 380, 1},
  {"harmonic", paint_ramp, 151, 101, 449, 383, 1},
  {"harmonic", paint_ramp, 1, 1, 766, 574, 1},
  {"harmonic", paint_ramp, 150, 100, 80, 80, 1},
  {"harmonic", paint_ramp, 150, 100, 20, 20, 1},
  {"harmonic", paint_ramp, 50, 0, 450, 380, 1},
  {"harmonic", paint_ramp, 50, 0, 450, 576, 1},
  {"harmonic", paint_ramp_down, 0, 50, 450, 380, 1},
  {"harmonic", paint_saddle, 150, 100, 450, 380, 1},
  {"harmonic", paint_saddle, 60, 30, 513, 500, 1},
  {"harmonic", paint_vignette, 300, 200, 80, 80, 1},
  {"harmonic", paint_vignette, 20, 20, 20, 20, 1},
  {"harmonic", paint_white, 0, 0, 767, 576, 1},
  {"harmonic", paint_white, 0, 1, 768, 575, 0},
  {"harmonic", paint_white, 0, 0, 450, 380, 0},
  {"harmonic", paint_vignette, 150, 100, 450, 380, 1},
  {"harmonic", paint_cosine, 150, 100, 450, 380, 1},
  {"harmonic", paint_ramp, 0, 0, 160, 160, 1},
  {"auto", paint_ramp, 150, 100, 80, 80, 1},
  {"auto", paint_vignette, 300, 200, 80, 80, 1},
  {"auto", paint_ramp, 150, 100, 450, 380, 1},
  {"auto", paint_vignette, 150, 100, 450, 380, 1},
  {"auto", paint_vignette, 0, 0, 160, 160, 1},
  {"auto", paint_saddle, 150, 100, 450, 380, 1},
  {"auto", paint_cosine, 150, 100, 450, 380, 1},
  {"auto", paint_white, 150, 100, 450, 380, 0}
};

/* Tests that a hole of any size in a smooth image is filled with the continuation of the image. */
GST_START_TEST (test_shades)
{
  const Shade *s = &shades[__i__];
  gsize size = SHADE_WIDTH * SHADE_HEIGHT;
  g_autofree gchar *caps =
      caps_string (GST_VIDEO_FORMAT_GRAY8, SHADE_WIDTH, SHADE_HEIGHT);
  g_autofree gchar *launch = g_strdup_printf ("mgpuinpaint method=%s "
      "rectangle=%d,%d,%d,%d", s->method, s->x, s->y, s->width, s->height);
  g_autofree guint8 *hidden = g_malloc (size);
  gint least = 0, most = 0;
  g_autoptr (GstHarness) h = NULL;
  g_autoptr (GstBuffer) out = NULL;
  GstMapInfo map;

  for (gint y = 0; y < SHADE_HEIGHT; y++)
    for (gint x = 0; x < SHADE_WIDTH; x++)
      hidden[y * SHADE_WIDTH + x] = x >= s->x && x < s->x + s->width
          && y >= s->y && y < s->y + s->height ? 0 : s->paint (x, y);
  h = harness_new (launch, caps, caps);
  out = harness_push_pull (h, gst_buffer_new_memdup (hidden, size));
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  for (gint y = 0; y < SHADE_HEIGHT; y++) {
    for (gint x = 0; x < SHADE_WIDTH; x++) {
      gint off = map.data[y * SHADE_WIDTH + x] - s->paint (x, y);

      least = MIN (least, off);
      most = MAX (most, off);
    }
  }
  g_print ("shade %d, %s: %d to %d levels off\n", __i__, launch, least, most);
  fail_unless (least >= -s->limit && most <= s->limit, "%s: %d to %d levels",
      launch, least, most);
  gst_buffer_unmap (out, &map);
}

GST_END_TEST;

/* Tests that a wide hole in a noisy slope is filled with the slope, with noise like the noise
 * around the hole. The means of squares of 20 pixels have an error of at most 1.5 levels. */
GST_START_TEST (test_noisy_shade)
{
  gsize size = SHADE_WIDTH * SHADE_HEIGHT;
  g_autofree gchar *caps =
      caps_string (GST_VIDEO_FORMAT_GRAY8, SHADE_WIDTH, SHADE_HEIGHT);
  g_autofree guint8 *hidden = g_malloc (size);
  g_autoptr (GstHarness) h = NULL;
  g_autoptr (GstBuffer) out = NULL;
  GstMapInfo map;

  for (gint y = 0; y < SHADE_HEIGHT; y++)
    for (gint x = 0; x < SHADE_WIDTH; x++)
      hidden[y * SHADE_WIDTH + x] = x >= 200 && x < 500 && y >= 100 && y < 400
          ? 0 : paint_noise (x, y);
  h = harness_new ("mgpuinpaint rectangle=200,100,300,300", caps, caps);
  out = harness_push_pull (h, gst_buffer_new_memdup (hidden, size));
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  for (gint y = 100; y < 400; y += 20) {
    for (gint x = 200; x < 500; x += 20) {
      gdouble sum = 0, squares = 0;

      for (gint i = 0; i < 400; i++) {
        gint u = x + i % 20, v = y + i / 20;
        gint off = map.data[v * SHADE_WIDTH + u] - paint_ramp (u, v);

        sum += off / 400.0;
        squares += off * off / 400.0;
      }
      fail_unless (ABS (sum) <= 1.5, "%g levels off at (%d, %d)", sum, x, y);
      squares = sqrt (squares - sum * sum);
      fail_unless (squares >= 2
          && squares <= 4, "noise of %g levels at (%d, %d)", squares, x, y);
    }
  }
  gst_buffer_unmap (out, &map);
}

GST_END_TEST;

/* Images in which the correct filling of a hole is known */
typedef struct
{
  const gchar *name;
  gint radius;                  /* radius of the round hole in the middle */
  /* Returns: the sample at (@x, @y) relative to the middle of the image */
    guint8 (*paint) (gint x, gint y);
} Known;

static guint8
paint_left_and_right (gint x, gint y)
{
  return x < 3 ? 40 : 200;
}

static guint8
paint_above_and_below (gint x, gint y)
{
  return y < -2 ? 90 : 140;
}

static guint8
paint_diagonal (gint x, gint y)
{
  return x + y < 4 ? 20 : 230;
}

static guint8
paint_stripes (gint x, gint y)
{
  return 40 + (x + 1000) % 11 * 13;
}

static guint8
paint_tiles (gint x, gint y)
{
  return 30 + ((x + 1000) % 5) * ((y + 1000) % 7) * 8;
}

static const Known known[] = {
  {"left and right", 40, paint_left_and_right},
  {"left and right", 60, paint_left_and_right},
  {"above and below", 40, paint_above_and_below},
  {"diagonal", 40, paint_diagonal},
  {"stripes", 16, paint_stripes},
  {"tiles", 12, paint_tiles}
};

/* Tests that flat areas, straight edges and repeating textures are continued exactly. */
GST_START_TEST (test_known_answers)
{
  const Known *k = &known[__i__];
  gint width = 5 * k->radius, height = 4 * k->radius;
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, width, height);
  g_autofree guint8 *clean = g_malloc ((gsize) width * height);
  g_autofree guint8 *hidden = g_malloc ((gsize) width * height);
  g_autofree guint8 *mask = g_malloc0 ((gsize) width * height);
  gchar *path, *launch;
  GstHarness *h;
  GstBuffer *out;
  GstMapInfo map;
  gint wrong = 0;

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      gint i = y * width + x, u = x - width / 2, v = y - height / 2;

      clean[i] = k->paint (u, v);
      mask[i] = u * u + v * v <= k->radius * k->radius ? 255 : 0;
      hidden[i] = mask[i] != 0 ? 255 : clean[i];
    }
  }
  path = write_mask (mask, width, height);
  launch = g_strdup_printf ("mgpuinpaint mask-location=%s", path);
  h = harness_new (launch, caps, caps);
  out = harness_push_pull (h, gst_buffer_new_memdup (hidden,
          (gsize) width * height));
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  for (gint i = 0; i < width * height; i++)
    wrong += map.data[i] != clean[i];
  fail_unless (wrong == 0, "%s, radius %d: %d pixels are wrong", k->name,
      k->radius, wrong);
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  g_unlink (path);
  g_free (launch);
  g_free (path);
}

GST_END_TEST;

/* Number of combinations of SEAM and BLEND: neither, each alone, and both */
#define N_WAYS 4

/* Measures the filling of @picture with each combination of SEAM and BLEND. Fails if a combination
 * with SEAM, BLEND or both gives the same bytes as the filling with neither. */
static void
measure (GstHarness * h, const guint8 * clean, const guint8 * picture,
    const guint8 * mask, RefSceneQuality * q)
{
  GstBuffer *plain = NULL;

  for (guint i = 0; i < N_WAYS; i++) {
    GstBuffer *out;
    GstMapInfo map;

    set_quality (h, i);
    out =
        harness_push_pull (h, gst_buffer_new_memdup (picture, 3 * SCENE_SIZE));
    fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
    q[i] = ref_scene_measure (clean, map.data, mask);
    fail_unless (plain == NULL
        || gst_buffer_memcmp (plain, 0, map.data, map.size) != 0);
    gst_buffer_unmap (out, &map);
    if (plain == NULL)
      plain = out;
    else
      gst_buffer_unref (out);
  }
  gst_buffer_unref (plain);
}

/* Tests the error at seams, and the strength of the filled texture, against limits. Measured values
 * are in docs/algorithms/inpaint.md. */
GST_START_TEST (test_quality)
{
  static const gdouble limits[REF_N_SCENES][N_WAYS] = {
    {0.3, 0.3, 0.3, 0.3}, {5.5, 2.3, 4, 0.9}, {1, 1.2, 0.6, 0.9},
    {2.8, 1.6, 2.3, 1.2}
  };
  static const gchar *const ways[N_WAYS] = {
    "plain", "smooth-seams", "blend", "both"
  };
  const guint32 seed = 2026;
  guint8 *clean = g_malloc (3 * SCENE_SIZE), *picture =
      g_malloc (3 * SCENE_SIZE);
  g_autofree guint8 *mask = g_malloc (SCENE_SIZE);
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_RGB, REF_SCENE_WIDTH,
      REF_SCENE_HEIGHT);

  g_print ("seed %u\n", seed);
  for (RefScene scene = 0; scene < REF_N_SCENES; scene++) {
    RefSceneQuality q[N_WAYS];
    gchar *path, *launch;
    GstHarness *h;

    ref_scene_paint (scene, seed, clean, picture, mask);
    path = write_mask (mask, REF_SCENE_WIDTH, REF_SCENE_HEIGHT);
    launch = g_strdup_printf ("mgpuinpaint method=exemplar mask-location=%s",
        path);
    h = harness_new (launch, caps, caps);
    measure (h, clean, picture, mask, q);
    for (guint i = 0; i < N_WAYS; i++) {
      g_print ("%-20s %-12s seam %5.2f, texture %.2f, PSNR %.1f dB\n",
          ref_scene_name (scene), ways[i], q[i].seam, q[i].texture, q[i].psnr);
      fail_unless (ABS (q[i].seam) <= limits[scene][i], "%g", q[i].seam);
      fail_unless (q[i].texture >= 0.9 && q[i].texture <= 1.2, "%g",
          q[i].texture);
      fail_unless (!(i & BLEND) || q[i].psnr > q[i & ~BLEND].psnr, "%g",
          q[i].psnr);
    }
    gst_harness_teardown (h);
    g_unlink (path);
    g_free (launch);
    g_free (path);
  }
  g_free (clean);
  g_free (picture);
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaintquality)
{
  tcase_add_loop_test (tc, test_options, 0, G_N_ELEMENTS (several_formats));
  tcase_add_loop_test (tc, test_methods, 0, G_N_ELEMENTS (several_formats));
  tcase_add_loop_test (tc, test_gradient, 0, 2);
  tcase_add_test (tc, test_edges);
  tcase_add_loop_test (tc, test_shades, 0, G_N_ELEMENTS (shades));
  tcase_add_test (tc, test_noisy_shade);
  tcase_add_loop_test (tc, test_known_answers, 0, G_N_ELEMENTS (known));
  tcase_add_test (tc, test_quality);
}
