/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that filters weight colors by alpha, so that transparent pixels cause no dark or bright
 * fringes. */
#include "common.h"

#include <math.h>
#include <string.h>

#define WIDTH 96
#define HEIGHT 64
#define N_BYTES (4 * WIDTH * HEIGHT)

/* Lists the filters that change colors but not alpha. Filters that weight colors by alpha ignore
 * the colors of transparent pixels. */
static const struct
{
  const gchar *launch;
  gboolean weighs;
} filters[] = {
  {"mgpublur sigma=1.5", TRUE},
  {"mgpublur sigma=6", TRUE},
  {"mgpublur method=pixelate block-size=10", TRUE},
  {"mgpublur method=fill color=0x80ffffff", TRUE},
  {"mgpusharpen amount=-1 sigma=6", TRUE},
  {"mgpusharpen amount=2 threshold=3", TRUE},
  {"mgpubilateral sigma-space=6 sigma-color=1000", TRUE},
  {"mgpubilateral sigma-space=2 radius=4 sigma-color=1000", TRUE},
  {"mgpubilateral method=grid sigma-space=6 sigma-color=1000", TRUE},
  {"mgpubilateral method=constant-time sigma-space=6 sigma-color=1000", TRUE},
  {"mgpuintegral box-radius=8", TRUE},
  {"mgpudenoise spatial=8 noise=32", FALSE},
  {"mgpuhisteq", FALSE},
  {"mgpuhisteq method=clahe tiles-x=2 tiles-y=2", FALSE},
  {"mgpuhisteq method=levels", FALSE},
  {"mgpulocalcontrast detail=1 shadows=0.5 highlights=0.5", FALSE}
};

/* Elements that filter alpha like a color, because they require premultiplied frames */
static const gchar *const scalers[] = {
  "mgpuconvert ! video/x-raw(ANY),width=72,height=40",
  "mgpuconvert method=area ! video/x-raw(ANY),width=40,height=24",
  "mgpuremap input=perspective input-fov=60 fov=50 pan=3",
  "mgpustabilize look-ahead=0 zoom=1.3"
};

/* Lists elements that do not filter, and mgpupyramid, whose tests check that it treats all bytes of
 * a pixel alike. */
static const gchar *const others[] = {
  "mgpudownload", "mgpuflow", "mgpuhog", "mgpuinpaint", "mgpukernel", "mgpumatch",
  "mgpumetajson", "mgpumotion", "mgpuoverlay", "mgpupyramid", "mgpusift", "mgputags",
  "mgputrack", "mgpuupload"
};

/* Formats with alpha, formats with the same order of colors and no alpha, and the bytes of a
 * pixel that hold red, green, blue and alpha */
static const struct
{
  const gchar *alpha, *opaque;
  guint bytes[4];
} formats[] = {
  {"RGBA", "RGBx", {0, 1, 2, 3}},
  {"ARGB", "xRGB", {1, 2, 3, 0}},
  {"BGRA", "BGRx", {2, 1, 0, 3}},
  {"ABGR", "xBGR", {3, 2, 1, 0}}
};

/* Sends a frame of 4 bytes per pixel through @launch. Returns: (transfer full): the bytes of the
 * output frame */
static GBytes *
run (const gchar * launch, const gchar * format, const guint8 * pixels)
{
  g_autofree gchar *caps =
      g_strdup_printf ("video/x-raw,format=%s,width=%d,height=%d,"
      "framerate=25/1", format, WIDTH, HEIGHT);
  g_autoptr (GstHarness) h = harness_open (launch);
  g_autoptr (GstBuffer) out = NULL;
  GstMapInfo map;
  GBytes *bytes;

  gst_harness_set_src_caps_str (h, caps);
  out = harness_push_pull (h, gst_buffer_new_memdup (pixels, N_BYTES));
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  bytes = g_bytes_new (map.data, map.size);
  gst_buffer_unmap (out, &map);
  return bytes;
}

/* Returns: the alpha (0 to 255) of pixel @i of a disc with a soft edge */
static guint8
disc (guint i, gdouble softness)
{
  gdouble x = i % WIDTH - WIDTH / 2.0, y = i / WIDTH - HEIGHT / 2.0;

  return CLAMP (128 + (24 - hypot (x, y)) * 128 / softness, 0, 255);
}

/* Tests that white opaque pixels stay white next to transparent black pixels. */
GST_START_TEST (test_halo)
{
  guint8 pixels[N_BYTES];

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    guint alpha = formats[f].bytes[3], least = 255, n = 0;
    const guint8 *out;
    g_autoptr (GBytes) bytes = NULL;
    gsize size;

    for (guint i = 0; i < WIDTH * HEIGHT; i++)
      memset (pixels + 4 * i, disc (i, 0.5) < 128 ? 0 : 255, 4);
    bytes = run (filters[__i__].launch, formats[f].alpha, pixels);
    out = g_bytes_get_data (bytes, &size);
    fail_unless_equals_uint64 (size, N_BYTES);
    for (guint i = 0; i < N_BYTES; i++) {
      fail_unless (i % 4 != alpha || out[i] == pixels[i]);
      if (out[i / 4 * 4 + alpha] == 255) {
        least = MIN (least, out[i]);
        n++;
      }
    }
    fail_unless (n > 1000);
    fail_unless (least >= 254, "%s, %s: an opaque white pixel became %u",
        filters[__i__].launch, formats[f].alpha, least);
  }
}

GST_END_TEST;

/* Fills pixels with random bytes; a third of the alpha values is 0, and a third is 255. */
static void
fill_random (guint8 * pixels, guint alpha, guint seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (guint i = 0; i < N_BYTES; i++)
    pixels[i] = g_rand_int_range (random, 0, 256);
  for (guint i = alpha; i < N_BYTES; i += 4) {
    guint kind = g_rand_int_range (random, 0, 3);

    pixels[i] = kind == 0 ? 0 : kind == 1 ? 255 : pixels[i];
  }
}

/* Tests that colors of transparent pixels have no effect on visible pixels. */
GST_START_TEST (test_hidden)
{
  guint8 pixels[N_BYTES], others[N_BYTES];

  for (guint f = 0; f < G_N_ELEMENTS (formats) && filters[__i__].weighs; f++) {
    guint alpha = formats[f].bytes[3];
    const guint8 *a, *b;
    g_autoptr (GBytes) first = NULL, second = NULL;

    fill_random (pixels, alpha, f);
    memcpy (others, pixels, N_BYTES);
    for (guint i = 0; i < N_BYTES; i++)
      if (i % 4 != alpha && pixels[i / 4 * 4 + alpha] == 0)
        others[i] = ~others[i];
    first = run (filters[__i__].launch, formats[f].alpha, pixels);
    second = run (filters[__i__].launch, formats[f].alpha, others);
    a = g_bytes_get_data (first, NULL);
    b = g_bytes_get_data (second, NULL);
    for (guint i = 0; i < N_BYTES; i++)
      fail_unless (pixels[i / 4 * 4 + alpha] == 0 || a[i] == b[i],
          "%s, %s: byte %u is %u or %u", filters[__i__].launch,
          formats[f].alpha, i, a[i], b[i]);
  }
}

GST_END_TEST;

/* Tests that frames that are opaque everywhere give the same result as frames without alpha. */
GST_START_TEST (test_opaque)
{
  guint8 pixels[N_BYTES];

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (GBytes) first = NULL, second = NULL;

    fill_random (pixels, 0, 10 + f);
    for (guint i = formats[f].bytes[3]; i < N_BYTES; i += 4)
      pixels[i] = 255;
    first = run (filters[__i__].launch, formats[f].alpha, pixels);
    second = run (filters[__i__].launch, formats[f].opaque, pixels);
    fail_unless (g_bytes_equal (first, second), "%s, %s",
        filters[__i__].launch, formats[f].alpha);
  }
}

GST_END_TEST;

#define SIGMA 2.5
#define SIGMA_COLOR 400.0

static gdouble
box_weight (gint dx, gint dy, gint distance)
{
  return ABS (dx) <= 3 && ABS (dy) <= 3;
}

static gdouble
gaussian_weight (gint dx, gint dy, gint distance)
{
  return exp (-(dx * dx + dy * dy) / (2 * SIGMA * SIGMA));
}

static gdouble
bilateral_weight (gint dx, gint dy, gint distance)
{
  if (dx * dx + dy * dy > 4 * 4)
    return 0;
  return gaussian_weight (dx, dy, 0)
      * exp (-distance * distance / (2 * SIGMA_COLOR * SIGMA_COLOR));
}

/* Computes filters in double precision, by their definition. Their radius is at most 8 pixels. */
static const struct
{
  const gchar *launch;
  gdouble (*weight) (gint dx, gint dy, gint distance);
} definitions[] = {
  {"mgpuintegral box-radius=3", box_weight},
  {"mgpublur sigma=2.5", gaussian_weight},
  {"mgpubilateral sigma-space=2.5 sigma-color=400 radius=4", bilateral_weight}
};

#define REACH 8

/* Returns: the mean of byte k around pixel (x, y) of an RGBA frame, weighted by alpha */
static gdouble
mean_around (const guint8 * pixels, gint x, gint y, guint k,
    gdouble (*weight) (gint dx, gint dy, gint distance))
{
  const guint8 *middle = pixels + 4 * (y * WIDTH + x);
  gdouble sum = 0, weights = 0;

  for (gint dy = -REACH; dy <= REACH; dy++)
    for (gint dx = -REACH; dx <= REACH; dx++) {
      const guint8 *p = middle + 4 * (dy * WIDTH + dx);
      gint distance = ABS (p[0] - middle[0]) + ABS (p[1] - middle[1])
          + ABS (p[2] - middle[2]);
      gdouble w = weight (dx, dy, distance) * p[3];

      sum += w * p[k];
      weights += w;
    }
  return sum / weights;
}

/* Tests that soft edges get the mean of the colors, weighted by alpha. */
GST_START_TEST (test_mean)
{
  guint8 pixels[N_BYTES];
  gdouble worst = 0;
  const guint8 *out;
  g_autoptr (GBytes) bytes = NULL;

  fill_random (pixels, 3, 20);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    pixels[4 * i + 3] = disc (i, 12);
  bytes = run (definitions[__i__].launch, "RGBA", pixels);
  out = g_bytes_get_data (bytes, NULL);
  for (gint y = REACH; y < HEIGHT - REACH; y++)
    for (gint x = REACH; x < WIDTH - REACH; x++)
      for (guint k = 0; k < 3 && pixels[4 * (y * WIDTH + x) + 3] > 0; k++)
        worst = MAX (worst, fabs (out[4 * (y * WIDTH + x) + k]
                - mean_around (pixels, x, y, k, definitions[__i__].weight)));
  fail_unless (worst > 0 && worst <= 1, "%s: an error of %g",
      definitions[__i__].launch, worst);
}

GST_END_TEST;

/* Tests that white stays white in premultiplied frames, where the samples of white equal alpha. */
GST_START_TEST (test_premultiplied)
{
  guint8 pixels[N_BYTES];
  const guint8 *out;
  guint n = 0;
  g_autoptr (GBytes) bytes = NULL;
  gsize size;

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    memset (pixels + 4 * i, disc (i, 6), 4);
  bytes = run (scalers[__i__], "RGBA", pixels);
  out = g_bytes_get_data (bytes, &size);
  for (gsize i = 0; i < size; i++) {
    fail_unless_equals_int (out[i], out[i / 4 * 4 + 3]);
    n += out[i] > 0 && out[i] < 255;
  }
  fail_unless (n > 100);
}

GST_END_TEST;

/* Tests that each element of the plugin is in one of the tables. */
GST_START_TEST (test_elements)
{
  gchar **names = elements_list (NULL);

  for (guint i = 0; names[i] != NULL; i++) {
    gboolean is_known = FALSE;

    for (guint j = 0; j < G_N_ELEMENTS (filters); j++)
      is_known |= g_str_has_prefix (filters[j].launch, names[i]);
    for (guint j = 0; j < G_N_ELEMENTS (scalers); j++)
      is_known |= g_str_has_prefix (scalers[j], names[i]);
    for (guint j = 0; j < G_N_ELEMENTS (others); j++)
      is_known |= g_str_equal (names[i], others[j]);
    fail_unless (is_known, "%s is not tested with transparent pixels",
        names[i]);
  }
  g_strfreev (names);
}

GST_END_TEST;

CHECK_TESTS (mgpualpha)
{
  tcase_add_loop_test (tc, test_halo, 0, G_N_ELEMENTS (filters));
  tcase_add_loop_test (tc, test_hidden, 0, G_N_ELEMENTS (filters));
  tcase_add_loop_test (tc, test_opaque, 0, G_N_ELEMENTS (filters));
  tcase_add_loop_test (tc, test_mean, 0, G_N_ELEMENTS (definitions));
  tcase_add_loop_test (tc, test_premultiplied, 0, G_N_ELEMENTS (scalers));
  tcase_add_test (tc, test_elements);
}
