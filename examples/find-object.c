/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the object that one picture shows in another picture or in each frame
 * of a video: SIFT keypoints of both are matched, and RANSAC looks for the
 * homography that most matches agree with.
 *
 *   find-object [--output FILE] OBJECT SCENE
 *
 * Prints for each frame how many matches there are, how many of them agree, and
 * the corners of the object. FILE gets the frames with its outline drawn: a
 * video (.webm), or pictures (.png; frame-%03d.png for all frames of a video).
 * Exit status: 0 it was found, 1 it was not, 2 an error. */
#include <gst/mgpu/mgpu.h>

#include <cairo.h>
#include <math.h>
#include <string.h>

/* A match is kept when it is that much nearer than the second nearest. */
#define RATIO 0.75

/* RANSAC: pixels that a match may be off; how sure it is to have drawn four
 * good ones; draws at most; matches that have to agree. */
#define TOLERANCE 3.0
#define CONFIDENCE 0.999
#define MAX_DRAWS 2000
#define MIN_INLIERS 10

typedef struct
{
  gdouble x, y;
} Point;

/* Where a point of the object is in the scene. */
typedef struct
{
  Point from, to;
} Pair;

/* ---- Homographies: row-major 3x3, the last number is 1 -------------------- */

/* FALSE when p goes to infinity or beyond. */
static gboolean
project (const gdouble * h, Point p, Point * to)
{
  gdouble w = h[6] * p.x + h[7] * p.y + h[8];

  to->x = (h[0] * p.x + h[1] * p.y + h[2]) / w;
  to->y = (h[3] * p.x + h[4] * p.y + h[5]) / w;
  return w > 1e-9;
}

/* Moves and scales points so that their centre is 0 and their mean distance
 * from it sqrt (2): equations become well conditioned (Hartley 1997). */
typedef struct
{
  gdouble x, y, scale;
} Frame;

static Frame
frame_of (const Point * points, guint n, gsize step)
{
  Frame f = { 0, 0, 0 };
  gdouble sum = 0;

  for (guint i = 0; i < n; i++) {
    f.x += points[i * step].x / n;
    f.y += points[i * step].y / n;
  }
  for (guint i = 0; i < n; i++)
    sum += hypot (points[i * step].x - f.x, points[i * step].y - f.y);
  f.scale = sum > 0 ? G_SQRT2 * n / sum : 1;
  return f;
}

static Point
normalise (const Frame * f, Point p)
{
  Point q = { (p.x - f->x) * f->scale, (p.y - f->y) * f->scale };

  return q;
}

/* Solves the 8 equations a x = a[8] by elimination. FALSE when they do not
 * have one solution. */
static gboolean
solve (gdouble a[8][9], gdouble * x)
{
  for (guint i = 0; i < 8; i++) {
    guint pivot = i;

    for (guint j = i + 1; j < 8; j++)
      if (fabs (a[j][i]) > fabs (a[pivot][i]))
        pivot = j;
    if (fabs (a[pivot][i]) < 1e-9)
      return FALSE;
    for (guint k = 0; k < 9; k++) {
      gdouble t = a[i][k];

      a[i][k] = a[pivot][k];
      a[pivot][k] = t;
    }
    for (guint j = i + 1; j < 8; j++)
      for (guint k = 9; k-- > i;)
        a[j][k] -= a[i][k] * a[j][i] / a[i][i];
  }
  for (guint i = 8; i-- > 0;) {
    x[i] = a[i][8];
    for (guint k = i + 1; k < 8; k++)
      x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  return TRUE;
}

/* The normalised direct linear transformation: exact for 4 pairs, least squares
 * for more. */
static gboolean
fit (const Pair * pairs, guint n, gdouble * h)
{
  const gsize step = sizeof (Pair) / sizeof (Point);
  Frame from = frame_of (&pairs[0].from, n, step);
  Frame to = frame_of (&pairs[0].to, n, step);
  gdouble a[8][9] = { {0,}, }, g[9] = { 0, }, u, v;

  for (guint i = 0; i < n; i++) {
    Point p = normalise (&from, pairs[i].from);
    Point q = normalise (&to, pairs[i].to);
    const gdouble rows[2][9] = {
      {p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y, q.x},
      {0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y, q.y}
    };

    for (guint r = 0; r < 2; r++)
      for (guint j = 0; j < 8; j++)
        for (guint k = 0; k < 9; k++)
          a[j][k] += rows[r][j] * rows[r][k];
  }
  if (!solve (a, g))
    return FALSE;
  g[8] = 1;
  /* Out of the frames again: h = to^-1 g from. */
  for (guint k = 0; k < 3; k++) {
    g[k] = g[k] / to.scale + to.x * g[6 + k];
    g[3 + k] = g[3 + k] / to.scale + to.y * g[6 + k];
  }
  u = -from.x * from.scale;
  v = -from.y * from.scale;
  for (guint r = 0; r < 9; r += 3) {
    h[r] = g[r] * from.scale;
    h[r + 1] = g[r + 1] * from.scale;
    h[r + 2] = g[r] * u + g[r + 1] * v + g[r + 2];
  }
  if (fabs (h[8]) < 1e-9)
    return FALSE;
  for (guint i = 0; i < 9; i++)
    h[i] /= h[8];
  return TRUE;
}

/* Copies the pairs that agree with h. Returns how many. */
static guint
find_inliers (const gdouble * h, const Pair * pairs, guint n, Pair * inliers)
{
  guint n_inliers = 0;
  Point p;

  for (guint i = 0; i < n; i++)
    if (project (h, pairs[i].from, &p)
        && hypot (p.x - pairs[i].to.x, p.y - pairs[i].to.y) < TOLERANCE)
      inliers[n_inliers++] = pairs[i];
  return n_inliers;
}

/* Draws four of n pairs, no two alike. */
static void
draw_four (GRand * random, const Pair * pairs, guint n, Pair * four)
{
  guint drawn[4];

  for (guint i = 0; i < 4; i++) {
    gboolean again = TRUE;

    while (again) {
      drawn[i] = g_rand_int_range (random, 0, n);
      again = FALSE;
      for (guint j = 0; j < i; j++)
        again |= drawn[j] == drawn[i];
    }
    four[i] = pairs[drawn[i]];
  }
}

/* Returns how many pairs agree with the homography that most agree with. The
 * same pairs give the same one. */
static guint
ransac (const Pair * pairs, guint n, gdouble * h)
{
  GRand *random = g_rand_new_with_seed (1);
  Pair *inliers = g_new (Pair, n + 4), four[4];
  guint best = 0, draws = n < 4 ? 0 : MAX_DRAWS, found;
  gdouble candidate[9];

  for (guint i = 0; i < draws; i++) {
    draw_four (random, pairs, n, four);
    if (!fit (four, 4, candidate))
      continue;
    found = find_inliers (candidate, pairs, n, inliers);
    if (found > best) {
      gdouble share = (gdouble) found / n;

      best = found;
      memcpy (h, candidate, sizeof (candidate));
      draws = MIN (draws, 1 + log (1 - CONFIDENCE)
          / log1p (-MIN (pow (share, 4), 1 - 1e-9)));
    }
  }
  /* Least squares of all that agree, as long as that wins others. */
  found = best >= 4 ? find_inliers (h, pairs, n, inliers) : 0;
  while (found >= 4 && fit (inliers, found, candidate)) {
    found = find_inliers (candidate, pairs, n, inliers);
    if (found < best)
      break;
    memcpy (h, candidate, sizeof (candidate));
    if (found == best)
      break;
    best = found;
  }
  g_free (inliers);
  g_rand_free (random);
  return best;
}

/* ---- The object in a frame -------------------------------------------------- */

typedef struct
{
  GstSample *object;
  GstVideoInfo object_info, info;
  gboolean draws;
  guint n_frames, n_found;
} Finder;

/* The four corners, clockwise from the upper left. FALSE when they are no picture
 * of a rectangle. */
static gboolean
find_corners (const gdouble * h, const GstVideoInfo * info, Point * corners)
{
  /* Whole numbers are the middles of pixels. */
  gdouble right = GST_VIDEO_INFO_WIDTH (info) - 0.5;
  gdouble bottom = GST_VIDEO_INFO_HEIGHT (info) - 0.5;
  const Point from[4] = {
    {-0.5, -0.5}, {right, -0.5}, {right, bottom}, {-0.5, bottom}
  };

  for (guint i = 0; i < 4; i++)
    if (!project (h, from[i], &corners[i]))
      return FALSE;
  for (guint i = 0; i < 4; i++) {
    Point a = corners[i], b = corners[(i + 1) % 4], c = corners[(i + 2) % 4];

    if ((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) <= 0)
      return FALSE;
  }
  return TRUE;
}

static void
draw_outline (GstBuffer * buffer, const GstVideoInfo * info,
    const Point * corners)
{
  cairo_surface_t *surface;
  GstVideoFrame frame;
  cairo_t *cairo;

  if (!gst_video_frame_map (&frame, info, buffer, GST_MAP_READWRITE))
    return;
  surface = cairo_image_surface_create_for_data
      (GST_VIDEO_FRAME_PLANE_DATA (&frame, 0), CAIRO_FORMAT_RGB24,
      GST_VIDEO_FRAME_WIDTH (&frame), GST_VIDEO_FRAME_HEIGHT (&frame),
      GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0));
  cairo = cairo_create (surface);
  cairo_set_source_rgb (cairo, 0, 1, 0);
  cairo_set_line_width (cairo, 3);
  for (guint i = 0; i < 4; i++)
    cairo_line_to (cairo, corners[i].x + 0.5, corners[i].y + 0.5);
  cairo_close_path (cairo);
  cairo_stroke (cairo);
  cairo_destroy (cairo);
  cairo_surface_destroy (surface);
  gst_video_frame_unmap (&frame);
}

/* Returns: (nullable): the pairs that match */
static Pair *
match (GstMgpuKeypointMeta * object, GstMgpuKeypointMeta * scene, guint * n,
    GError ** error)
{
  GBytes *bytes = gst_mgpu_keypoint_meta_match (object, scene, RATIO, TRUE,
      error);
  const GstMgpuKeypointMatch *matches;
  GstMgpuKeypoint from, to;
  Pair *pairs;
  gsize size;

  if (bytes == NULL)
    return NULL;
  matches = g_bytes_get_data (bytes, &size);
  *n = size / sizeof (*matches);
  pairs = g_new (Pair, *n + 1);
  for (guint i = 0; i < *n; i++) {
    gst_mgpu_keypoint_meta_get_keypoint (object, matches[i].query, &from);
    gst_mgpu_keypoint_meta_get_keypoint (scene, matches[i].train, &to);
    pairs[i].from.x = from.x;
    pairs[i].from.y = from.y;
    pairs[i].to.x = to.x;
    pairs[i].to.y = to.y;
  }
  g_bytes_unref (bytes);
  return pairs;
}

/* Looks at each frame that leaves mgpusift. */
static GstPadProbeReturn
look (GstPad * pad, GstPadProbeInfo * probe, gpointer data)
{
  Finder *finder = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GError *error = NULL;
  guint n, n_inliers;
  gdouble h[9];
  Point c[4];
  Pair *pairs;

  gst_video_info_from_caps (&finder->info, caps);
  gst_caps_unref (caps);
  pairs = match (gst_buffer_get_mgpu_keypoint_meta (gst_sample_get_buffer
          (finder->object)), gst_buffer_get_mgpu_keypoint_meta (buffer), &n,
      &error);
  if (pairs == NULL) {
    GST_ELEMENT_ERROR (GST_PAD_PARENT (pad), STREAM, FAILED,
        ("%s", error->message), (NULL));
    g_error_free (error);
    return GST_PAD_PROBE_DROP;
  }
  n_inliers = ransac (pairs, n, h);
  g_free (pairs);

  g_print ("frame %u: %u matches, ", finder->n_frames++, n);
  if (n_inliers < MIN_INLIERS || !find_corners (h, &finder->object_info, c)) {
    g_print ("not found\n");
    return GST_PAD_PROBE_OK;
  }
  finder->n_found++;
  g_print ("%u inliers, corners %.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f\n",
      n_inliers, c[0].x, c[0].y, c[1].x, c[1].y, c[2].x, c[2].y, c[3].x,
      c[3].y);
  if (finder->draws) {
    buffer = gst_buffer_make_writable (buffer);
    GST_PAD_PROBE_INFO_DATA (probe) = buffer;
    draw_outline (buffer, &finder->info, c);
  }
  return GST_PAD_PROBE_OK;
}

/* ---- Pipelines -------------------------------------------------------------- */

/* Reads the file, finds keypoints, and goes on with the elements in then.
 * Returns: (nullable): NULL when an element is missing */
static GstElement *
make_pipeline (const gchar * location, const gchar * then,
    GstContext * context)
{
  gchar *launch = g_strconcat ("filesrc name=source ! decodebin ! "
      "videoconvert ! video/x-raw,format=BGRx ! mgpusift name=sift "
      "descriptor=rootsift ! ", then, NULL);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch_full (launch, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error), *source;

  g_free (launch);
  if (pipeline == NULL) {
    g_printerr ("%s: install the GStreamer plugin that has it\n",
        error->message);
    g_error_free (error);
    return NULL;
  }
  gst_element_set_context (pipeline, context);
  source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_object_set (source, "location", location, NULL);
  gst_object_unref (source);
  return pipeline;
}

static gboolean
run (GstElement * pipeline, const gchar * location)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  gboolean ok;
  GError *error;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  ok = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  if (!ok) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s: %s: %s\n", location, GST_MESSAGE_SRC_NAME (message),
        error->message);
    g_error_free (error);
  }
  gst_message_unref (message);
  gst_object_unref (bus);
  return ok;
}

static void
say_empty (const gchar * location)
{
  g_printerr ("%s: there is no picture in it\n", location);
}

/* Returns: (nullable): the picture of the object and its keypoints */
static GstSample *
load_object (const gchar * location, GstContext * context)
{
  GstElement *pipeline = make_pipeline (location,
      "fakesink name=sink sync=false", context);
  GstSample *sample = NULL;
  GstElement *sink;

  if (pipeline == NULL)
    return NULL;
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  if (run (pipeline, location)) {
    g_object_get (sink, "last-sample", &sample, NULL);
    if (sample == NULL)
      say_empty (location);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return sample;
}

static gboolean
search_scene (Finder * finder, const gchar * location, const gchar * output,
    GstContext * context)
{
  GstElement *pipeline = make_pipeline (location, output == NULL
      ? "fakesink sync=false" : g_str_has_suffix (output, ".png")
      ? "videoconvert ! pngenc ! multifilesink name=sink"
      : "videoconvert ! vp8enc deadline=1 ! webmmux ! filesink name=sink",
      context);
  GstElement *sift, *sink;
  gboolean ok;
  GstPad *pad;

  if (pipeline == NULL)
    return FALSE;
  sift = gst_bin_get_by_name (GST_BIN (pipeline), "sift");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  pad = gst_element_get_static_pad (sift, "src");
  if (sink != NULL)
    g_object_set (sink, "location", output, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, look, finder, NULL);
  ok = run (pipeline, location);
  if (ok && finder->n_frames == 0) {
    say_empty (location);
    ok = FALSE;
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pad);
  gst_clear_object (&sink);
  gst_object_unref (sift);
  gst_object_unref (pipeline);
  return ok;
}

static void
print_help (GOptionContext * options)
{
  gchar *help = g_option_context_get_help (options, TRUE, NULL);

  g_printerr ("%s", help);
  g_free (help);
}

int
main (int argc, char **argv)
{
  gchar *output = NULL, **files = NULL;
  const GOptionEntry entries[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
        "Write the frames with the outline to FILE", "FILE"},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL,
        "OBJECT SCENE"},
    {NULL}
  };
  GOptionContext *options = g_option_context_new (NULL);
  GstMgpuContext *device = NULL;
  GstContext *context;
  GError *error = NULL;
  Finder finder = { NULL, };
  int status = 2;

  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_add_group (options, gst_init_get_option_group ());
  if (g_option_context_parse (options, &argc, &argv, &error)) {
    if (files != NULL && g_strv_length (files) == 2)
      device = gst_mgpu_context_new (NULL, &error);
    else
      print_help (options);
  }
  g_option_context_free (options);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  g_clear_error (&error);
  if (device == NULL)
    goto out;

  context = gst_context_new_mgpu_context (device);
  finder.draws = output != NULL;
  finder.object = load_object (files[0], context);
  if (finder.object != NULL
      && gst_video_info_from_caps (&finder.object_info,
          gst_sample_get_caps (finder.object))
      && search_scene (&finder, files[1], output, context))
    status = finder.n_found == 0;
  g_clear_pointer (&finder.object, gst_sample_unref);
  gst_context_unref (context);
  gst_object_unref (device);

out:
  g_strfreev (files);
  g_free (output);
  return status;
}
