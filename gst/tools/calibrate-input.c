/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Takes views of a board from pictures, videos and cameras. */
#include "calibrate.h"

#include <gst/video/video.h>
#include <signal.h>
#include <string.h>

/* Number of views after which a further view is taken only if it adds a field, tilt or size to
 * the coverage. */
#define MANY_VIEWS 30

/* Value of "refine": by the edges of the border alone. Lines through all cells are bent more
 * by the distortion of the lens, which would shift the corners more. */
#define TAGS "mgputags name=calibrate-tags refine=edges post-messages=false ! "

/* Assumed focal lengths of a perspective and of a fisheye camera that are not calibrated yet, as
 * multiples of the width of the picture */
#define FOCAL 0.9
#define FISHEYE_FOCAL 0.35

/* State that only the streaming thread uses until the pipeline has stopped. */
typedef struct
{
  const CalibrateCapture *capture;
  CalibrateViews *views;
  CalibrateCover cover;
  CalibrateView *last;          /* the board in the previous frame, or NULL */
  GstElement *overlay;          /* the overlay that marks parts of the picture; NULL if frames are
                                 * not shown */
  GstVideoInfo info;
  guint n_frames, n_boards, n_still;
  gint third;                   /* part of the picture in which the board should be shown next, or
                                 * -1 */
  gboolean is_done;
  GError *error;
} Taker;

static volatile sig_atomic_t is_interrupted;

static void
interrupt (int number)
{
  is_interrupted = TRUE;
  signal (SIGINT, SIG_DFL);
}

/* Posts a message that no more frames are needed. */
static void
finish (Taker * self, GstElement * element)
{
  self->is_done = TRUE;
  gst_element_post_message (element,
      gst_message_new_application (GST_OBJECT (element),
          gst_structure_new_empty ("done")));
}

/* ---- The board in a frame --------------------------------------------------------- */

#ifdef HAVE_OPENCV
static void
find_chessboard (const Taker * self, GstBuffer * buffer, GArray * points)
{
  const CalibrateBoard *board = self->capture->board;
  g_autofree gdouble *corners =
      g_new (gdouble, 2 * board->columns * board->rows);
  GstVideoFrame frame;

  if (!gst_video_frame_map (&frame, &self->info, buffer, GST_MAP_READ))
    return;
  if (calibrate_find_chessboard_gray (GST_VIDEO_FRAME_PLANE_DATA (&frame, 0),
          self->info.width, self->info.height,
          GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), board->columns, board->rows,
          corners) > 0)
    calibrate_board_add_corners (board, corners, points);
  gst_video_frame_unmap (&frame);
}
#else
static void
find_chessboard (const Taker * self, GstBuffer * buffer, GArray * points)
{
}
#endif

/* Estimates the pose of @view for a guessed camera. */
static gboolean
guess_pose (const Taker * self, CalibrateView * view)
{
  gdouble focal = self->views->width * (self->capture->lens
      == MGPU_LENS_FISHEYE ? FISHEYE_FOCAL : FOCAL);
  const MgpuCamera camera = {.lens = self->capture->lens,.focal = {focal,
      focal},.centre = {(self->views->width - 1) / 2.0,
      (self->views->height - 1) / 2.0}
  };

  return calibrate_find_pose (view, &camera, 4);
}

/* Returns: (transfer full): the board in @buffer; NULL if the frame does not show it */
static CalibrateView *
find_view (const Taker * self, GstBuffer * buffer)
{
  g_autofree gchar *name = g_strdup_printf ("frame %u", self->n_frames);
  CalibrateView *view = calibrate_view_new (name);

  view->has_tags = self->capture->board->tags != NULL;
  if (view->has_tags)
    calibrate_board_find_tags (self->capture->board, buffer, view->points);
  else
    find_chessboard (self, buffer, view->points);
  if (view->points->len > 0 && guess_pose (self, view))
    return view;
  calibrate_view_free (view);
  return NULL;
}

/* ---- Choice of frames ------------------------------------------------------------- */

/* Returns: whether the board stands still in @view, and differs enough from the views that were
 * taken */
static gboolean
is_wanted (Taker * self, const CalibrateView * view)
{
  gint width = self->views->width;

  if (self->capture->is_picture)
    return TRUE;
  if (self->last == NULL || !calibrate_view_is_still (view, self->last, width))
    return FALSE;
  self->n_still++;
  return calibrate_view_is_new (view, self->views->views, width)
      && (self->cover.n_views < MANY_VIEWS || calibrate_cover_gains
      (&self->cover, view, width, self->views->height));
}

/* Returns: (transfer full): a text with the error and the focal lengths of the camera that result
 * from the views so far; "" if there are too few views. The poses of the views stay as they are,
 * because the choice of frames compares them. */
static gchar *
measure (const Taker * self)
{
  const CalibrateCapture *capture = self->capture;
  GPtrArray *views = self->views->views;
  g_autofree CalibrateView *before = g_new (CalibrateView, views->len);
  CalibrateResult result = { 0 };
  const gdouble *focal = result.camera.focal;
  gboolean ok;

  for (guint i = 0; i < views->len; i++)
    before[i] = *(CalibrateView *) g_ptr_array_index (views, i);
  ok = calibrate_solve (self->views, capture->lens, capture->n_coefficients,
      &result, NULL);
  for (guint i = 0; i < views->len; i++)
    *(CalibrateView *) g_ptr_array_index (views, i) = before[i];
  if (!ok || !(result.sigma[0] < focal[0] && result.sigma[1] < focal[1]))
    return g_strdup ("");
  return g_strdup_printf ("RMS %.3f pixels, focal lengths %.1f +- %.1f, "
      "%.1f +- %.1f", result.rms, focal[0], result.sigma[0], focal[1],
      result.sigma[1]);
}

/* Adds @view, and tells the user what to show next. */
static void
take (Taker * self, GstElement * element, CalibrateView * view)
{
  const CalibrateCapture *capture = self->capture;
  g_autofree gchar *advice = NULL, *measured = NULL;
  const gchar *comma;
  guint percent;

  g_ptr_array_add (self->views->views, view);
  if (capture->is_picture)
    return;
  calibrate_cover_add (&self->cover, view, self->views->width,
      self->views->height);
  advice = calibrate_cover_advise (&self->cover, capture->percent,
      &self->third);
  if (calibrate_cover_is_enough (&self->cover, capture->percent))
    finish (self, element);
  measured = measure (self);
  percent = calibrate_cover_get_percent (&self->cover);
  comma = measured[0] != '\0' ? ", " : "";
  g_printerr ("view %u, %s: %u points, %u %% of the picture seen%s%s; %s\n",
      self->cover.n_views, view->name, view->points->len, percent, comma,
      measured, self->is_done ? "that is enough" : advice);
  if (self->overlay != NULL) {
    g_autofree gchar *text = g_strdup_printf ("views: %u, seen: %u %%, tilts: "
        "%u of 5%s%s\n%s", self->cover.n_views, percent,
        calibrate_cover_count_tilts (&self->cover), comma[0] != '\0' ? "\n"
        : "", measured, self->is_done ? "done" : advice);

    g_object_set (self->overlay, "text", text, NULL);
  }
}

/* Checks the size of the frames. */
static gboolean
check_size (Taker * self, GstPad * pad)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  CalibrateViews *views = self->views;

  if (caps == NULL || !gst_video_info_from_caps (&self->info, caps))
    return FALSE;
  if (views->width == 0) {
    views->width = self->info.width;
    views->height = self->info.height;
  }
  if (views->width == self->info.width && views->height == self->info.height)
    return TRUE;
  g_set_error (&self->error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "its size, %dx%d, differs from that of the pictures before, %dx%d",
      self->info.width, self->info.height, views->width, views->height);
  return FALSE;
}

/* Returns: (transfer full): @buffer, with outlines around the parts in which the board was not
 * seen, and around the part in which to show it */
static GstBuffer *
draw (const Taker * self, GstBuffer * buffer)
{
  gint width = self->info.width, height = self->info.height;
  GstMeta *meta;

  buffer = gst_buffer_make_writable (buffer);
  /* Removes the region of each tag, so that mgpuoverlay draws no boxes around the outlines of
   * tags. */
  while ((meta = gst_buffer_get_meta (buffer,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
    gst_buffer_remove_meta (buffer, meta);
  for (gint i = 0; i < CALIBRATE_ROWS * CALIBRATE_COLUMNS; i++) {
    gint x = i % CALIBRATE_COLUMNS, y = i / CALIBRATE_COLUMNS;

    if (!self->cover.cells[y][x])
      gst_buffer_add_video_region_of_interest_meta (buffer, "",
          x * width / CALIBRATE_COLUMNS, y * height / CALIBRATE_ROWS,
          width / CALIBRATE_COLUMNS, height / CALIBRATE_ROWS);
  }
  if (self->third >= 0)
    gst_buffer_add_video_region_of_interest_meta (buffer, "here",
        self->third % 3 * width / 3, self->third / 3 * height / 3, width / 3,
        height / 3);
  return buffer;
}

static GstPadProbeReturn
look (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Taker *self = data;
  GstElement *element = GST_ELEMENT (GST_PAD_PARENT (pad));
  GstBuffer *buffer = info->data;
  CalibrateView *view;

  if (self->is_done)
    return GST_PAD_PROBE_OK;
  self->n_frames++;
  if (!check_size (self, pad)) {
    finish (self, element);
    return GST_PAD_PROBE_OK;
  }
  view = find_view (self, buffer);
  if (view != NULL) {
    gboolean wanted = is_wanted (self, view);

    self->n_boards++;
    g_clear_pointer (&self->last, calibrate_view_free);
    if (wanted)
      take (self, element, view);
    else
      self->last = view;
  } else {
    g_clear_pointer (&self->last, calibrate_view_free);
  }
  if (self->overlay != NULL)
    info->data = draw (self, buffer);
  return GST_PAD_PROBE_OK;
}

/* ---- Pipelines -------------------------------------------------------------------- */

/* Returns: whether @input begins with the name of an element */
static gboolean
is_launch (const gchar * input)
{
  g_autofree gchar *word = g_strndup (input, strcspn (input, " !"));
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (word);

  return strchr (input, '!') != NULL || factory != NULL;
}

gboolean
calibrate_is_live (const gchar * input)
{
  return g_str_has_prefix (input, "/dev/") || (is_launch (input)
      && !g_file_test (input, G_FILE_TEST_EXISTS));
}

/* Sets the property @name of the element @element of @pipeline. */
static void
set_property (GstElement * pipeline, const gchar * element, const gchar * name,
    const gchar * value)
{
  g_autoptr (GstElement) found = gst_bin_get_by_name (GST_BIN (pipeline),
      element);

  g_object_set (found, name, value, NULL);
}

static GstElement *
make_pipeline (const CalibrateCapture * self, const gchar * input,
    GError ** error)
{
  const gchar *source = "filesrc name=calibrate-input ! decodebin";
  const gchar *property = "location";
  g_autofree gchar *launch = NULL, *sink = NULL;
  GstElement *pipeline;

  if (g_str_has_prefix (input, "/dev/")) {
    source = "v4l2src name=calibrate-input ! decodebin";
    property = "device";
  } else if (calibrate_is_live (input)) {
    source = input;
    property = NULL;
  } else if (gst_uri_is_valid (input)) {
    source = "uridecodebin name=calibrate-input";
    property = "uri";
  }
  if (self->sink != NULL)
    sink = g_strdup_printf ("mgpuoverlay name=calibrate-overlay "
        "draw=regions+text+tags text=\"show the board\" ! videoconvert ! %s",
        self->sink);
  launch = g_strdup_printf ("%s ! queue name=calibrate-queue "
      "max-size-buffers=1 ! videoconvert ! video/x-raw,format=%s ! %s "
      "identity name=calibrate-frames silent=true ! %s", source,
      self->sink != NULL ? "{I420,NV12,GRAY8}" : "GRAY8",
      self->board->tags != NULL
      ? TAGS : "", sink != NULL ? sink : "fakesink sync=false");
  pipeline = gst_parse_launch_full (launch, NULL, GST_PARSE_FLAG_FATAL_ERRORS,
      error);
  if (pipeline == NULL)
    return NULL;
  if (property != NULL)
    set_property (pipeline, "calibrate-input", property, input);
  if (self->board->tags != NULL)
    set_property (pipeline, "calibrate-tags", "families",
        self->board->families);
  if (self->context != NULL)
    gst_element_set_context (pipeline, self->context);
  return pipeline;
}

/* Waits until the stream has ended, or enough views were taken. */
static gboolean
wait (CalibrateCapture * self, GstElement * pipeline, GError ** error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  while (!is_interrupted) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus,
        100 * GST_MSECOND, GST_MESSAGE_ERROR | GST_MESSAGE_EOS
        | GST_MESSAGE_APPLICATION | GST_MESSAGE_HAVE_CONTEXT);

    if (message == NULL)
      continue;
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      gst_message_parse_error (message, error, NULL);
      return FALSE;
    }
    if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_HAVE_CONTEXT)
      return TRUE;
    if (self->context == NULL)
      gst_message_parse_have_context (message, &self->context);
  }
  return TRUE;
}

/* Prints the result, and the reasons for which it may be inaccurate. */
static void
print_end (const Taker * self)
{
  const CalibrateCapture *capture = self->capture;

  if (is_interrupted)
    g_printerr ("interrupted: continuing with the %u views found so far\n",
        self->cover.n_views);
  else if (!capture->is_picture && !self->is_done)
    g_printerr ("the video ended before the board had covered enough of the "
        "image\n");
  if (capture->is_picture || self->cover.n_views > 0)
    return;
  if (self->n_boards == 0)
    g_printerr ("none of the %u frames shows the board: check that --board "
        "describes the board\n", self->n_frames);
  else
    g_printerr ("%u of %u frames show the board, but the board is only still "
        "in %u of them: hold it still for a moment\n", self->n_boards,
        self->n_frames, self->n_still);
}

static gboolean
run (CalibrateCapture * self, Taker * taker, const gchar * input,
    GError ** error)
{
  GstElement *pipeline = make_pipeline (self, input, error);
  g_autoptr (GstElement) frames = NULL, queue = NULL;
  g_autoptr (GstPad) pad = NULL;
  gboolean ok;

  if (pipeline == NULL)
    return FALSE;
  taker->overlay = gst_bin_get_by_name (GST_BIN (pipeline),
      "calibrate-overlay");
  frames = gst_bin_get_by_name (GST_BIN (pipeline), "calibrate-frames");
  queue = gst_bin_get_by_name (GST_BIN (pipeline), "calibrate-queue");
  pad = gst_element_get_static_pad (frames, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, look, taker, NULL);
  if (!self->is_picture)
    signal (SIGINT, interrupt);
  /* Processes only the newest frame of a live camera. */
  if (gst_element_set_state (pipeline, GST_STATE_PAUSED)
      == GST_STATE_CHANGE_NO_PREROLL)
    gst_util_set_object_arg (G_OBJECT (queue), "leaky", "downstream");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  if (!self->is_picture)
    g_printerr ("searching for the board in %s; press Ctrl+C to stop\n", input);
  ok = wait (self, pipeline, error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  signal (SIGINT, SIG_DFL);
  gst_clear_object (&taker->overlay);
  gst_object_unref (pipeline);
  return ok;
}

gboolean
calibrate_capture (CalibrateCapture * self, const gchar * input,
    CalibrateViews * views, GError ** error)
{
  Taker taker = {.capture = self,.views = views,.third = 4 };
  guint before = views->views->len;
  gboolean ok = run (self, &taker, input, error);

  g_clear_pointer (&taker.last, calibrate_view_free);
  if (taker.error != NULL) {
    g_clear_error (error);
    g_propagate_error (error, taker.error);
    ok = FALSE;
  } else if (!ok && taker.cover.n_views > 0) {
    g_printerr ("%s: %s: continuing with the %u views found so far\n", input,
        (*error)->message, taker.cover.n_views);
    g_clear_error (error);
    ok = TRUE;
  }
  if (!ok) {
    g_prefix_error (error, "%s: ", input);
    return FALSE;
  }
  print_end (&taker);
  if (!self->is_picture)
    return TRUE;
  if (views->views->len == before)
    g_printerr ("%s: no board\n", input);
  for (guint i = before; i < views->views->len; i++) {
    CalibrateView *view = g_ptr_array_index (views->views, i);

    g_free (view->name);
    view->name = g_strdup (input);
  }
  return TRUE;
}
