/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the time of an FFmpeg filter in FFmpeg's own tool, which reads raw frames from a file
 * repeatedly and discards its output. */
#include "pipelines.h"

#include <glib/gstdio.h>
#include <sys/resource.h>

/* Number of different pictures, the same as for the other variants of a row of the table */
#define PICTURES 8
/* Number of frames that are left out, because they include the time in which ffmpeg starts */
#define WARM 5

gboolean
bench_ffmpeg_can_run (void)
{
  g_autofree gchar *path = g_find_program_in_path ("ffmpeg");
  gboolean can = path != NULL;

  return can;
}

/* Returns FFmpeg's name of a pixel format, if it differs from GStreamer's in lower case. */
static gchar *
name_format (const GstVideoInfo * info)
{
  switch (GST_VIDEO_INFO_FORMAT (info)) {
    case GST_VIDEO_FORMAT_GRAY8:
      return g_strdup ("gray");
    case GST_VIDEO_FORMAT_RGB:
      return g_strdup ("rgb24");
    default:
      return g_ascii_strdown (gst_video_format_to_string (GST_VIDEO_INFO_FORMAT
              (info)), -1);
  }
}

static void
write_pictures (int file, const GstVideoInfo * info)
{
  FILE *stream = fdopen (file, "wb");
  gsize size = GST_VIDEO_INFO_SIZE (info);

  for (guint i = 0; i < PICTURES; i++) {
    g_autofree guint8 *picture = bench_draw (info, i);

    if (fwrite (picture, 1, size, stream) != size)
      g_error ("no room for pictures");
  }
  fclose (stream);
}

static gdouble
processor_ms (const struct rusage *usage)
{
  return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000.0
      + (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000.0;
}

/* Milliseconds of wall-clock time, and of processor time */
static gboolean
play (const gchar * path, const gchar * filter, const GstVideoInfo * info,
    guint frames, gdouble * wall, gdouble * cpu)
{
  g_autofree gchar *format = name_format (info);
  g_autofree gchar *size = g_strdup_printf ("%dx%d", info->width, info->height);
  g_autofree gchar *number = g_strdup_printf ("%u", frames);
  const gchar *argv[] = { "ffmpeg", "-nostdin", "-v", "error", "-stream_loop",
    "-1", "-f", "rawvideo", "-pix_fmt", format, "-s", size, "-i", path,
    "-frames:v", number, "-vf", filter, "-f", "null", "-", NULL
  };
  struct rusage before, after;
  gint64 start = g_get_monotonic_time ();
  gint status = 0;
  gboolean ok;

  getrusage (RUSAGE_CHILDREN, &before);
  ok = g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
      NULL, NULL, NULL, &status, NULL)
      && g_spawn_check_wait_status (status, NULL);
  getrusage (RUSAGE_CHILDREN, &after);
  *wall = (g_get_monotonic_time () - start) / 1000.0;
  *cpu = processor_ms (&after) - processor_ms (&before);
  return ok;
}

gboolean
bench_ffmpeg_run (const BenchWay * way, const GstVideoInfo * info, guint frames,
    BenchResult * result)
{
  gdouble wall[2], cpu[2];
  struct rusage usage;
  GError *error = NULL;
  gchar *path;
  gint file = g_file_open_tmp ("bench-XXXXXX.raw", &path, &error);
  gboolean ok;

  if (file < 0)
    g_error ("%s", error->message);
  write_pictures (file, info);
  ok = play (path, way->ffmpeg, info, WARM, &wall[0], &cpu[0])
      && play (path, way->ffmpeg, info, frames + WARM, &wall[1], &cpu[1]);
  g_remove (path);
  g_free (path);
  if (!ok)
    return FALSE;
  result->fps = frames * 1000 / MAX (wall[1] - wall[0], 1);
  result->slowest = result->fastest = result->fps;
  result->cpu_ms = (cpu[1] - cpu[0]) / frames;
  getrusage (RUSAGE_CHILDREN, &usage);
  result->resident_mib = usage.ru_maxrss / 1024.0;
  /* The tool ffmpeg does not report the times of single frames. */
  result->latency = g_array_new (FALSE, FALSE, sizeof (gdouble));
  return TRUE;
}
