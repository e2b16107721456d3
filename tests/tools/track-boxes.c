/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* track-boxes WIDTH HEIGHT FRAMES IN.csv OUT.csv [PROPERTY=VALUE ...]
 *
 * Attaches the boxes of IN.csv as regions to frames 1 to FRAMES, passes them through mgputrack, and
 * writes the resulting boxes that have an id to OUT.csv. Lines are
 * frame,id,x,y,width,height,confidence as in the MOT challenge. Prints the counts of counting
 * lines, and the time per frame. */
#include "../check/harness.h"
#include <gst/mgpu/mgpu.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct
{
  gint frame;
  gdouble x, y, width, height, confidence;
} Row;

static GArray *
read_rows (const gchar * path)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));
  FILE *file = fopen (path, "r");
  Row row;

  if (file == NULL)
    g_error ("%s cannot be read", path);
  while (fscanf (file, "%d,%*f,%lf,%lf,%lf,%lf,%lf", &row.frame, &row.x,
          &row.y, &row.width, &row.height, &row.confidence) == 6)
    g_array_append_val (rows, row);
  if (!feof (file))
    g_error ("%s: line %u is not frame,id,x,y,width,height,confidence", path,
        rows->len + 1);
  fclose (file);
  return rows;
}

/* Rounds to the nearest pixel, also left of the frame. */
static gint
to_pixel (gdouble value)
{
  return (gint) (value + 65536.5) - 65536;
}

static GstBuffer *
make_frame (gint frame, const GArray * rows, guint * next)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_PTS (buffer) = frame * GST_SECOND / 25;
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 25;
  for (; *next < rows->len; (*next)++) {
    const Row *row = &g_array_index (rows, Row, *next);

    if (row->frame != frame)
      break;
    gst_video_region_of_interest_meta_add_param
        (gst_buffer_add_video_region_of_interest_meta (buffer, "person",
            to_pixel (row->x), to_pixel (row->y), to_pixel (row->width),
            to_pixel (row->height)), gst_structure_new ("detection",
            "confidence", G_TYPE_DOUBLE, row->confidence, NULL));
  }
  return buffer;
}

static void
write_rows (gint frame, GstBuffer * buffer, FILE * file)
{
  g_autoptr (GPtrArray) list = gst_mgpu_buffer_get_detections (buffer);

  for (guint i = 0; i < list->len; i++) {
    const GstMgpuDetection *d = list->pdata[i];

    if (d->tracking_id >= 0)
      fprintf (file, "%d,%d,%d,%d,%d,%d,%g\n", frame, (gint) d->tracking_id,
          d->x, d->y, d->width, d->height, d->confidence);
  }
}

static void
print_counts (GstElement * track)
{
  g_autoptr (GstStructure) counts = NULL;
  g_autofree gchar *text = NULL;

  g_object_get (track, "counts", &counts, NULL);
  text = gst_structure_to_string (counts);
  printf ("%s\n", text);
}

static void
run (GstHarness * h, gint n_frames, const GArray * rows, FILE * file)
{
  guint next = 0;
  gint64 time = 0;

  for (gint frame = 1; frame <= n_frames; frame++) {
    g_autoptr (GstBuffer) buffer = make_frame (frame, rows, &next);

    time -= g_get_monotonic_time ();
    buffer = gst_harness_push_and_pull (h, buffer);
    time += g_get_monotonic_time ();
    if (buffer == NULL)
      g_error ("mgputrack gives no frame");
    write_rows (frame, buffer, file);
  }
  print_counts (h->element);
  printf ("%.4f ms a frame\n", time / 1000.0 / n_frames);
}

static void
set_property (GstElement * element, const gchar * setting)
{
  gchar **parts = g_strsplit (setting, "=", 2);

  if (parts[0] == NULL || parts[1] == NULL)
    g_error ("%s is not PROPERTY=VALUE", setting);
  gst_util_set_object_arg (G_OBJECT (element), parts[0], parts[1]);
  g_strfreev (parts);
}

int
main (int argc, char **argv)
{
  g_autoptr (GstElement) track = NULL;
  g_autoptr (GstHarness) h = NULL;
  g_autoptr (GArray) rows = NULL;
  FILE *file;
  g_autofree gchar *caps = NULL;

  gst_init (NULL, NULL);
  if (argc < 6) {
    g_printerr ("usage: %s WIDTH HEIGHT FRAMES IN.csv OUT.csv "
        "[PROPERTY=VALUE ...]\n", argv[0]);
    return 2;
  }
  track = gst_element_factory_make ("mgputrack", NULL);
  if (track == NULL)
    g_error ("no mgputrack: set GST_PLUGIN_PATH");
  for (gint i = 6; i < argc; i++)
    set_property (track, argv[i]);
  h = gst_harness_new_with_element (track, "sink", "src");
  caps = g_strdup_printf ("video/x-raw,format=GRAY8,width=%s,height=%s,"
      "framerate=25/1", argv[1], argv[2]);
  gst_harness_set_src_caps_str (h, caps);
  rows = read_rows (argv[4]);
  file = fopen (argv[5], "w");
  if (file == NULL)
    g_error ("%s cannot be written", argv[5]);
  run (h, atoi (argv[3]), rows, file);
  fclose (file);
  return 0;
}
