/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes frames of a simulated camera that moves over a painting. */
#pragma once

#include "common.h"

#include <math.h>

#define WIDTH 320
#define HEIGHT 240
/* Size of the painting, and initial position of the camera */
#define LARGE_WIDTH 480
#define LARGE_HEIGHT 360
#define BEGIN_X 80
#define BEGIN_Y 60

#define CAPS HOST_CAPS ("GRAY8", 320, 240)

/* Simulated motions of a hand-held camera, in pixels from the initial position */
static const gint shake[][2] = {
  {0, 0}, {3, -2}, {-2, 4}, {5, 1}, {-4, -3}, {1, 5}, {6, -4}, {-5, 2}, {2, 3},
  {-3, -5}, {4, 4}, {-1, -2}, {5, 0}, {-6, 3}, {3, -4}, {0, 2}, {-2, -3}, {4, 1},
  {-4, 5}, {1, -1}
};

#define N ((gint) G_N_ELEMENTS (shake))

/* Paints discs. Returns: (transfer full): LARGE_WIDTH x LARGE_HEIGHT gray levels */
static inline guint8 *
paint (guint seed)
{
  guint8 *picture = g_malloc (LARGE_WIDTH * LARGE_HEIGHT);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  memset (picture, 128, LARGE_WIDTH * LARGE_HEIGHT);
  for (guint i = 0; i < 900; i++) {
    gint x = g_rand_int_range (random, 0, LARGE_WIDTH);
    gint y = g_rand_int_range (random, 0, LARGE_HEIGHT);
    gint r = g_rand_int_range (random, 3, 12);
    guint8 grey = g_rand_int_range (random, 0, 256);

    for (gint v = MAX (y - r, 0); v < MIN (y + r, LARGE_HEIGHT); v++)
      for (gint u = MAX (x - r, 0); u < MIN (x + r, LARGE_WIDTH); u++)
        if ((u - x) * (u - x) + (v - y) * (v - y) < r * r)
          picture[v * LARGE_WIDTH + u] = grey;
  }
  return picture;
}

/* Returns: frame @i, the view of a camera at (@x, @y), relative to its initial position over a
 * painting */
static inline GstBuffer *
see (const guint8 * picture, gint x, gint y, guint i)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);

  for (gint row = 0; row < HEIGHT; row++)
    gst_buffer_fill (buffer, row * WIDTH, picture + (row + BEGIN_Y + y)
        * LARGE_WIDTH + BEGIN_X + x, WIDTH);
  GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

static inline GstBuffer *
see_shaken (const guint8 * picture, guint i)
{
  return see (picture, shake[i % N][0], shake[i % N][1], i);
}

static inline GstBuffer *
see_nothing (guint i)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);

  gst_buffer_memset (buffer, 0, 99, WIDTH * HEIGHT);
  GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
  return buffer;
}

/* Makes a harness whose frames are pushed at once, also on graphics cards. */
static inline GstHarness *
stabilizer_new (const gchar * properties, GstBus ** bus)
{
  g_autofree gchar *launch = g_strconcat ("mgpustabilize name=f max-in-flight=1 ",
      properties, NULL);
  GstHarness *h = harness_new (launch, CAPS, "video/x-raw");

  if (bus != NULL)
    *bus = harness_bus (h);
  return h;
}

static inline void
push (GstHarness * h, GstBuffer * buffer)
{
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
}

/* Pulls the next frame, which has to be frame @i. Returns: (transfer full): the frame */
static inline GstBuffer *
pull (GstHarness * h, guint i)
{
  GstBuffer *buffer = gst_harness_try_pull (h);

  fail_unless (buffer != NULL, "frame %u has not left", i);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), i * 40 * GST_MSECOND);
  return buffer;
}

static inline GstMgpuMotionState
get_state (GstBuffer * buffer)
{
  GstMgpuMotionMeta *meta = gst_buffer_get_mgpu_motion_meta (buffer);

  fail_unless (meta != NULL);
  return gst_mgpu_motion_meta_get_state (meta);
}

/* Compares a motion with a translation. */
static inline void
check_distance (const gdouble * m, gdouble x, gdouble y, gdouble most)
{
  fail_unless (fabs (m[2] / m[8] - x) <= most && fabs (m[5] / m[8] - y) <= most,
      "(%g, %g) and not (%g, %g)", m[2], m[5], x, y);
}

static inline void
check_shift (const gdouble * m, gdouble x, gdouble y, gdouble most)
{
  /* Computes the motion of the center of the frame. */
  gdouble u = WIDTH / 2.0, v = HEIGHT / 2.0, w = m[6] * u + m[7] * v + m[8];
  const gdouble at[9] = { 1, 0, (m[0] * u + m[1] * v + m[2]) / w - u, 0, 1,
    (m[3] * u + m[4] * v + m[5]) / w - v, 0, 0, 1
  };

  check_distance (at, x, y, most);
}
