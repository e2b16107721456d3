/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures whole pipelines, this project's and others that do the same, alternately: frames per
 * second, the latency of a frame, processor time, copies, memory.
 *
 *   bench-pipelines [--rounds N] [--seconds S] [--only ROW]... [--way LABEL]... [--check]
 *       [--json FILE] [--plot FILE.svg]
 *
 * Rows with processes start this program again, with --child and --frames.
 */
#include "pipelines.h"

#include <cairo-svg.h>
#include <json-glib/json-glib.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WAYS 12

/* --check: several streams count as slower than one stream if their total frame rate is below this
 * fraction of its frame rate, and their processor time per frame is more than MOST_CPU times its
 * processor time. On a machine that other programs use, one of the two figures alone proves
 * nothing. Processes with one stream each share caches but no locks. If the same number of such
 * processes was measured, the streams count as slower only if they are also slower than these
 * processes. */
#define LEAST_FRAMES 0.95
#define MOST_CPU 1.1

#define BILATERAL "mgpubilateral sigma-color=30 sigma-space=3 radius=4"
#define CHAIN BILATERAL " ! mgpuhisteq ! mgpusift max-features=500"
#define GRAY "video/x-raw,format=GRAY8,framerate=25/1"
#define RGB "video/x-raw,format=RGB,framerate=25/1"
#define NV12 "video/x-raw,format=NV12,framerate=25/1"
#define HD ",width=1920,height=1080"
#define VGA ",width=640,height=480"

#ifdef HAVE_OPENCV
#define OPENCV_BILATERAL bench_opencv_bilateral
#define OPENCV_EQUALIZE bench_opencv_equalize
#else
#define OPENCV_BILATERAL NULL
#define OPENCV_EQUALIZE NULL
#endif

typedef struct
{
  const gchar *name;
  const gchar *caps;
  BenchWay ways[MAX_WAYS];
} Row;

#define WAY(label, launch, feed) \
    {label, launch, NULL, BENCH_FEED_##feed, NULL, 1, FALSE}
#define OPENCV(apply) \
    {"appsink + OpenCV + appsrc", NULL, apply, BENCH_FEED_MALLOC, NULL, 1, FALSE}
#define FFMPEG(filter) \
    {"ffmpeg -vf " filter, NULL, NULL, BENCH_FEED_MALLOC, filter, 1, FALSE}
#define STREAMS(label, n, contexts) \
    {label, CHAIN, NULL, BENCH_FEED_POOL, NULL, n, FALSE, TRUE, contexts}
#define PROCESSES(label, n) \
    {label, CHAIN, NULL, BENCH_FEED_POOL, NULL, n, TRUE}

static const Row rows[] = {
  {"bilateral, GRAY8 1920x1080", GRAY HD, {
              WAY ("mgpubilateral", BILATERAL, POOL),
              WAY ("mgpubilateral, plain memory", BILATERAL, MALLOC),
              WAY ("mgpubilateral, frames ready", BILATERAL, READY),
              WAY ("mgpubilateral, on the device", BILATERAL, DEVICE),
              WAY ("cvsmooth",
                  "cvsmooth type=bilateral kernel-width=9 color=30 "
                  "spatial=3", MALLOC),
          OPENCV (OPENCV_BILATERAL)}},
  {"equalization, GRAY8 1920x1080", GRAY HD, {
              WAY ("mgpuhisteq", "mgpuhisteq", POOL),
              WAY ("mgpuhisteq, plain memory", "mgpuhisteq", MALLOC),
              WAY ("mgpuhisteq, frames ready", "mgpuhisteq", READY),
              WAY ("mgpuhisteq, on the device", "mgpuhisteq", DEVICE),
              WAY ("cvequalizehist", "cvequalizehist", MALLOC),
          OPENCV (OPENCV_EQUALIZE)}},
  {"equalization, RGB 1920x1080", RGB HD, {
              WAY ("mgpuhisteq", "mgpuhisteq", POOL),
              WAY ("mgpuhisteq, plain memory", "mgpuhisteq", MALLOC),
          FFMPEG ("histeq")}},
  {"bilateral, NV12 1920x1080", NV12 HD, {
              WAY ("mgpubilateral", BILATERAL, POOL),
              WAY ("mgpubilateral, plain memory", BILATERAL, MALLOC),
              WAY ("mgpubilateral, frames ready", BILATERAL, READY),
          WAY ("mgpubilateral, on the device", BILATERAL, DEVICE)}},
  {"bilateral, equalization, SIFT, GRAY8 1920x1080", GRAY HD, {
              WAY ("chain", CHAIN, POOL),
              WAY ("chain, plain memory", CHAIN, MALLOC),
              WAY ("chain, frames ready", CHAIN, READY),
          WAY ("chain, on the device", CHAIN, DEVICE)}},
  {"the same, NV12 1920x1080", NV12 HD, {
              WAY ("chain", CHAIN, POOL),
              WAY ("chain, frames ready", CHAIN, READY),
          WAY ("chain, on the device", CHAIN, DEVICE)}},
  {"the same, GRAY8 640x480, streams", GRAY VGA, {
              STREAMS ("1 stream", 1, NULL),
              STREAMS ("2 streams", 2, NULL),
              STREAMS ("4 streams", 4, NULL),
              STREAMS ("8 streams", 8, NULL),
              STREAMS ("16 streams", 16, NULL),
              STREAMS ("2 streams, 1 context", 2, "1"),
              STREAMS ("4 streams, 1 context", 4, "1"),
              STREAMS ("8 streams, 1 context", 8, "1"),
              STREAMS ("16 streams, 1 context", 16, "1"),
              PROCESSES ("2 processes", 2),
              PROCESSES ("4 processes", 4),
          PROCESSES ("8 processes", 8)}}
};

static gint n_rounds = 3;
static gdouble run_seconds = 1;
static gchar *json_path, *plot_path, *child, **only, **only_ways;
static gint child_frames;
static gboolean checks;

static const GOptionEntry entries[] = {
  {"rounds", 'r', 0, G_OPTION_ARG_INT, &n_rounds,
      "Runs of each way, alternately (default: 3)", "N"},
  {"seconds", 's', 0, G_OPTION_ARG_DOUBLE, &run_seconds,
      "About as long takes each run (default: 1)", "S"},
  {"only", 'o', 0, G_OPTION_ARG_STRING_ARRAY, &only,
      "Rows whose name contains TEXT; may be given several times", "TEXT"},
  {"way", 'w', 0, G_OPTION_ARG_STRING_ARRAY, &only_ways,
      "Only the way with this label; may be given several times", "LABEL"},
  {"check", 'c', 0, G_OPTION_ARG_NONE, &checks,
        "Fail if a way fails, or if streams in one pipeline are slower than one stream and than "
        "as many processes; those in a single context may be slower",
      NULL},
  {"json", 'j', 0, G_OPTION_ARG_FILENAME, &json_path,
      "Write the results to FILE", "FILE"},
  {"plot", 'p', 0, G_OPTION_ARG_FILENAME, &plot_path,
      "Draw frames per second into FILE, an SVG", "FILE"},
  {"child", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &child, NULL, NULL},
  {"frames", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &child_frames, NULL,
      NULL},
  {NULL}
};

/* --- Measuring --- */

static gint
compare_fps (gconstpointer a, gconstpointer b)
{
  gdouble d = ((const BenchResult *) a)->fps - ((const BenchResult *) b)->fps;

  return d < 0 ? -1 : d > 0;
}

static guint
count_ways (const Row * row)
{
  guint n = 0;

  while (n < MAX_WAYS && row->ways[n].label != NULL)
    n++;
  return n;
}

/* Returns whether a variant can run on this machine and was requested. */
static gboolean
is_run (const BenchWay * way)
{
  return (only_ways == NULL
      || g_strv_contains ((const gchar * const *) only_ways, way->label))
      && bench_can_run (way);
}

static void
run (const Row * row, const BenchWay * way, guint frames, BenchResult * result)
{
  if (way->apart)
    bench_run_apart (row->name, frames, way->streams, result);
  else
    bench_run (way, row->caps, frames, result);
}

/* Returns: the number of frames of each stream that take about run_seconds; 0 if a run fails */
static guint
choose_frames (const Row * row, const BenchWay * way)
{
  BenchResult trial;

  run (row, way, 10, &trial);
  if (trial.latency == NULL)
    return 0;
  g_array_unref (trial.latency);
  return CLAMP (trial.fps * run_seconds / way->streams, 20, 20000);
}

/* Measures a row of the table. @medians: the run of each variant with the median of frames per
 * second; latency is NULL if the variant cannot run. */
static void
measure (const Row * row, BenchResult * medians)
{
  guint n_ways = count_ways (row);
  g_autofree BenchResult *results = g_new0 (BenchResult, n_ways * n_rounds);
  guint frames[MAX_WAYS] = { 0 };

  for (guint w = 0; w < n_ways; w++)
    if (is_run (&row->ways[w]))
      frames[w] = choose_frames (row, &row->ways[w]);
  for (gint round = 0; round < n_rounds; round++)
    for (guint w = 0; w < n_ways; w++)
      if (frames[w] > 0)
        run (row, &row->ways[w], frames[w], &results[w * n_rounds + round]);
  for (guint w = 0; w < n_ways; w++) {
    BenchResult *of_way = &results[w * n_rounds];

    qsort (of_way, n_rounds, sizeof (*of_way), compare_fps);
    medians[w] = of_way[n_rounds / 2];
    for (gint round = 0; round < n_rounds; round++)
      if (round != n_rounds / 2 && of_way[round].latency != NULL)
        g_array_unref (of_way[round].latency);
  }
}

/* --- Telling --- */

static void
print_row (const Row * row, const BenchResult * results)
{
  static const gdouble percents[] = { 50, 95, 99 };

  printf ("\n%s\n%-32s %9s %7s %8s %8s %8s %8s %8s %8s %6s %6s %8s %8s %8s\n",
      row->name, "", "frames/s", "ratio", "50 % ms", "95 % ms", "99 % ms",
      "CPU ms", "device", "elements", "up", "down", "MB", "MiB", "device");
  for (guint w = 0; w < count_ways (row); w++) {
    const BenchResult *r = &results[w];

    if (r->latency == NULL) {
      if (only_ways == NULL || is_run (&row->ways[w]))
        printf ("%-32s fails, or is not installed\n", row->ways[w].label);
      continue;
    }
    printf ("%-32s %9.1f %7.2f", row->ways[w].label, r->fps,
        results[0].fps / r->fps);
    for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
      if (r->latency->len > 0)
        printf (" %8.3f", bench_percentile (r->latency, percents[i]));
      else
        printf (" %8s", "-");
    printf (" %8.3f %8.3f", r->cpu_ms, r->device_ms);
    if (isnan (r->elements_ms))
      printf (" %8s", "-");
    else
      printf (" %8.3f", r->elements_ms);
    printf (" %6.2f %6.2f %8.3f %8.0f %8.1f\n", r->uploads, r->downloads,
        r->bytes / 1e6, r->resident_mib, r->device_mib);
    if (row->ways[w].streams > 1)
      printf ("%-32s %9.1f to %.1f\n", "  of a stream", r->slowest, r->fastest);
  }
  fflush (stdout);
}

static gboolean
is_slower (const BenchResult * a, const BenchResult * b)
{
  return a->fps < LEAST_FRAMES * b->fps && a->cpu_ms > MOST_CPU * b->cpu_ms;
}

/* Returns: (nullable): the result of @n processes with a stream each, if they were measured */
static const BenchResult *
find_processes (const Row * row, const BenchResult * results, guint n)
{
  for (guint w = 0; w < count_ways (row); w++)
    if (row->ways[w].streams == n && !row->ways[w].together
        && results[w].latency != NULL)
      return &results[w];
  return NULL;
}

/* Prints how each variant with several streams in a pipeline compares with one stream. Returns:
 * whether no variant fails, and no variant whose number of contexts is not set is slower than one
 * stream */
static gboolean
print_streams (const Row * row, const BenchResult * results)
{
  const BenchResult *one = &results[0];
  gboolean ok = TRUE;

  for (guint w = 0; w < count_ways (row); w++) {
    const BenchResult *r = &results[w];
    guint further = row->ways[w].streams - 1;

    if (r->latency == NULL) {
      ok &= !is_run (&row->ways[w]);
    } else if (row->ways[w].together && further > 0 && one->latency != NULL) {
      const BenchResult *apart = find_processes (row, results, further + 1);
      gboolean slower = is_slower (r, one)
          && (apart == NULL || is_slower (r, apart));

      printf
          ("%s: %.2f of the frames of one stream, %.2f of its processor time a frame; "
          "each further stream takes %.1f MiB of the device and %.1f MiB of the process%s\n",
          row->ways[w].label, r->fps / one->fps, r->cpu_ms / one->cpu_ms,
          (r->device_mib - one->device_mib) / further,
          (r->resident_mib - one->resident_mib) / further,
          slower ? ": SLOWER" : "");
      ok &= !slower || row->ways[w].contexts != NULL;
    }
  }
  fflush (stdout);
  return ok;
}

/* Prints how close each of this project's pipelines comes to the limits of the bus and of the
 * kernels, for a device with dedicated memory. */
static void
print_limits (const Row * row, const BenchResult * results,
    GstMgpuContext * context)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (row->caps);
  gdouble bus, kernels = 0;
  GstVideoInfo info;

  for (guint w = 0; w < count_ways (row); w++)
    if (row->ways[w].feed == BENCH_FEED_DEVICE && results[w].latency != NULL)
      kernels = 1000 / results[w].device_ms;
  if (kernels > 0 && gst_video_info_from_caps (&info, caps)) {
    bus = bench_limit_of_bus (context, GST_VIDEO_INFO_SIZE (&info));
    printf ("filling frames alone %.1f/s, copies alone %.1f/s, kernels alone "
        "%.1f/s:", bench_limit_of_filling (context, &info), bus, kernels);
    for (guint w = 0; w < count_ways (row); w++)
      if (row->ways[w].launch != NULL && results[w].latency != NULL
          && strstr (row->ways[w].launch, "mgpu"))
        printf (" %s %.0f %%;", row->ways[w].label, 100 * results[w].fps
            / (row->ways[w].feed == BENCH_FEED_DEVICE ? kernels
                : MIN (bus, kernels)));
    printf ("\n");
    fflush (stdout);
  }
}

static void
add_number (JsonBuilder * json, const gchar * name, gdouble value)
{
  if (isnan (value))
    return;
  json_builder_set_member_name (json, name);
  json_builder_add_double_value (json, value);
}

static void
add_row (JsonBuilder * json, const Row * row, const BenchResult * results)
{
  for (guint w = 0; w < count_ways (row); w++) {
    const BenchResult *r = &results[w];

    if (r->latency == NULL)
      continue;
    json_builder_begin_object (json);
    json_builder_set_member_name (json, "row");
    json_builder_add_string_value (json, row->name);
    json_builder_set_member_name (json, "way");
    json_builder_add_string_value (json, row->ways[w].label);
    add_number (json, "streams", row->ways[w].streams);
    add_number (json, "frames-per-second", r->fps);
    add_number (json, "latency-50-ms", bench_percentile (r->latency, 50));
    add_number (json, "latency-95-ms", bench_percentile (r->latency, 95));
    add_number (json, "latency-99-ms", bench_percentile (r->latency, 99));
    add_number (json, "slowest-stream", r->slowest);
    add_number (json, "fastest-stream", r->fastest);
    add_number (json, "cpu-ms", r->cpu_ms);
    add_number (json, "device-ms", r->device_ms);
    add_number (json, "elements-ms", r->elements_ms);
    add_number (json, "uploads", r->uploads);
    add_number (json, "downloads", r->downloads);
    add_number (json, "bytes", r->bytes);
    add_number (json, "resident-mib", r->resident_mib);
    add_number (json, "device-mib", r->device_mib);
    json_builder_end_object (json);
  }
}

static void
write_json (JsonBuilder * json)
{
  JsonGenerator *generator = json_generator_new ();
  g_autoptr (JsonNode) root = json_builder_get_root (json);
  GError *error = NULL;

  json_generator_set_pretty (generator, TRUE);
  json_generator_set_root (generator, root);
  if (!json_generator_to_file (generator, json_path, &error))
    g_error ("%s", error->message);
  g_object_unref (generator);
}

#define BAR 18
#define LABELS 230
#define BARS 420

/* Draws the bars of a row from @y down; returns the y of the next row. Without a cairo context,
 * only computes this y. */
static gdouble
plot_row (cairo_t * cr, const Row * row, const BenchResult * results, gdouble y)
{
  guint n_ways = count_ways (row);
  gdouble most = 0;

  for (guint w = 0; w < n_ways; w++)
    most = MAX (most, results[w].fps);
  if (cr != NULL) {
    cairo_set_source_rgb (cr, 0, 0, 0);
    cairo_move_to (cr, 8, y + BAR - 5);
    cairo_show_text (cr, row->name);
  }
  y += BAR;
  for (guint w = 0; w < n_ways; w++) {
    gchar number[32];

    if (results[w].latency == NULL)
      continue;
    if (cr != NULL) {
      cairo_set_source_rgb (cr, 0.3, 0.3, 0.3);
      cairo_move_to (cr, 20, y + BAR - 5);
      cairo_show_text (cr, row->ways[w].label);
      if (row->ways[w].launch != NULL && strstr (row->ways[w].launch, "mgpu"))
        cairo_set_source_rgb (cr, 0.16, 0.45, 0.7);
      else
        cairo_set_source_rgb (cr, 0.7, 0.7, 0.7);
      cairo_rectangle (cr, LABELS, y + 2, BARS * results[w].fps / most,
          BAR - 4);
      cairo_fill (cr);
      cairo_set_source_rgb (cr, 0, 0, 0);
      g_snprintf (number, sizeof (number), "%.1f", results[w].fps);
      cairo_move_to (cr, LABELS + BARS * results[w].fps / most + 5,
          y + BAR - 5);
      cairo_show_text (cr, number);
    }
    y += BAR;
  }
  return y + BAR / 2;
}

static void
plot (const GPtrArray * shown, BenchResult (*results)[MAX_WAYS])
{
  gdouble height = BAR;
  cairo_surface_t *surface;
  cairo_t *cr;

  for (guint i = 0; i < shown->len; i++)
    height = plot_row (NULL, shown->pdata[i], results[i], height);
  surface = cairo_svg_surface_create (plot_path, LABELS + BARS + 80, height);
  cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_select_font_face (cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
      CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size (cr, 12);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_move_to (cr, LABELS, BAR - 5);
  cairo_show_text (cr, "frames per second");
  height = BAR;
  for (guint i = 0; i < shown->len; i++)
    height = plot_row (cr, shown->pdata[i], results[i], height);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    g_error ("%s: %s", plot_path,
        cairo_status_to_string (cairo_surface_status (surface)));
  cairo_surface_destroy (surface);
}

/* Runs this process as one stream of the row that --child names; the pipelines of such a row differ
 * only in the number of streams. */
static int
be_child (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_equal (rows[i].name, child))
      return bench_run_child (&rows[i].ways[0], rows[i].caps, child_frames);
  return 1;
}

static gboolean
is_wanted (const Row * row)
{
  gboolean wanted = only == NULL;

  for (guint i = 0; only != NULL && only[i] != NULL; i++)
    wanted |= strstr (row->name, only[i]) != NULL;
  return wanted;
}

int
main (int argc, char **argv)
{
  GOptionContext *options = g_option_context_new ("");
  BenchResult results[G_N_ELEMENTS (rows)][MAX_WAYS] = { 0 };
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  JsonBuilder *json = json_builder_new ();
  g_autoptr (GstMgpuContext) context = NULL;
  gboolean ok = TRUE;
  GError *error = NULL;

  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_add_group (options, gst_init_get_option_group ());
  if (!g_option_context_parse (options, &argc, &argv, &error) || n_rounds < 1) {
    g_printerr ("%s\n",
        error != NULL ? error->message : "--rounds: at least 1");
    return 1;
  }
  g_option_context_free (options);
  context = gst_mgpu_context_new (NULL, &error);
  if (context == NULL) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  bench_run_init (context);
  if (child != NULL)
    return be_child ();
  printf ("%s, %u processors\n", gst_mgpu_context_get_device_name (context),
      g_get_num_processors ());

  json_builder_begin_array (json);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    if (!is_wanted (&rows[i]))
      continue;
    measure (&rows[i], results[shown->len]);
    print_row (&rows[i], results[shown->len]);
    ok &= print_streams (&rows[i], results[shown->len]);
    if (!gst_mgpu_context_get_traits (context)->unified_memory)
      print_limits (&rows[i], results[shown->len], context);
    add_row (json, &rows[i], results[shown->len]);
    g_ptr_array_add (shown, (gpointer) & rows[i]);
  }
  json_builder_end_array (json);
  if (json_path != NULL)
    write_json (json);
  if (plot_path != NULL)
    plot (shown, results);

  for (guint i = 0; i < shown->len; i++)
    for (guint w = 0; w < MAX_WAYS; w++)
      g_clear_pointer (&results[i][w].latency, g_array_unref);
  g_object_unref (json);
  return checks && !ok;
}
