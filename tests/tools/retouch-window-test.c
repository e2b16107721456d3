/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the example program retouch in its window, on a separate display, with a mouse that XTest
 * moves.
 *
 *   retouch-window-test DIRECTORY     pictures of the window are written to DIRECTORY */
#include "../../examples/retouch.h"
#include "window.h"

#include <glib/gstdio.h>

#define INPUT "/usr/share/doc/opencv-doc/examples/data/fruits.jpg"

/* Position of the lemon's seed in the picture */
#define SEED_X 428
#define SEED_Y 391
#define SEED_RADIUS 27

#define BRUSH 24

static const gchar *directory;

/* Response of the simulated user when the window asks for a file, and number of times that it
 * asked */
static const gchar *answer;
static guint n_asked;
static const RetouchSettings settings = { 9, 0.6, 0, "exemplar", NULL };

/* ---- Replacement of dialogs --------------------------------------------------------- */

gboolean
retouch_ask_discard (GtkWidget * window)
{
  return TRUE;
}

gchar *
retouch_ask_file (GtkWidget * window, gboolean to_save)
{
  n_asked++;
  return g_strdup (answer);
}

/* ---- The mouse -------------------------------------------------------------------- */

/* Moves the mouse to a point of the picture. */
static void
move_in_picture (GdkPixbuf * picture, gdouble x, gdouble y)
{
  GtkWidget *area = find ("canvas");
  gdouble room_x = gtk_widget_get_allocated_width (area);
  gdouble room_y = gtk_widget_get_allocated_height (area);
  gdouble width = gdk_pixbuf_get_width (picture);
  gdouble height = gdk_pixbuf_get_height (picture);
  gdouble scale = MIN (room_x / width, room_y / height);

  move_to (area, (room_x - scale * width) / 2 + scale * x,
      (room_y - scale * height) / 2 + scale * y);
}

static void
paint_line (GdkPixbuf * picture, guint button, gdouble x0, gdouble y0,
    gdouble x1, gdouble y1)
{
  move_in_picture (picture, x0, y0);
  press (button, TRUE);
  move_in_picture (picture, (x0 + x1) / 2, (y0 + y1) / 2);
  move_in_picture (picture, x1, y1);
  press (button, FALSE);
}

static void
paint_seed (GdkPixbuf * picture)
{
  move_in_picture (picture, SEED_X, SEED_Y);
  press (1, TRUE);
  for (guint i = 0; i <= 12; i++)
    move_in_picture (picture, SEED_X + 15 * cos (i * G_PI / 6),
        SEED_Y + 15 * sin (i * G_PI / 6));
  press (1, FALSE);
}

/* ---- Tests ------------------------------------------------------------------------ */

static GdkPixbuf *
load (const gchar * path)
{
  GError *error = NULL;
  GdkPixbuf *picture = gdk_pixbuf_new_from_file (path, &error);

  g_assert_no_error (error);
  return picture;
}

/* Counts the pixels that differ, inside of the seed's area and outside. */
static void
compare (GdkPixbuf * a, GdkPixbuf * b, guint * inside, guint * outside)
{
  *inside = *outside = 0;
  for (gint y = 0; y < gdk_pixbuf_get_height (a); y++)
    for (gint x = 0; x < gdk_pixbuf_get_width (a); x++)
      if (memcmp (gdk_pixbuf_read_pixels (a) + y * gdk_pixbuf_get_rowstride (a)
              + 3 * x, gdk_pixbuf_read_pixels (b)
              + y * gdk_pixbuf_get_rowstride (b) + 3 * x, 3) != 0)
        *(hypot (x + 0.5 - SEED_X, y + 0.5 - SEED_Y) <= SEED_RADIUS + 3
            ? inside : outside) += 1;
}

/* Saves, and loads the saved file. */
static GdkPixbuf *
save (const gchar * path)
{
  g_remove (path);
  click ("win.save");
  WAIT_UNTIL (g_file_test (path, G_FILE_TEST_EXISTS));
  settle ();
  return load (path);
}

static void
open_window (const gchar * input, const gchar * output)
{
  retouch_window_show (application, &settings, input, 0, output);
  WAIT_UNTIL (gtk_widget_get_mapped (find ("canvas")));
  settle ();
}

static void
test_seed (void)
{
  g_autofree gchar *output = g_build_filename (directory, "output.png", NULL);
  GdkPixbuf *before = load (INPUT), *after;
  guint inside, outside;

  open_window (INPUT, output);
  WAIT_UNTIL (!gtk_widget_is_sensitive (find ("win.remove")));
  WAIT_UNTIL (!gtk_widget_is_sensitive (find ("win.undo")));

  /* Chooses the brush with the mouse as well. */
  click ("brush");
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (find ("brush"))), >,
      2 * BRUSH);
  gtk_range_set_value (GTK_RANGE (find ("brush")), BRUSH);

  /* Paints on the players of the picture, and takes the strokes back: by undo, by the eraser, and
   * by the right mouse button. */
  paint_line (before, 1, 60, 60, 120, 200);
  click ("win.undo");
  WAIT_UNTIL (!gtk_widget_is_sensitive (find ("win.remove")));
  paint_line (before, 1, 300, 40, 400, 60);
  WAIT_UNTIL (gtk_widget_is_sensitive (find ("win.remove")));
  click ("erase");
  paint_line (before, 1, 300, 40, 400, 60);
  click ("erase");
  paint_line (before, 1, 100, 300, 200, 300);
  paint_line (before, 3, 100, 300, 200, 300);
  WAIT_UNTIL (!gtk_widget_is_sensitive (find ("win.remove")));

  paint_seed (before);
  take_picture (directory, "painted.png");
  click ("win.remove");
  WAIT_UNTIL (!gtk_widget_get_visible (find ("win.stop")));
  g_assert_false (gtk_widget_get_visible (find ("info")));
  take_picture (directory, "removed.png");
  after = save (output);
  compare (before, after, &inside, &outside);
  g_assert_cmpuint (outside, ==, 0);
  g_assert_cmpuint (inside, >, 1900);
  g_object_unref (after);

  /* Undo and redo work on the new picture. */
  click ("win.undo");
  after = save (output);
  compare (before, after, &inside, &outside);
  g_assert_cmpuint (inside + outside, ==, 0);
  WAIT_UNTIL (gtk_widget_is_sensitive (find ("win.remove")));
  g_object_unref (after);
  close_window ();
  g_object_unref (before);
}

/* Removes a large hole, for whose end the window does not wait. */
static void
test_stop (void)
{
  g_autofree gchar *output = g_build_filename (directory, "stopped.png", NULL);
  GdkPixbuf *before = load (INPUT), *after;
  guint inside, outside;

  open_window (INPUT, output);
  gtk_range_set_value (GTK_RANGE (find ("brush")), 200);
  paint_line (before, 1, 150, 170, 400, 170);
  click ("win.remove");
  WAIT_UNTIL (gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (find
              ("progress"))) > 0.02);
  take_picture (directory, "working.png");
  g_assert_true (gtk_widget_get_visible (find ("win.stop")));
  /* Nothing is painted meanwhile. */
  paint_line (before, 1, 20, 20, 40, 40);
  click ("win.stop");
  WAIT_UNTIL (!gtk_widget_get_visible (find ("win.stop")));
  after = save (output);
  compare (before, after, &inside, &outside);
  g_assert_cmpuint (inside + outside, ==, 0);
  g_object_unref (after);

  /* Removes again, and closes the window while it works. */
  click ("win.remove");
  close_window ();
  g_object_unref (before);
}

/* Copies the picture @from to a file in the directory. Returns: (transfer full): its path */
static gchar *
copy (const gchar * from, const gchar * name)
{
  gchar *path = g_build_filename (directory, name, NULL);
  g_autoptr (GdkPixbuf) picture = load (from);
  GError *error = NULL;

  gdk_pixbuf_save (picture, path, "png", &error, NULL);
  g_assert_no_error (error);
  return path;
}

static gchar *
read_file (const gchar * path, gsize * size)
{
  GError *error = NULL;
  gchar *data;

  g_file_get_contents (path, &data, size, &error);
  g_assert_no_error (error);
  return data;
}

/* Saves, and answers the window's question for a name with @name. Returns: whether the window asked
 * for a name */
static gboolean
save_asks (const gchar * name)
{
  guint before = n_asked;

  answer = name;
  click ("win.save");
  settle ();
  return n_asked > before;
}

/* Tests that "Save" only writes without asking to the file that was named as the output of this
 * picture: neither to the output of the previous picture, nor to a file that was opened. */
static void
test_another (void)
{
  gchar *first = copy (INPUT, "first.png"), *second = copy (INPUT, "second.png");
  g_autofree gchar *output = g_build_filename (directory, "named.png", NULL);
  gchar *before, *after;
  gsize n_before, n_after;

  g_remove (output);
  open_window (first, output);
  g_assert_false (save_asks (NULL));
  before = read_file (output, &n_before);
  answer = second;
  click ("win.open");
  g_assert_true (save_asks (NULL));
  after = read_file (output, &n_after);
  g_assert_cmpmem (before, n_before, after, n_after);
  g_free (after);
  close_window ();

  /* The output is opened. */
  open_window (NULL, output);
  answer = output;
  click ("win.open");
  g_assert_true (save_asks (NULL));
  g_assert_true (save_asks (first));
  g_assert_false (save_asks (NULL));
  close_window ();
  g_free (before);
  g_free (second);
  g_free (first);
}

/* ---- Actions during processing ------------------------------------------------------ */

typedef struct
{
  GdkPixbuf *before;
  GdkPixbuf *last;              /* partial picture */
  guint n_partial;
  gint percent;
  gboolean is_done;
} Watch;

static void
watch_progress (gint percent, gpointer data)
{
  Watch *watch = data;

  g_assert_cmpint (percent, >=, watch->percent);
  watch->percent = percent;
}

/* Each picture that is shown differs from the one before. */
static void
watch_partial (GdkPixbuf * picture, gpointer data)
{
  Watch *watch = data;
  guint inside, outside;

  compare (watch->last, picture, &inside, &outside);
  g_assert_cmpuint (inside + outside, >, 0);
  g_set_object (&watch->last, picture);
  watch->n_partial++;
}

static void
watch_warning (const gchar * text, gpointer data)
{
  g_error ("%s", text);
}

static void
watch_done (GdkPixbuf * picture, const GError * error, gpointer data)
{
  Watch *watch = data;

  g_assert_no_error (error);
  g_assert_nonnull (picture);
  watch->is_done = TRUE;
}

/* Tests that a hole of some hundred patches is filled visibly, step by step. */
static void
test_partial (void)
{
  static const RetouchCallbacks callbacks = { watch_progress, watch_partial,
    watch_warning, watch_done
  };
  const RetouchSettings wide = { 9, -1, 0, "exemplar", NULL };
  g_autoptr (GdkPixbuf) before = load (INPUT);
  RetouchCanvas *canvas = retouch_canvas_new (before);
  RetouchBox box = { 150, 120, 140, 110 };
  Watch watch = { before, g_object_ref (before), 0, 0, FALSE };
  RetouchRemoval *removal;
  GError *error = NULL;

  retouch_canvas_add_rectangle (canvas, box);
  removal = retouch_remove (canvas, &wide, &callbacks, &watch, &error);
  g_assert_no_error (error);
  WAIT_UNTIL (watch.is_done);
  g_assert_cmpuint (watch.n_partial, >, 0);
  g_assert_cmpint (watch.percent, ==, 100);
  retouch_removal_free (removal);
  retouch_canvas_free (canvas);
  g_object_unref (watch.last);
}

static void
test_errors (void)
{
  g_autoptr (GdkPixbuf) before = load (INPUT);

  open_window ("/nowhere.jpg", NULL);
  assert_says ("/nowhere.jpg cannot be opened");
  g_assert_false (gtk_widget_is_sensitive (find ("win.save")));
  /* Tests that painting without a picture has no effect. */
  paint_line (before, 1, 20, 20, 40, 40);
  WAIT_UNTIL (!gtk_widget_is_sensitive (find ("win.undo")));
  close_window ();

  open_window (INPUT, "/nowhere/output.png");
  click ("win.save");
  assert_says ("cannot be written");
  paint_line (before, 1, 50, 50, 60, 60);
  g_setenv ("GST_MGPU_DEVICE", "no such device", TRUE);
  click ("win.remove");
  WAIT_UNTIL (!gtk_widget_get_visible (find ("win.stop")));
  g_unsetenv ("GST_MGPU_DEVICE");
  assert_says ("no such device");
  WAIT_UNTIL (gtk_widget_is_sensitive (find ("win.remove")));
  close_window ();
}

int
main (int argc, char *argv[])
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  directory = argv[1];
  g_mkdir_with_parents (directory, 0777);
  open_display ();
  g_test_add_func ("/retouch-window/seed", test_seed);
  g_test_add_func ("/retouch-window/another", test_another);
  g_test_add_func ("/retouch-window/stop", test_stop);
  g_test_add_func ("/retouch-window/partial", test_partial);
  g_test_add_func ("/retouch-window/errors", test_errors);
  status = g_test_run ();
  close_display ();
  return status;
}
