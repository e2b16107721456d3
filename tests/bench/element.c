/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the cost of a frame in mgpubilateral in addition to its kernels: the same frames pass
 * alternately through the element with pooled buffers and through the algorithm alone; medians
 * count. Then measures the time to the first frame, and the growth of resident memory over many
 * frames.
 *
 *   bench-element [WIDTH HEIGHT FORMAT ROUNDS]      default: 1920 1080 GRAY8 60
 */
#include "../check/harness.h"
#include <gst/mgpu/mgpu.h>
#include <gst/vision/bilateral/bilateral.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../resident.h"

#define MANY 10000
#define WARM 100

static GstMgpuContext *context;
static GstVideoInfo info;
static MgpuBilateralParams params = { 30, 3, 4, FALSE, MGPU_BILATERAL_EXACT, 0 };

static gdouble
now_ms (void)
{
  return g_get_monotonic_time () / 1000.0;
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble d = *(const gdouble *) a - *(const gdouble *) b;

  return d < 0 ? -1 : d > 0;
}

static gdouble
median (GArray * values)
{
  g_array_sort (values, compare_doubles);
  return g_array_index (values, gdouble, values->len / 2);
}

static void
check (gboolean ok, GError * error)
{
  if (!ok)
    g_error ("%s", error != NULL ? error->message : "failed");
}

static void
fill (GstBuffer * buffer)
{
  GstMapInfo map;

  check (gst_buffer_map (buffer, &map, GST_MAP_WRITE), NULL);
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) ((i * 2654435761u) >> 24) / 8 + (guint8) (i / 64);
  gst_buffer_unmap (buffer, &map);
}

static void
wait_for (GstBuffer * buffer)
{
  GError *error = NULL;
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  check (gst_mgpu_memory_wait ((GstMgpuMemory *) memory, &error), error);
}

static GstHarness *
open_element (const gchar * caps)
{
  GstHarness *h = gst_harness_new ("mgpubilateral");
  GstContext *carrier = gst_context_new_mgpu_context (context);

  gst_element_set_context (h->element, carrier);
  gst_context_unref (carrier);
  g_object_set (h->element, "sigma-color", params.sigma_color, "sigma-space",
      params.sigma_space, "radius", params.radius, NULL);
  gst_harness_set_caps_str (h, caps, caps);
  return h;
}

/* Measures the time of one frame in a buffer of the pool that the element offers. */
static gdouble
through_element (GstHarness * h)
{
  g_autoptr (GstBuffer) buffer = gst_harness_create_buffer (h, info.size);
  gdouble start;

  fill (buffer);
  start = now_ms ();
  buffer = gst_harness_push_and_pull (h, buffer);
  wait_for (buffer);
  start = now_ms () - start;
  return start;
}

static gdouble
through_kernels (gpointer bilateral, GstMgpuQueue * queue,
    GstBuffer * in, GstBuffer * out)
{
  gdouble start = now_ms ();
  MgpuImage from, to;
  const MgpuWork work = { &params, &from, NULL, &to };
  GError *error = NULL;
  GstMgpuJob job;

  mgpu_image_from_buffer (&from, in, &info);
  mgpu_image_from_buffer (&to, out, &info);
  gst_mgpu_job_begin (&job, queue, NULL);
  mgpu_bilateral.enqueue (bilateral, &job, &work);
  check (gst_mgpu_job_end (&job, &error), error);
  wait_for (out);
  return now_ms () - start;
}

static GstBuffer *
new_frame (GstMgpuQueue * queue)
{
  GError *error = NULL;
  GstMemory *memory = gst_mgpu_memory_new (queue, info.size, NULL, &error);
  GstBuffer *buffer = gst_buffer_new ();

  check (memory != NULL, error);
  gst_buffer_append_memory (buffer, memory);
  return buffer;
}

static void
compare_with_kernels (const gchar * caps, guint rounds)
{
  g_autoptr (GArray) element = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_autoptr (GArray) kernels = g_array_new (FALSE, FALSE, sizeof (gdouble));
  GError *error = NULL;
  g_autoptr (GstMgpuQueue) queue = gst_mgpu_queue_new (context, &error);
  gpointer bilateral = mgpu_object_new (&mgpu_bilateral, context, &info, NULL,
      &info, &params, &error);
  g_autoptr (GstHarness) h = open_element (caps);
  g_autoptr (GstBuffer) in = NULL, out = NULL;
  gdouble a, b;

  check (queue != NULL && bilateral != NULL, error);
  in = new_frame (queue);
  out = new_frame (queue);
  for (guint i = 0; i < rounds + 5; i++) {
    a = through_element (h);
    fill (in);
    b = through_kernels (bilateral, queue, in, out);
    if (i >= 5) {
      g_array_append_val (element, a);
      g_array_append_val (kernels, b);
    }
  }
  a = median (element);
  b = median (kernels);
  printf ("frame through the element %.3f ms, kernels alone %.3f ms, "
      "difference %.3f ms (allowed %.3f)\n", a, b, a - b, MAX (0.05 * b, 0.1));

  mgpu_object_free (bilateral);
}

static void
first_frame (const gchar * caps)
{
  gdouble start = now_ms ();
  g_autoptr (GstHarness) h = open_element (caps);
  g_autoptr (GstBuffer) buffer = gst_harness_create_buffer (h, info.size);

  buffer = gst_harness_push_and_pull (h, buffer);
  wait_for (buffer);
  printf ("first frame after %.1f ms\n", now_ms () - start);
}

static void
growth (void)
{
  g_autoptr (GstHarness) h = open_element ("video/x-raw,format=NV12,width=160,height=120,"
      "framerate=30/1");
  glong before = 0;

  for (guint i = 0; i < MANY; i++) {
    GstBuffer *buffer = gst_harness_create_buffer (h, 160 * 120 * 3 / 2);

    buffer = gst_harness_push_and_pull (h, buffer);
    wait_for (buffer);
    gst_buffer_unref (buffer);
    if (i == WARM)
      before = resident_kib ();
  }
  printf ("resident memory grew by %ld KiB from frame %d to %d\n",
      resident_kib () - before, WARM, MANY);
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autofree gchar *text = NULL;

  gst_init (&argc, &argv);
  context = gst_mgpu_context_new (NULL, &error);
  check (context != NULL, error);
  text = g_strdup_printf ("video/x-raw,format=%s,width=%s,height=%s,"
      "framerate=30/1", argc > 3 ? argv[3] : "GRAY8",
      argc > 1 ? argv[1] : "1920", argc > 2 ? argv[2] : "1080");
  caps = gst_caps_from_string (text);
  check (gst_video_info_from_caps (&info, caps), NULL);

  printf ("%s, %s\n", gst_mgpu_context_get_device_name (context), text);
  first_frame (text);
  compare_with_kernels (text, argc > 4 ? atoi (argv[4]) : 60);
  growth ();

  gst_object_unref (context);
  return 0;
}
