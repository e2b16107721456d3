/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the example program retouch from the command line, and its painting functions.
 *
 *   retouch-test RETOUCH MASK DIRECTORY     files are written to DIRECTORY */
#include "../../examples/retouch.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

#define DATA "/usr/share/doc/opencv-doc/examples/data/"

static const gchar *program, *mask_file, *directory;

/* ---- Painting ------------------------------------------------------------------ */

static guint
count (RetouchCanvas * canvas)
{
  gint stride, n = 0;
  const guint8 *mask = retouch_canvas_get_mask (canvas, &stride);
  GdkPixbuf *picture = retouch_canvas_get_picture (canvas);

  for (gint y = 0; y < gdk_pixbuf_get_height (picture); y++)
    for (gint x = 0; x < gdk_pixbuf_get_width (picture); x++)
      n += mask[y * stride + x] == 255;
  return n;
}

static GdkPixbuf *
make_picture (gint width, gint height, guint32 colour)
{
  GdkPixbuf *picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width,
      height);

  gdk_pixbuf_fill (picture, colour);
  return picture;
}

static void
test_strokes (void)
{
  g_autoptr (GdkPixbuf) picture = make_picture (61, 40, 0);
  RetouchCanvas *canvas = retouch_canvas_new (picture);
  RetouchBox box;
  guint line;

  g_assert_true (retouch_canvas_is_empty (canvas));
  g_assert_false (retouch_canvas_can_undo (canvas));
  retouch_canvas_undo (canvas);

  /* The smallest brush is one pixel. */
  retouch_canvas_begin_stroke (canvas, 3.5, 3.5, 1, FALSE);
  retouch_canvas_end_stroke (canvas);
  g_assert_cmpuint (count (canvas), ==, 1);

  /* Paints a line of 30 pixels, 6 pixels wide, with round ends. */
  retouch_canvas_begin_stroke (canvas, 10, 20, 6, FALSE);
  box = retouch_canvas_stroke_to (canvas, 40, 20);
  retouch_canvas_end_stroke (canvas);
  line = count (canvas) - 1;
  g_assert_cmpuint (line, >, 30 * 6 + 20);
  g_assert_cmpuint (line, <, 30 * 6 + 36);
  g_assert_cmpint (box.x, <=, 7);
  g_assert_cmpint (box.x + box.width, >=, 43);

  /* Erases half of the line, and paints it again. */
  retouch_canvas_begin_stroke (canvas, 25, 10, 30, TRUE);
  retouch_canvas_stroke_to (canvas, 45, 20);
  retouch_canvas_end_stroke (canvas);
  g_assert_cmpuint (count (canvas), <, line);
  retouch_canvas_undo (canvas);
  g_assert_cmpuint (count (canvas), ==, line + 1);

  /* A stroke that changes nothing is not a step to undo; a stroke is clipped at the borders. */
  retouch_canvas_begin_stroke (canvas, -1e9, 1e9, 20, FALSE);
  box = retouch_canvas_stroke_to (canvas, -50, -50);
  retouch_canvas_end_stroke (canvas);
  g_assert_cmpint (box.x + box.width, <=, 61);
  retouch_canvas_undo (canvas);
  g_assert_cmpuint (count (canvas), ==, 1);
  retouch_canvas_undo (canvas);
  g_assert_true (retouch_canvas_is_empty (canvas));
  g_assert_false (retouch_canvas_can_undo (canvas));
  retouch_canvas_free (canvas);
}

static void
test_steps (void)
{
  GdkPixbuf *picture = make_picture (16, 9, 0), *mask;
  g_autoptr (GdkPixbuf) result = make_picture (16, 9, 0x10203000);
  RetouchCanvas *canvas = retouch_canvas_new (picture);
  RetouchBox box = { 12, -3, 100, 5 };
  GError *error = NULL;

  retouch_canvas_add_rectangle (canvas, box);
  g_assert_cmpuint (count (canvas), ==, 4 * 2);
  retouch_canvas_set_picture (canvas, result);
  g_assert_true (retouch_canvas_get_picture (canvas) == result);
  g_assert_true (retouch_canvas_is_empty (canvas));
  retouch_canvas_undo (canvas);
  g_assert_true (retouch_canvas_get_picture (canvas) == picture);
  g_assert_cmpuint (count (canvas), ==, 4 * 2);

  /* The oldest are forgotten. */
  for (gint i = 0; i < 1000; i++) {
    retouch_canvas_begin_stroke (canvas, i % 11 + 0.5, 5.5, 1, i % 22 >= 11);
    retouch_canvas_end_stroke (canvas);
  }
  for (gint i = 0; i < 500; i++)
    retouch_canvas_undo (canvas);
  g_assert_false (retouch_canvas_can_undo (canvas));

  mask = make_picture (16, 9, 0x7f7f7f00);
  g_assert_true (retouch_canvas_add_mask (canvas, mask, &error));
  g_assert_no_error (error);
  g_assert_false (retouch_canvas_can_undo (canvas));
  gdk_pixbuf_fill (mask, 0x80808000);
  g_assert_true (retouch_canvas_add_mask (canvas, mask, &error));
  g_assert_cmpuint (count (canvas), ==, 16 * 9);
  g_object_unref (mask);
  mask = make_picture (9, 16, ~0u);
  g_assert_false (retouch_canvas_add_mask (canvas, mask, &error));
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS);
  g_error_free (error);
  g_object_unref (mask);
  retouch_canvas_free (canvas);
  g_object_unref (picture);
}

/* ---- The command line ------------------------------------------------------------ */

/* Runs retouch with the arguments, which end with NULL; @environment may be NULL. The program has
 * to exit with @status and print @words. */
static void
run (const gchar * variable, const gchar * value, gint status,
    const gchar * words, ...)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  gchar **environment = g_get_environ (), *out = NULL, *err = NULL, *all;
  GError *error = NULL;
  gpointer arg;
  va_list list;
  gint wait_status;

  va_start (list, words);
  g_ptr_array_add (args, (gpointer) program);
  do {
    arg = va_arg (list, gpointer);
    g_ptr_array_add (args, arg);
  } while (arg != NULL);
  va_end (list);
  if (variable != NULL)
    environment = g_environ_setenv (environment, variable, value, TRUE);
  environment = g_environ_unsetenv (environment, "DISPLAY");
  environment = g_environ_unsetenv (environment, "WAYLAND_DISPLAY");
  g_spawn_sync (NULL, (gchar **) args->pdata, environment, 0, NULL, NULL, &out,
      &err, &wait_status, &error);
  g_assert_no_error (error);
  all = g_strconcat (out, err, NULL);
  g_test_message ("%s", all);
  if (!WIFEXITED (wait_status) || WEXITSTATUS (wait_status) != status
      || strstr (all, words) == NULL)
    g_error ("status %d, wanted %d and \"%s\": %s", wait_status, status, words,
        all);
  g_free (all);
  g_free (out);
  g_free (err);
  g_strfreev (environment);
}

static gchar *
in_directory (const gchar * name)
{
  return g_build_filename (directory, name, NULL);
}

static GdkPixbuf *
load (const gchar * path)
{
  GError *error = NULL;
  GdkPixbuf *picture = gdk_pixbuf_new_from_file (path, &error);

  g_assert_no_error (error);
  return picture;
}

static gboolean
is_same (GdkPixbuf * a, GdkPixbuf * b, gint x, gint y)
{
  return memcmp (gdk_pixbuf_read_pixels (a) + y * gdk_pixbuf_get_rowstride (a)
      + x * gdk_pixbuf_get_n_channels (a), gdk_pixbuf_read_pixels (b)
      + y * gdk_pixbuf_get_rowstride (b) + x * gdk_pixbuf_get_n_channels (b),
      3) == 0;
}

/* Returns: the output of the element for the picture in a pipeline */
static GdkPixbuf *
inpaint (GdkPixbuf * picture, const gchar * method)
{
  gchar *before = in_directory ("before.png"), *after =
      in_directory ("after.png");
  g_autofree gchar *line =
      g_strdup_printf ("filesrc location=%s ! pngdec ! mgpuinpaint "
      "method=%s mask-location=%s patch-size=11 search-factor=0.5 mask-dilate=1 ! "
      "pngenc ! filesink location=%s", before, method, mask_file, after);
  GError *error = NULL;
  GstElement *pipeline;
  GdkPixbuf *result;
  GstMessage *message;
  GstBus *bus;

  gdk_pixbuf_save (picture, before, "png", &error, NULL);
  g_assert_no_error (error);
  pipeline = gst_parse_launch (line, &error);
  g_assert_no_error (error);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  bus = gst_element_get_bus (pipeline);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  result = load (after);
  g_free (before);
  g_free (after);
  return result;
}

/* A lemon's seed */
static void
test_mask (gconstpointer data)
{
  const gchar *method = data;
  g_autofree gchar *option = g_strconcat ("--method=", method, NULL);
  g_autofree gchar *output = in_directory ("retouch.png");
  GdkPixbuf *before = load (DATA "fruits.jpg"), *after, *expected, *mask;
  guint n_inside = 0, n_changed = 0;

  run (NULL, NULL, 0, "", "--input", DATA "fruits.jpg", "--mask", mask_file,
      "--output", output, "--patch-size=11", "--search-factor=0.5",
      "--mask-dilate=1", option, NULL);
  after = load (output);
  expected = inpaint (before, method);
  mask = load (mask_file);
  for (gint y = 0; y < gdk_pixbuf_get_height (before); y++)
    for (gint x = 0; x < gdk_pixbuf_get_width (before); x++) {
      gboolean inside = FALSE;

      for (gint v = MAX (y - 1, 0); v <= MIN (y + 1, 479); v++)
        for (gint u = MAX (x - 1, 0); u <= MIN (x + 1, 511); u++)
          inside |= gdk_pixbuf_read_pixels (mask)[v
              * gdk_pixbuf_get_rowstride (mask)
              + u * gdk_pixbuf_get_n_channels (mask)] >= 128;
      n_inside += inside;
      n_changed += inside && !is_same (before, after, x, y);
      g_assert_true (inside || is_same (before, after, x, y));
      g_assert_true (is_same (expected, after, x, y));
    }
  g_assert_cmpuint (n_inside, >, 1000);
  g_assert_cmpuint (n_changed, >, n_inside * 9 / 10);
  g_object_unref (before);
  g_object_unref (after);
  g_object_unref (expected);
  g_object_unref (mask);
}

/* Tests a frame of a video, two rectangles, and a picture with alpha. */
static void
test_inputs (void)
{
  gchar *first = in_directory ("first.png"), *later =
      in_directory ("later.png");
  gchar *alpha = in_directory ("alpha.png"), *out = in_directory ("out.png");
  GdkPixbuf *picture = load (DATA "fruits.jpg"), *a, *b;
  GError *error = NULL;
  guint n = 0;

  run (NULL, NULL, 0, "", "-i", DATA "vtest.avi", "-o", first, "-r",
      "20,30,9,9", "-r", "700,560,200,100", "--search-factor=0.2", NULL);
  run (NULL, NULL, 0, "", "-i", DATA "vtest.avi", "-t", "3", "-o", later, "-r",
      "20,30,9,9", NULL);
  a = load (first);
  b = load (later);
  g_assert_cmpint (gdk_pixbuf_get_width (a), ==, 768);
  for (gint y = 0; y < 576; y++)
    for (gint x = 0; x < 768; x++)
      n += !is_same (a, b, x, y);
  g_assert_cmpuint (n, >, 1000);
  g_object_unref (a);
  g_object_unref (b);

  a = gdk_pixbuf_add_alpha (picture, FALSE, 0, 0, 0);
  gdk_pixbuf_get_pixels (a)[3] = 77;
  gdk_pixbuf_save (a, alpha, "png", &error, NULL);
  g_assert_no_error (error);
  run (NULL, NULL, 0, "", "-i", alpha, "-o", out, "-r", "50,50,8,8", NULL);
  b = load (out);
  g_assert_true (gdk_pixbuf_get_has_alpha (b));
  g_assert_cmpint (gdk_pixbuf_read_pixels (b)[3], ==, 77);
  g_assert_cmpint (gdk_pixbuf_read_pixels (b)[7], ==, 255);
  g_assert_false (is_same (a, b, 53, 53));
  g_object_unref (a);
  g_object_unref (b);
  g_object_unref (picture);
  g_free (first);
  g_free (later);
  g_free (alpha);
  g_free (out);
}

static void
test_errors (void)
{
  gchar *out = in_directory ("none.png"), *broken = in_directory ("broken.png");
  g_autofree gchar *registry = in_directory ("none.reg");
  g_autofree gchar *unwritable =
      g_build_filename (directory, "nowhere", "out.png", NULL);
  g_autofree gchar *typeless = in_directory ("out.nothing");
  GError *error = NULL;

  g_remove (out);
  g_file_set_contents (broken, "\211PNG\r\n\032\n\0\0", 10, &error);
  g_assert_no_error (error);
  run (NULL, NULL, 2, "cannot be opened", "-i", broken, "-o", out, "-r",
      "1,1,9,9", NULL);
  run (NULL, NULL, 2, "/nowhere.jpg cannot be opened", "-i", "/nowhere.jpg",
      "-o", out, "-r", "1,1,9,9", NULL);
  /* Tests a file that is neither a picture nor a video. */
  run (NULL, NULL, 2, "cannot be opened", "-i", program, "-o", out, "-r",
      "1,1,9,9", NULL);
  run (NULL, NULL, 2,
      "the mask has 512x480 pixels, but the picture has 548x342", "-i",
      DATA "messi5.jpg", "-m", mask_file, "-o", out, NULL);
  run (NULL, NULL, 2, "cannot be opened", "-i", DATA "fruits.jpg", "-m",
      "/nowhere.png", "-o", out, NULL);
  run (NULL, NULL, 2, "cannot be written", "-i", DATA "fruits.jpg", "-o",
      unwritable, "-r", "1,1,9,9", NULL);
  run (NULL, NULL, 2, "like .png or .jpg", "-i", DATA "fruits.jpg", "-o",
      typeless, "-r", "1,1,9,9", NULL);
  run (NULL, NULL, 2, "is not a rectangle", "-i", DATA "fruits.jpg", "-o", out,
      "-r", "1,1,9", NULL);
  run (NULL, NULL, 2, "nothing to remove", "-i", DATA "fruits.jpg", "-o", out,
      "-r", "512,1,9,9", NULL);
  /* Tests a warning, after which the picture is unchanged. */
  run (NULL, NULL, 0, "covers the whole frame", "-i", DATA "fruits.jpg", "-o",
      broken, "-r", "0,0,512,480", NULL);
  run (NULL, NULL, 2, "needs --input and --output", "-r", "1,1,9,9", NULL);
  run (NULL, NULL, 2, "--patch-size is 3 to 33", "--patch-size=2", NULL);
  run (NULL, NULL, 2, "--mask-dilate is 0 to 256", "--mask-dilate=-1", NULL);
  run (NULL, NULL, 2, "--method is auto", "--method=magic", NULL);
  run (NULL, NULL, 2, "--search-factor is", "--search-factor=-2", NULL);
  run (NULL, NULL, 2, "more than one", "a.png", "b.png", NULL);
  run (NULL, NULL, 2, "there is no display", DATA "fruits.jpg", NULL);
  run ("OCL_ICD_VENDORS", "/nowhere", 2, "pocl-opencl-icd", "-i",
      DATA "fruits.jpg", "-o", out, "-r", "1,1,9,9", NULL);
  g_setenv ("GST_REGISTRY_1_0", registry, TRUE);
  run ("GST_PLUGIN_PATH_1_0", "/nowhere", 2, "package gstreamer1.0-mgpu",
      "-i", DATA "fruits.jpg", "-o", out, "-r", "1,1,9,9", NULL);
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
  g_free (out);
  g_free (broken);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_assert_cmpint (argc, ==, 4);
  program = argv[1];
  mask_file = argv[2];
  directory = argv[3];
  g_mkdir_with_parents (directory, 0777);
  g_test_add_func ("/retouch/strokes", test_strokes);
  g_test_add_func ("/retouch/steps", test_steps);
  g_test_add_data_func ("/retouch/mask", "exemplar", test_mask);
  g_test_add_data_func ("/retouch/mask-at-once", "auto", test_mask);
  g_test_add_func ("/retouch/inputs", test_inputs);
  g_test_add_func ("/retouch/errors", test_errors);
  return g_test_run ();
}
