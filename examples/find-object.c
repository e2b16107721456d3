/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the object that one picture shows in another picture or in each frame of a video:
 * matches the SIFT keypoints of the object and of the frame, and fits a homography to the
 * matches.
 *
 *   gst-mgpu-find-object OBJECT SCENE [--output FILE]
 *
 * Prints for each frame how many matches there are, how many of them agree, and the
 * corners of the object. FILE gets the frames with its outline drawn: a video (.webm), or
 * pictures (.png; frame-%03d.png for all frames of a video).
 * Exit status: 0 if the object was found, 1 if it was not found, 2 after an error. */
#include <gst/base/gstbasetransform.h>
#include <gst/mgpu/mgpu.h>

#include <cairo.h>

#include "need-mgpu.h"
#include "output.h"

/* Ratio test: maximum distance to the nearest descriptor, relative to the distance to
 * the second nearest one; and the minimum number of inliers */
#define RATIO 0.75
#define MIN_INLIERS 10

typedef struct
{
  GstSample *object;            /* picture of the object, with its keypoints */
  gboolean draws;
  guint n_frames, n_found;
} Finder;

static void
draw_outline (GstBuffer * buffer, const GstCaps * caps, const gdouble * corners)
{
  cairo_surface_t *surface;
  GstVideoFrame frame;
  GstVideoInfo info;
  cairo_t *cairo;

  if (!gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READWRITE))
    return;
  surface = cairo_image_surface_create_for_data
      (GST_VIDEO_FRAME_PLANE_DATA (&frame, 0), CAIRO_FORMAT_RGB24,
      info.width, info.height, GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0));
  cairo = cairo_create (surface);
  cairo_set_source_rgb (cairo, 0, 1, 0);
  cairo_set_line_width (cairo, 3);
  for (guint i = 0; i < 4; i++)
    cairo_line_to (cairo, corners[2 * i] + 0.5, corners[2 * i + 1] + 0.5);
  cairo_close_path (cairo);
  cairo_stroke (cairo);
  cairo_destroy (cairo);
  cairo_surface_destroy (surface);
  gst_video_frame_unmap (&frame);
}

/* Prints where the object is in a frame. Returns: (nullable): its corners */
static gdouble *
find (Finder * finder, GstBuffer * buffer, GError ** error)
{
  GstBuffer *object = gst_sample_get_buffer (finder->object);
  GstMgpuKeypointMeta *from = gst_buffer_get_mgpu_keypoint_meta (object);
  GstMgpuKeypointMeta *to = gst_buffer_get_mgpu_keypoint_meta (buffer);
  GBytes *matches = gst_mgpu_keypoint_meta_match (from, to, RATIO, TRUE, error);
  GstMgpuFit *fit = matches == NULL ? NULL : gst_mgpu_keypoint_meta_fit (from,
      to, matches, GST_MGPU_FIT_MODEL_HOMOGRAPHY, NULL, error);
  GstVideoInfo info;
  gdouble *c = NULL;

  if (fit != NULL) {
    guint n = gst_mgpu_fit_get_n_inliers (fit);

    gst_video_info_from_caps (&info, gst_sample_get_caps (finder->object));
    if (n >= MIN_INLIERS)
      c = gst_mgpu_fit_project_corners (fit, info.width, info.height);
    g_print ("frame %u: %" G_GSIZE_FORMAT " matches, ", finder->n_frames++,
        g_bytes_get_size (matches) / sizeof (GstMgpuKeypointMatch));
    if (c != NULL)
      g_print ("%u inliers, corners %.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f\n",
          n, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]);
    else
      g_print ("not found\n");
    gst_mgpu_fit_unref (fit);
  }
  g_clear_pointer (&matches, g_bytes_unref);
  return c;
}

/* Searches each frame that leaves mgpusift for the object. */
static GstPadProbeReturn
look (GstPad * pad, GstPadProbeInfo * probe, gpointer data)
{
  Finder *finder = data;
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GError *error = NULL;
  gdouble *corners = find (finder, GST_PAD_PROBE_INFO_BUFFER (probe), &error);

  finder->n_found += corners != NULL;
  if (corners != NULL && finder->draws) {
    probe->data = gst_buffer_make_writable (GST_BUFFER (probe->data));
    draw_outline (probe->data, caps, corners);
  }
  g_free (corners);
  gst_caps_unref (caps);
  if (error != NULL)
    GST_ELEMENT_ERROR (GST_PAD_PARENT (pad), STREAM, FAILED, ("%s",
            error->message), (NULL));
  g_clear_error (&error);
  return GST_PAD_PROBE_OK;
}

/* Runs a pipeline that finds the keypoints of a file, followed by the elements in @then;
 * the last of these is named "sink". The first file shows the object, which is then
 * searched for in later files. Returns: FALSE after an error, which is printed */
static gboolean
run (Finder * finder, const gchar * location, const gchar * then,
    const gchar * output, GstContext * context)
{
  gchar *launch = g_strconcat ("filesrc name=source ! decodebin ! videoconvert "
      "! video/x-raw,format=BGRx ! mgpusift name=sift descriptor=rootsift ! ",
      then, NULL);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch_full (launch, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);
  gboolean is_object = finder->object == NULL, ok;
  GstMessage *message;

  g_free (launch);
  if (pipeline == NULL) {
    g_printerr ("%s: install the GStreamer plugin that has it\n",
        error->message);
    g_error_free (error);
    return FALSE;
  }
  gst_child_proxy_set (GST_CHILD_PROXY (pipeline), "source::location", location,
      output != NULL ? "sink::location" : NULL, output, NULL);
  if (!is_object) {
    GstElement *sift = gst_bin_get_by_name (GST_BIN (pipeline), "sift");

    gst_pad_add_probe (GST_BASE_TRANSFORM_SRC_PAD (sift),
        GST_PAD_PROBE_TYPE_BUFFER, look, finder, NULL);
    gst_object_unref (sift);
  }
  gst_element_set_context (pipeline, context);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline),
      GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  ok = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  if (!ok) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s: %s: %s\n", location, GST_MESSAGE_SRC_NAME (message),
        error->message);
    g_error_free (error);
  } else if (is_object) {
    gst_child_proxy_get (GST_CHILD_PROXY (pipeline), "sink::last-sample",
        &finder->object, NULL);
  }
  if (ok && (finder->object == NULL || (!is_object && finder->n_frames == 0))) {
    g_printerr ("%s: there is no picture in it\n", location);
    ok = FALSE;
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_message_unref (message);
  gst_object_unref (pipeline);
  return ok;
}

/* Returns: whether existing files with the name @output may be replaced. If @output
 * contains a conversion for the frame number, such as %03d, this checks the
 * pictures of all frames */
static gboolean
check_outputs (const gchar * output, const gchar * const *inputs,
    GError ** error)
{
  gboolean is_picture = g_str_has_suffix (output, ".png"), ok = TRUE;
  g_autofree gchar *folder = g_path_get_dirname (output);
  g_autofree gchar *name = g_path_get_basename (output);
  const gchar *number = is_picture ? strchr (name, '%') : NULL, *found, *end;
  g_autofree gchar *begin = NULL;
  GDir *files;

  if (number == NULL)
    return check_output (output, is_picture ? "image/png" : "video/webm",
        inputs, error);
  files = g_dir_open (folder, 0, error);
  if (files == NULL)
    return FALSE;
  begin = g_strndup (name, number - name);
  number += 1 + strspn (number + 1, "0123456789");
  end = *number != '\0' ? number + 1 : number;
  if (strchr (folder, '%') != NULL || strchr (end, '%') != NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
        "%s: the name of the file may have one %%, and its folder none",
        output);
    g_dir_close (files);
    return FALSE;
  }
  while (ok && (found = g_dir_read_name (files)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, found, NULL);

    /* Checks the files with names that would be written: begin, digits, end. */
    if (g_str_has_prefix (found, begin) && g_str_has_suffix (found, end)
        && strlen (begin) + strspn (found + strlen (begin), "0123456789")
        == strlen (found) - strlen (end)
        && strlen (found) > strlen (begin) + strlen (end))
      ok = check_output (path, "image/png", inputs, error);
  }
  g_dir_close (files);
  return ok;
}

/* Parses the arguments. Returns: (transfer full): the names of the files OBJECT and SCENE; NULL
 * after an error */
static gchar **
parse (int *argc, char ***argv, gchar ** output, GError ** error)
{
  gchar **files = NULL;
  const GOptionEntry entries[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, output,
        "Where the frames are written: .webm, or .png", "FILE"},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL,
        "OBJECT SCENE"},
    {NULL}
  };
  GOptionContext *context = g_option_context_new (NULL);
  gboolean ok;

  g_option_context_add_main_entries (context, entries, NULL);
  ok = g_option_context_parse (context, argc, argv, error);
  if (ok && (files == NULL || g_strv_length (files) != 2)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
        "usage: gst-mgpu-find-object OBJECT SCENE [--output FILE]");
    ok = FALSE;
  }
  if (ok && *output != NULL)
    ok = check_outputs (*output, (const gchar * const *) files, error);
  g_option_context_free (context);
  if (!ok)
    g_clear_pointer (&files, g_strfreev);
  return files;
}

int
main (int argc, char **argv)
{
  gchar *output = NULL, **files;
  GstMgpuContext *device = NULL;
  GError *error = NULL;
  Finder finder = { NULL, };
  GstContext *context;
  int status = 2;

  gst_init (&argc, &argv);
  if (!has_mgpu ())
    return status;
  files = parse (&argc, &argv, &output, &error);
  if (files != NULL)
    device = gst_mgpu_context_new (NULL, &error);
  if (device == NULL) {
    g_printerr ("%s\n", error->message);
    return status;
  }
  context = gst_context_new_mgpu_context (device);
  finder.draws = output != NULL;
  if (run (&finder, files[0], "fakesink name=sink sync=false", NULL,
          context) && run (&finder, files[1], output == NULL
          ? "fakesink name=sink sync=false" : g_str_has_suffix (output, ".png")
          ? "videoconvert ! pngenc ! multifilesink name=sink"
          : "videoconvert ! vp8enc deadline=1 ! webmmux ! filesink name=sink",
          output, context))
    status = finder.n_found == 0;
  g_clear_pointer (&finder.object, gst_sample_unref);
  gst_context_unref (context);
  gst_object_unref (device);
  g_strfreev (files);
  g_free (output);
  return status;
}
