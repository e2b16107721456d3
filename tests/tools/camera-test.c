/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* camera: its pipeline, and its window on a display of its own, with a mouse that
 * XTest moves.
 *
 *   camera-test DIRECTORY [SECONDS]
 *
 * Pictures of the window go to DIRECTORY, the one with people after so many seconds.
 * The device fails through tests/fault/fault.c, which has to be preloaded. */
#include "../../examples/camera.h"
#include "window.h"

#include <glib/gstdio.h>
#include <gst/mgpu/mgpu.h>

#define VIDEO "/usr/share/doc/opencv-doc/examples/data/vtest.avi"

static gchar *directory;
static gint seconds;

/* ---- A stream without a window ------------------------------------------------------ */

static gchar *said;

static void
say (gboolean is_error, const gchar * text, gpointer data)
{
  g_test_message ("%s", text);
  g_free (said);
  said = g_strdup (text);
}

static CameraStream *
open_stream (const gchar * file)
{
  CameraSettings settings = { NULL };

  settings.file = (gchar *) file;
  settings.test = file == NULL;
  g_clear_pointer (&said, g_free);
  return camera_stream_new (&settings, say, NULL);
}

static void
close_stream (CameraStream * stream)
{
  camera_stream_free (stream);
  g_clear_pointer (&said, g_free);
}

/* The mean difference of neighbours in a row, of green */
static gdouble
measure_roughness (const guint8 * data, gint width, gint height, gint stride)
{
  gdouble sum = 0;

  for (gint y = 0; y < height; y++)
    for (gint x = 1; x < width; x++)
      sum += abs (data[y * stride + 4 * x + 1]
          - data[y * stride + 4 * x - 3]);
  return sum / height / (width - 1);
}

/* Of the next frame; 0 when there is none yet. */
static gdouble
next_roughness (CameraStream * stream)
{
  gdouble latency, roughness = 0;
  cairo_surface_t *frame = camera_stream_take_frame (stream, &latency);

  if (frame == NULL)
    return 0;
  g_assert_cmpfloat (latency, >, 0);
  g_assert_cmpfloat (latency, <, PATIENCE / 1000.0);
  roughness = measure_roughness (cairo_image_surface_get_data (frame),
      cairo_image_surface_get_width (frame),
      cairo_image_surface_get_height (frame),
      cairo_image_surface_get_stride (frame));
  cairo_surface_destroy (frame);
  return roughness;
}

static void
wait_for_frames (CameraStream * stream, guint n)
{
  while (n-- > 0)
    WAIT_UNTIL (next_roughness (stream) > 0);
}

/* Of what was found next: -1 means that nobody looked. */
static void
wait_for_findings (CameraStream * stream, gint * keypoints, gint * people)
{
  CameraFindings findings;

  WAIT_UNTIL (camera_stream_take_findings (stream, &findings));
  *keypoints = findings.keypoints == NULL ? -1
      : (gint) (g_bytes_get_size (findings.keypoints)
      / sizeof (GstMgpuKeypoint));
  *people = findings.people == NULL ? -1 : (gint) findings.people->len;
  camera_findings_clear (&findings);
}

#define WAIT_FOR_FINDINGS(condition) G_STMT_START { \
  gint64 limit_ = g_get_monotonic_time () + PATIENCE; \
  gint keypoints, people; \
  do { \
    g_assert_cmpint (g_get_monotonic_time (), <, limit_); \
    wait_for_findings (stream, &keypoints, &people); \
  } while (!(condition)); \
} G_STMT_END

static void
test_keypoints (void)
{
  CameraStream *stream = open_stream (NULL);

  WAIT_FOR_FINDINGS (keypoints > 20 && people == -1);
  camera_stream_tune (stream, CAMERA_KEYPOINTS, 0, 20);
  WAIT_FOR_FINDINGS (keypoints == 20);
  camera_stream_switch (stream, CAMERA_KEYPOINTS, FALSE);
  WAIT_FOR_FINDINGS (keypoints == -1);
  /* Tuned while it is off */
  camera_stream_tune (stream, CAMERA_KEYPOINTS, 0, 40);
  camera_stream_switch (stream, CAMERA_KEYPOINTS, TRUE);
  WAIT_FOR_FINDINGS (keypoints == 40);
  g_assert_cmpstr (said, ==, NULL);
  close_stream (stream);
}

/* Each does what it is for, and the frames go on. */
static void
test_filters (void)
{
  CameraStream *stream = open_stream (NULL);
  gdouble plain = 0, roughness;

  camera_stream_switch (stream, CAMERA_KEYPOINTS, FALSE);
  WAIT_UNTIL ((plain = next_roughness (stream)) > 0);
  camera_stream_tune (stream, CAMERA_SHARPEN, 0, 4);
  camera_stream_switch (stream, CAMERA_SHARPEN, TRUE);
  WAIT_UNTIL (next_roughness (stream) > 1.1 * plain);
  camera_stream_switch (stream, CAMERA_SHARPEN, FALSE);
  WAIT_UNTIL ((roughness = next_roughness (stream)) > 0
      && roughness < 1.05 * plain);
  camera_stream_switch (stream, CAMERA_SMOOTH, TRUE);
  camera_stream_tune (stream, CAMERA_SMOOTH, 0, 120);
  WAIT_UNTIL ((roughness = next_roughness (stream)) > 0
      && roughness < 0.97 * plain);

  /* All of them, and none: who comes first does not matter. */
  for (guint i = 0; i < 3; i++) {
    gboolean on = i % 2 == 0;

    for (guint j = CAMERA_SMOOTH; j <= CAMERA_SHARPEN; j++)
      camera_stream_switch (stream, i == 1 ? CAMERA_SHARPEN - j : j, on);
    wait_for_frames (stream, 2);
  }
  camera_stream_tune (stream, CAMERA_EQUALIZE, 0, 0);
  wait_for_frames (stream, 2);
  g_assert_cmpstr (said, ==, NULL);
  close_stream (stream);
}

static void
write_video (const gchar * path)
{
  gchar *launch = g_strdup_printf ("videotestsrc num-buffers=3 ! "
      "video/x-raw,width=64,height=48,framerate=25/1 ! jpegenc ! avimux ! "
      "filesink location=\"%s\"", path);
  GstElement *pipeline = gst_parse_launch (launch, NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  g_free (launch);
}

/* What is not there yet is waited for, and begins again at its end. */
static void
test_file (void)
{
  gchar *path = g_build_filename (directory, "three \"frames\".avi", NULL);
  gchar *written = g_build_filename (directory, "three.avi", NULL);
  CameraStream *stream;

  write_video (written);
  g_remove (path);
  stream = open_stream (path);
  camera_stream_switch (stream, CAMERA_KEYPOINTS, FALSE);
  WAIT_UNTIL (said != NULL);
  g_assert_nonnull (strstr (said, "tried again"));
  g_assert_cmpint (g_rename (written, path), ==, 0);
  wait_for_frames (stream, 7);
  close_stream (stream);
  g_free (written);
  g_free (path);
}

static void
test_people (void)
{
  CameraStream *stream;

  if (!g_file_test (VIDEO, G_FILE_TEST_EXISTS)) {
    g_test_skip ("there is no " VIDEO);
    return;
  }
  stream = open_stream (VIDEO);
  camera_stream_switch (stream, CAMERA_KEYPOINTS, FALSE);
  camera_stream_switch (stream, CAMERA_PEOPLE, TRUE);
  WAIT_FOR_FINDINGS (keypoints == -1 && people > 1);
  /* Nobody looks like a person that much. */
  camera_stream_tune (stream, CAMERA_PEOPLE, 0, 50);
  WAIT_FOR_FINDINGS (people == 0);
  close_stream (stream);
}

static void
test_device_fails (void)
{
  gchar **devices = gst_mgpu_list_devices ();
  gboolean has_another = g_strv_length (devices) > 1;
  CameraStream *stream = open_stream (NULL);
  gchar *before;

  camera_stream_switch (stream, CAMERA_KEYPOINTS, FALSE);
  wait_for_frames (stream, 1);
  before = g_strdup (camera_stream_get_device_name (stream));
  g_setenv ("MGPU_TEST_FAIL_NAME", "clEnqueueNDRangeKernel", TRUE);
  WAIT_UNTIL (said != NULL);
  g_assert_nonnull (strstr (said, "clEnqueueNDRangeKernel"));
  g_assert_nonnull (strstr (said, has_another ? "It goes on with"
          : "It is tried again"));
  g_clear_pointer (&said, g_free);
  /* The last frame of the old pipeline may still be there. */
  wait_for_frames (stream, 3);
  g_assert_cmpstr (said, ==, NULL);
  g_assert_cmpint (strcmp (before, camera_stream_get_device_name (stream)) != 0,
      ==, has_another);
  close_stream (stream);
  g_free (before);
  g_strfreev (devices);
}

/* ---- The window ------------------------------------------------------------------------ */

/* The path is behind the words "Saved as". */
static GdkPixbuf *
save (void)
{
  GError *error = NULL;
  GdkPixbuf *picture;

  click ("save");
  assert_says ("Saved as ");
  picture = gdk_pixbuf_new_from_file (strchr (gtk_label_get_text (GTK_LABEL
              (find ("text"))), '/'), &error);
  g_assert_no_error (error);
  return picture;
}

/* Whether the green of keypoints is somewhere in a picture */
static gboolean
has_keypoints (GdkPixbuf * picture)
{
  const guint8 *data = gdk_pixbuf_read_pixels (picture);
  gint stride = gdk_pixbuf_get_rowstride (picture);
  gint n = gdk_pixbuf_get_n_channels (picture);
  gboolean has = FALSE;

  for (gint y = 0; y < gdk_pixbuf_get_height (picture) && !has; y++)
    for (gint x = 0; x < gdk_pixbuf_get_width (picture) && !has; x++) {
      const guint8 *p = data + y * stride + n * x;

      has = ABS (p[0] - 89) < 4 && ABS (p[1] - 242) < 4
          && ABS (p[2] - 128) < 4;
    }
  g_object_unref (picture);
  return has;
}

static void
test_window (void)
{
  gboolean has_video = g_file_test (VIDEO, G_FILE_TEST_EXISTS);
  CameraSettings settings = { NULL };
  GdkPixbuf *picture;
  gint64 until;

  settings.test = !has_video;
  settings.file = has_video ? (gchar *) VIDEO : NULL;
  settings.directory = directory;
  camera_window_show (application, &settings);
  WAIT_UNTIL (gtk_widget_get_mapped (find ("view")));
  /* Where it runs is told once a second. */
  WAIT_UNTIL (strlen (gtk_header_bar_get_subtitle (GTK_HEADER_BAR
              (gtk_window_get_titlebar (GTK_WINDOW (window ()))))) > 0);
  picture = save ();
  g_assert_cmpint (gdk_pixbuf_get_width (picture), ==, has_video ? 768 : 640);
  g_object_unref (picture);
  WAIT_UNTIL (has_keypoints (save ()));

  /* Sliders work where something is switched on. */
  g_assert_false (gtk_widget_is_sensitive (find ("amount")));
  click ("mgpusharpen");
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (find ("mgpusharpen"))));
  click ("amount");
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (find ("amount"))), >, 1);
  click ("mgpuhisteq");
  click ("method");
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (find
              ("method"))));
  click ("method");
  click ("mgpusharpen");
  click ("mgpuhog");
  gtk_widget_hide (find ("info"));
  until = g_get_monotonic_time () + seconds * G_TIME_SPAN_SECOND;
  while (g_get_monotonic_time () < until)
    settle ();
  take_picture (directory, "camera.png");

  click ("mgpusift");
  WAIT_UNTIL (!has_keypoints (save ()));
  close_window ();
}

static void
test_window_errors (void)
{
  CameraSettings settings = { NULL };

  settings.file = (gchar *) "/nowhere.avi";
  settings.directory = (gchar *) "/nowhere";
  camera_window_show (application, &settings);
  WAIT_UNTIL (gtk_widget_get_visible (find ("info")));
  assert_says ("/nowhere.avi");
  /* There is no picture to save. */
  click ("save");
  assert_says ("/nowhere.avi");
  /* Switches and sliders wait for the pipeline. */
  click ("mgpuhog");
  click ("threshold");
  close_window ();

  settings.file = NULL;
  settings.test = TRUE;
  camera_window_show (application, &settings);
  WAIT_UNTIL (strlen (gtk_header_bar_get_subtitle (GTK_HEADER_BAR
              (gtk_window_get_titlebar (GTK_WINDOW (window ()))))) > 0);
  click ("save");
  assert_says ("cannot be written");
  close_window ();
}

int
main (int argc, char *argv[])
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, >=, 2);
  directory = g_canonicalize_filename (argv[1], NULL);
  seconds = argc > 2 ? atoi (argv[2]) : 1;
  g_mkdir_with_parents (directory, 0777);
  open_display ();
  g_test_add_func ("/camera/keypoints", test_keypoints);
  g_test_add_func ("/camera/filters", test_filters);
  g_test_add_func ("/camera/file", test_file);
  g_test_add_func ("/camera/people", test_people);
  g_test_add_func ("/camera/device-fails", test_device_fails);
  g_test_add_func ("/camera/window", test_window);
  g_test_add_func ("/camera/window-errors", test_window_errors);
  status = g_test_run ();
  close_display ();
  g_free (directory);
  return status;
}
