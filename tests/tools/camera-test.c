/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the example program camera, in a window on a separate display, with a mouse that XTest
 * moves.
 *
 *   camera-test DIRECTORY [SECONDS]
 *
 * The program saves its pictures in DIRECTORY, and this test a picture of the window after SECONDS
 * of a video. Device failures are simulated by tests/fault/fault.c, which has to be preloaded. */
int camera_main (int argc, char *argv[]);
#define main camera_main
#include "../../examples/camera.c"
#undef main
#include "window.h"

#include <glib/gstdio.h>

#define VIDEO "/usr/share/doc/opencv-doc/examples/data/vtest.avi"
#define PLAY "filesrc location=\"%s\" ! decodebin ! clocksync"

static gchar *directory;
static gint seconds;
static Camera *camera;

static void
open_camera (const gchar * source, const gchar * pictures)
{
  camera = g_new0 (Camera, 1);
  camera->source = source;
  camera->directory = pictures;
  show_window (application, camera);
}

static void
close_camera (void)
{
  close_window ();
  clear (camera);
  g_clear_pointer (&camera, g_free);
}

static gchar *
play (const gchar * path)
{
  return g_strdup_printf (PLAY, path);
}

/* Returns: point @i of the last picture's history */
static gint
now (guint i)
{
  return (gint) camera->history[N_POINTS - 1][i];
}

static void
wait_for_pictures (guint n)
{
  for (; n > 0; n--) {
    GdkPixbuf *before = camera->picture != NULL
        ? g_object_ref (camera->picture) : NULL;

    WAIT_UNTIL (camera->picture != before);
    g_clear_object (&before);
  }
}

static void
set_slider (const gchar * name, gdouble value)
{
  gtk_range_set_value (GTK_RANGE (find (name)), value);
}

static void
set_switch (const gchar * name, gboolean on)
{
  gtk_switch_set_active (GTK_SWITCH (find (name)), on);
}

/* Returns the mean difference, in green, between neighboring pixels in a row of the last picture */
static gdouble
measure_roughness (void)
{
  gint stride = gdk_pixbuf_get_rowstride (camera->picture);
  gint width = gdk_pixbuf_get_width (camera->picture);
  gint height = gdk_pixbuf_get_height (camera->picture);
  const guint8 *data = gdk_pixbuf_read_pixels (camera->picture);
  gdouble sum = 0;

  for (gint y = 0; y < height; y++)
    for (gint x = 1; x < width; x++)
      sum += abs (data[y * stride + 3 * x + 1] - data[y * stride + 3 * x - 2]);
  return sum / height / (width - 1);
}

/* Returns: (transfer full): the path after the words "Saved as" */
static gchar *
get_saved (void)
{
  assert_says ("Saved as ");
  return g_strdup (strchr (gtk_label_get_text (GTK_LABEL (find ("text"))),
          '/'));
}

/* Saves the picture twice, and checks that the second file does not replace the first. */
static GdkPixbuf *
save (void)
{
  gchar *first, *second;
  GError *error = NULL;
  GdkPixbuf *picture;

  click ("save");
  first = get_saved ();
  click ("save");
  second = get_saved ();
  g_assert_cmpstr (first, !=, second);
  g_assert_true (g_file_test (first, G_FILE_TEST_IS_REGULAR));
  picture = gdk_pixbuf_new_from_file (second, &error);
  g_assert_no_error (error);
  g_free (first);
  g_free (second);
  return picture;
}

/* Returns whether the last picture contains the green of keypoints */
static gboolean
has_keypoints (void)
{
  const guint8 *data = gdk_pixbuf_read_pixels (camera->picture);
  gint stride = gdk_pixbuf_get_rowstride (camera->picture);
  gboolean has = FALSE;

  for (gint y = 0; y < gdk_pixbuf_get_height (camera->picture) && !has; y++)
    for (gint x = 0; x < gdk_pixbuf_get_width (camera->picture) && !has; x++) {
      const guint8 *p = data + y * stride + 3 * x;

      has = p[0] < 8 && p[1] > 247 && p[2] < 8;
    }
  return has;
}

/* Checks that a switch or slider shows the value of the property whose name it has. */
static void
assert_bound (gpointer object, gpointer count)
{
  GstChildProxy *pipeline = GST_CHILD_PROXY (camera->pipeline);
  const gchar *name = GTK_IS_WIDGET (object)
      ? gtk_buildable_get_name (GTK_BUILDABLE (object)) : "";
  GValue value = G_VALUE_INIT, number = G_VALUE_INIT;

  if (strstr (name, "::") == NULL || GTK_IS_LABEL (object))
    return;
  gst_child_proxy_get_property (pipeline, name, &value);
  g_value_init (&number, G_TYPE_DOUBLE);
  if (GTK_IS_SWITCH (object)) {
    g_assert_cmpint (gtk_switch_get_active (object), ==,
        g_value_get_boolean (&value));
  } else {
    g_assert_true (g_value_transform (&value, &number));
    g_assert_cmpfloat_with_epsilon (gtk_range_get_value (object),
        g_value_get_double (&number), 1e-6);
  }
  g_value_unset (&value);
  (*(guint *) count)++;
}

/* ---- Tests ------------------------------------------------------------------------ */

/* Tests that the window's counts are those of the elements, which are switched and tuned, that a
 * picture is saved, and that the latency is the one that the pipeline measures. */
static void
test_keypoints (void)
{
  GdkPixbuf *picture;
  GSList *objects;
  guint n = 0;

  open_camera (TEST_SOURCE, directory);
  objects = gtk_builder_get_objects (camera->builder);
  g_slist_foreach (objects, assert_bound, &n);
  g_slist_free (objects);
  g_assert_cmpuint (n, ==, 14);
  WAIT_UNTIL (now (KEYPOINTS) > 20);
  g_assert_cmpint (now (PEOPLE), ==, 0);
  g_assert_cmpint (now (LATENCY), >, 0);
  g_assert_cmpint (now (LATENCY), <, PATIENCE / 1000);
  set_slider ("keypoints::max-features", 20);
  WAIT_UNTIL (now (KEYPOINTS) == 20);
  click ("keypoints::enabled");
  WAIT_UNTIL (now (KEYPOINTS) == 0);
  g_assert_false (gtk_widget_is_sensitive (find ("keypoints::max-features")));
  /* Tunes the element while it is switched off. */
  set_slider ("keypoints::max-features", 40);
  click ("keypoints::enabled");
  WAIT_UNTIL (now (KEYPOINTS) == 40);
  g_assert_false (gtk_widget_get_visible (find ("info")));
  WAIT_UNTIL (g_str_has_suffix (gtk_label_get_text (GTK_LABEL (find
                  ("keypoints::stats"))), " ms"));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (find ("people::stats"))), ==,
      "");
  picture = save ();
  g_assert_cmpint (gdk_pixbuf_get_width (picture), ==, 640);
  g_assert_cmpint (gdk_pixbuf_get_height (picture), ==, 480);
  g_object_unref (picture);
  close_camera ();
}

/* Tests that a device that cannot process all frames processes fewer, so that the delay of the
 * shown picture does not grow. */
static void
test_live (void)
{
  gint64 until;

  open_camera (TEST_SOURCE, directory);
  WAIT_UNTIL (now (KEYPOINTS) > 20);
  until = g_get_monotonic_time () + 4 * G_TIME_SPAN_SECOND;
  WAIT_UNTIL (g_get_monotonic_time () > until);
  WAIT_UNTIL (now (LATENCY) < 1500);
  close_camera ();
}

/* Tests that each switch has its effect, and that frames continue. */
static void
test_filters (void)
{
  static const gchar *names[] = {
    "smooth::enabled", "equalize::enabled", "sharpen::enabled"
  };
  gdouble plain;

  open_camera (TEST_SOURCE, directory);
  set_switch ("keypoints::enabled", FALSE);
  wait_for_pictures (2);
  plain = measure_roughness ();
  click ("sharpen::enabled");
  set_slider ("sharpen::amount", 4);
  WAIT_UNTIL (measure_roughness () > 1.1 * plain);
  click ("sharpen::enabled");
  WAIT_UNTIL (measure_roughness () < 1.05 * plain);
  click ("smooth::enabled");
  click ("smooth::sigma-color");
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (find
              ("smooth::sigma-color"))), >, 30);
  set_slider ("smooth::sigma-color", 120);
  WAIT_UNTIL (measure_roughness () < 0.97 * plain);
  for (guint i = 0; i < 3; i++) {
    for (guint j = 0; j < G_N_ELEMENTS (names); j++)
      set_switch (names[j], i % 2 == 0);
    wait_for_pictures (2);
  }
  g_assert_false (gtk_widget_get_visible (find ("info")));
  close_camera ();
}

static void
write_video (const gchar * path)
{
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("videotestsrc num-buffers=3 ! "
      "video/x-raw,width=64,height=48,framerate=25/1 ! jpegenc ! avimux ! "
      "filesink name=file", NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_child_proxy_set (GST_CHILD_PROXY (pipeline), "file::location", path,
      NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Tests that the program waits for a file that does not exist yet, and plays it again at its
 * end. */
static void
test_file (void)
{
  g_autofree gchar *path =
      g_build_filename (directory, "three frames.avi", NULL);
  g_autofree gchar *written = g_build_filename (directory, "three.avi", NULL);
  g_autofree gchar *source = play (path);
  GstElement *first;

  write_video (written);
  g_remove (path);
  open_camera (source, directory);
  WAIT_UNTIL (gtk_widget_get_visible (find ("info")));
  assert_says (path);
  assert_says ("Trying again");
  /* Tests that the program waits while there is no picture to save and nothing to tune. */
  click ("save");
  assert_says (path);
  click ("people::enabled");
  click ("people::threshold");
  set_switch ("people::enabled", FALSE);
  set_switch ("keypoints::enabled", FALSE);
  g_assert_cmpint (g_rename (written, path), ==, 0);
  wait_for_pictures (1);
  if (gtk_widget_get_visible (find ("info")))
    g_error ("the window says \"%s\" with a picture",
        gtk_label_get_text (GTK_LABEL (find ("text"))));
  first = camera->pipeline;
  WAIT_UNTIL (camera->pipeline != first);
  wait_for_pictures (1);
  close_camera ();
}

static GstPadProbeReturn
count (GstPad * pad, GstPadProbeInfo * info, gpointer n)
{
  (*(guint *) n)++;
  return GST_PAD_PROBE_OK;
}

/* Returns: the number of frames of 640x480 in a Matroska file */
static guint
count_frames (const gchar * path)
{
  g_autofree gchar *launch =
      g_strdup_printf ("filesrc location=\"%s\" ! matroskademux ! "
      "vp8dec ! video/x-raw,width=640,height=480 ! fakesink name=sink", path);
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, NULL);
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  guint n = 0;

  gst_pad_add_probe (sink->sinkpads->data, GST_PAD_PROBE_TYPE_BUFFER, count, &n,
      NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return n;
}

/* Tests that a recording begins and ends with the button, while the picture continues. */
static void
test_record (void)
{
  gchar *path;

  open_camera (TEST_SOURCE, directory);
  set_switch ("keypoints::enabled", FALSE);
  wait_for_pictures (1);
  g_assert_null (camera->recording);
  click ("record");
  WAIT_UNTIL (camera->recording != NULL);
  wait_for_pictures (5);
  click ("record");
  WAIT_UNTIL (camera->recording == NULL);
  path = get_saved ();
  g_assert_cmpuint (count_frames (path), >=, 2);
  g_free (path);
  wait_for_pictures (2);
  g_assert_null (camera->recording);
  close_camera ();

  /* Tests that a file that cannot be created is an error, and ends the recording. */
  open_camera (TEST_SOURCE, "/nowhere");
  set_switch ("keypoints::enabled", FALSE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find ("record")), TRUE);
  WAIT_UNTIL (gtk_widget_get_visible (find ("info")));
  assert_says ("/nowhere");
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (find
              ("record"))));
  close_camera ();
}

/* Tests that the list of sources has the present source and the test picture, and that a file can
 * be chosen whose name contains all characters that are special in launch lines. */
static void
test_sources (void)
{
  g_autofree gchar *path =
      g_build_filename (directory, "a \"b\" ! c\\.avi", NULL);
  GtkComboBox *list;

  write_video (path);
  open_camera ("v4l2src device=/dev/video-nowhere", directory);
  list = GTK_COMBO_BOX (find ("source"));
  set_switch ("keypoints::enabled", FALSE);
  g_assert_cmpstr (gtk_combo_box_get_active_id (list), ==,
      "v4l2src device=/dev/video-nowhere");
  g_assert_true (gtk_combo_box_set_active_id (list, TEST_SOURCE));
  g_assert_cmpstr (camera->source, ==, TEST_SOURCE);
  wait_for_pictures (2);
  g_assert_true (gtk_file_chooser_set_filename (GTK_FILE_CHOOSER (find
              ("file")), path));
  WAIT_UNTIL (gtk_file_chooser_get_file (GTK_FILE_CHOOSER (find ("file"))) !=
      NULL);
  g_signal_emit_by_name (find ("file"), "file-set");
  WAIT_UNTIL (strstr (camera->source, "uridecodebin") != NULL);
  g_assert_cmpstr (gtk_combo_box_get_active_id (list), ==, camera->source);
  wait_for_pictures (1);
  g_assert_false (gtk_widget_get_visible (find ("info")));
  close_camera ();
}

static void
count_preparing (GObject * label, GParamSpec * property, gpointer n)
{
  *(guint *) n += g_str_has_prefix (gtk_label_get_text (GTK_LABEL (label)),
      "Preparing ");
}

static void
post_building (guint built)
{
  gst_element_post_message (camera->pipeline,
      gst_message_new_element (GST_OBJECT (camera->pipeline),
          gst_structure_new ("mgpu-building", "program", G_TYPE_STRING,
              "sift/blur", "built", G_TYPE_UINT, built, "total", G_TYPE_UINT, 2,
              "device", G_TYPE_STRING, "a device", NULL)));
}

/* Tests that the window reports that kernels are built, until there is a picture that was made with
 * them. */
static void
test_preparing (void)
{
  g_autofree gchar *cache = g_dir_make_tmp ("camera-XXXXXX", NULL);
  g_autofree gchar *old = g_strdup (g_getenv ("GST_MGPU_CACHE_DIR"));
  gchar *remove[] = { "rm", "-rf", cache, NULL };
  guint n = 0;

  g_assert_nonnull (cache);
  g_setenv ("GST_MGPU_CACHE_DIR", cache, TRUE);
  open_camera (TEST_SOURCE, directory);
  g_signal_connect (find ("text"), "notify::label",
      G_CALLBACK (count_preparing), &n);
  WAIT_UNTIL (n > 0);
  WAIT_UNTIL (now (KEYPOINTS) > 20);
  WAIT_UNTIL (!gtk_widget_get_visible (find ("info")));

  /* Pictures do not hide the report while programs are still missing. */
  post_building (1);
  WAIT_UNTIL (gtk_widget_get_visible (find ("info")));
  assert_says ("Preparing kernels for a device, once: 1 of 2 are ready");
  wait_for_pictures (2);
  assert_says ("Preparing");
  post_building (2);
  WAIT_UNTIL (!gtk_widget_get_visible (find ("info")));
  close_camera ();
  g_setenv ("GST_MGPU_CACHE_DIR", old != NULL ? old : "", TRUE);
  g_spawn_sync (NULL, remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
      NULL, NULL, NULL);
}

static void
see_hidden (GtkWidget * widget, gpointer had_pipeline)
{
  *(gboolean *) had_pipeline = camera->pipeline != NULL;
}

/* The window is hidden before the pipeline is stopped, because stopping may wait for kernels. */
static void
test_close (void)
{
  gboolean had_pipeline = FALSE;

  open_camera (TEST_SOURCE, directory);
  g_signal_connect (window (), "hide", G_CALLBACK (see_hidden), &had_pipeline);
  gtk_window_close (GTK_WINDOW (window ()));
  WAIT_UNTIL (gtk_application_get_windows (application) == NULL);
  g_assert_true (had_pipeline);
  g_assert_null (camera->pipeline);
  clear (camera);
  g_clear_pointer (&camera, g_free);
}

/* Tests that without a camera the window reports this, tries again, and offers a test source. */
static void
test_no_camera (void)
{
  const gchar *source = "v4l2src device=/dev/video-nowhere";

  open_camera (source, directory);
  for (guint i = 0; i < 2; i++) {
    WAIT_UNTIL (gtk_widget_get_visible (find ("info")));
    assert_says (source);
    assert_says ("Cannot identify device '/dev/video-nowhere'");
    assert_says ("Trying again");
    gtk_widget_hide (find ("info"));
  }
  WAIT_UNTIL (gtk_widget_get_visible (find ("info")));
  if (seconds > 1)
    take_picture (directory, "no-camera.png");
  gtk_button_clicked (GTK_BUTTON (find ("use-test")));
  wait_for_pictures (2);
  g_assert_false (gtk_widget_get_visible (find ("info")));
  close_camera ();

  /* Tests a launch line that is not a source, and one that ends at once: the window reports this as
   * it does a missing camera. */
  open_camera ("nosuchelement", directory);
  assert_says ("nosuchelement");
  close_camera ();
  open_camera ("videotestsrc num-buffers=0", directory);
  WAIT_UNTIL (gtk_widget_get_visible (find ("info")));
  assert_says ("There was no frame");
  close_camera ();
}

static void
test_device_fails (void)
{
  gchar **devices = gst_mgpu_list_devices ();
  gboolean has_another = g_strv_length (devices) > 1;
  g_autofree gchar *before = NULL;

  open_camera (TEST_SOURCE, "/nowhere");
  set_switch ("keypoints::enabled", FALSE);
  wait_for_pictures (1);
  before = g_strdup (gst_mgpu_context_get_device_name (camera->context));
  g_setenv ("MGPU_TEST_FAIL_NAME", "clEnqueueNDRangeKernel", TRUE);
  WAIT_UNTIL (gtk_widget_get_visible (find ("info")));
  assert_says ("clEnqueueNDRangeKernel");
  assert_says ("Trying again");
  g_assert_false (gtk_widget_get_visible (find ("use-test")));
  wait_for_pictures (3);
  g_assert_false (gtk_widget_get_visible (find ("info")));
  g_assert_cmpint (strcmp (before, gst_mgpu_context_get_device_name
          (camera->context)) != 0, ==, has_another);
  click ("save");
  assert_says ("Nothing was saved");
  assert_says ("/nowhere");
  close_camera ();
  g_strfreev (devices);
}

/* Runs last, because it makes the picture of the window that people look at. */
static void
test_people (void)
{
  gchar *source = play (VIDEO);
  gint64 until;

  if (!g_file_test (VIDEO, G_FILE_TEST_EXISTS)) {
    g_test_skip ("there is no " VIDEO);
    g_free (source);
    return;
  }
  open_camera (source, directory);
  WAIT_UNTIL (camera->picture != NULL && has_keypoints ());
  click ("people::enabled");
  set_slider ("people::threshold", 0.2);
  WAIT_UNTIL (now (PEOPLE) > 1);
  until = g_get_monotonic_time () + seconds * G_TIME_SPAN_SECOND;
  while (g_get_monotonic_time () < until)
    settle ();
  WAIT_UNTIL (seconds <= 1 || now (PEOPLE) > 2);
  take_picture (directory, "camera.png");
  g_assert_cmpuint (strlen (gtk_header_bar_get_subtitle (GTK_HEADER_BAR
              (find ("bar")))), >, 0);
  click ("keypoints::enabled");
  WAIT_UNTIL (!has_keypoints ());
  set_slider ("people::threshold", 1.5);
  WAIT_UNTIL (now (PEOPLE) == 0);
  close_camera ();
  g_free (source);
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
  g_test_add_func ("/camera/live", test_live);
  g_test_add_func ("/camera/preparing", test_preparing);
  g_test_add_func ("/camera/filters", test_filters);
  g_test_add_func ("/camera/file", test_file);
  g_test_add_func ("/camera/no-camera", test_no_camera);
  g_test_add_func ("/camera/device-fails", test_device_fails);
  g_test_add_func ("/camera/record", test_record);
  g_test_add_func ("/camera/sources", test_sources);
  g_test_add_func ("/camera/close", test_close);
  g_test_add_func ("/camera/people", test_people);
  status = g_test_run ();
  close_display ();
  g_free (directory);
  return status;
}
