/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the median time that mgputrack takes for a frame with its metas.
 *
 *   bench-track [BOXES ...]      default: 10 30 50 200 */
#include "../check/harness.h"
#include <gst/video/video.h>

#include <stdio.h>
#include <stdlib.h>

#define FRAMES 500

/* Makes boxes that move through the frame, some of them overlapping. */
static GstBuffer *
make_frame (guint frame, guint n)
{
  GstBuffer *buffer = gst_buffer_new ();

  for (guint i = 0; i < n; i++)
    gst_video_region_of_interest_meta_add_param
        (gst_buffer_add_video_region_of_interest_meta (buffer, "person",
            (i * 53 + frame * (1 + i % 4)) % 1800, i * 97 % 900, 60, 150),
        gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE, 0.9,
            NULL));
  return buffer;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  gint64 i = *(const gint64 *) a, j = *(const gint64 *) b;

  return i < j ? -1 : i > j;
}

static void
measure (guint n)
{
  g_autoptr (GstHarness) h = gst_harness_new ("mgputrack");
  gint64 times[FRAMES];

  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=GRAY8,width=1920,height=1080,framerate=25/1");
  for (guint i = 0; i < FRAMES; i++) {
    g_autoptr (GstBuffer) buffer = make_frame (i, n);

    times[i] = g_get_monotonic_time ();
    buffer = gst_harness_push_and_pull (h, buffer);
    times[i] = g_get_monotonic_time () - times[i];
    if (buffer == NULL)
      g_error ("mgputrack gives no frame");
  }
  qsort (times, FRAMES, sizeof (*times), compare);
  printf ("%4u boxes: %.3f ms a frame\n", n, times[FRAMES / 2] / 1000.0);
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = { 10, 30, 50, 200 };

  gst_init (&argc, &argv);
  for (gint i = 1; i < argc; i++)
    measure (atoi (argv[i]));
  for (guint i = 0; argc < 2 && i < G_N_ELEMENTS (sizes); i++)
    measure (sizes[i]);
  return 0;
}
