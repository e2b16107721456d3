/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Repeats the experiments of Wang, Xiong, Yun, Cavallaro: inpainting (2013). This file measures;
 * wang-page.c writes the page. */
#include "wang.h"

#include <cairo.h>
#include <gst/vision/inpaint/inpaint.h>
#include <gst/vision/inpaint/inpaint-plan.h>
#include <string.h>

#include "../reference/inpaint-scenes.h"

#define N_PIXELS (WANG_WIDTH * WANG_HEIGHT)
#define SEED 2026
#define CAP (3 * G_USEC_PER_SEC)        /* limit for a fill by the paper's method, which need not
                                         * end */

const gdouble wang_factors[WANG_FACTORS] = { -1, 2, 1, 0.5, 0.2, 0.05 };

const gint wang_patches[WANG_PATCHES] = { 9, 13, 17 };

const gchar *const wang_stages[WANG_STAGES] = {
  "grey", "border", "sources", "priorities", "confidence", "best-patch", "colour", "grey-update"
};

WangBox
wang_get_window (gdouble factor)
{
  gint x0 = (WANG_WIDTH - WANG_HOLE_WIDTH) / 2, y0 = (WANG_HEIGHT - WANG_HOLE_HEIGHT) / 2;
  gint more_x = factor * WANG_HOLE_WIDTH, more_y = factor * WANG_HOLE_HEIGHT;

  if (factor < 0)
    return (WangBox) {0, 0, WANG_WIDTH, WANG_HEIGHT};
  return (WangBox) {MAX (x0 - more_x, 0), MAX (y0 - more_y, 0), MIN (x0 + WANG_HOLE_WIDTH + more_x, WANG_WIDTH),
        MIN (y0 + WANG_HOLE_HEIGHT + more_y, WANG_HEIGHT)};
}

static gboolean
is_hole (gint i)
{
  gint x = i % WANG_WIDTH - (WANG_WIDTH - WANG_HOLE_WIDTH) / 2;
  gint y = i / WANG_WIDTH - (WANG_HEIGHT - WANG_HOLE_HEIGHT) / 2;

  return x >= 0 && x < WANG_HOLE_WIDTH && y >= 0 && y < WANG_HOLE_HEIGHT;
}

/* ---- Ours ------------------------------------------------------------------- */

static gdouble
fill_ours (PapersRun * run, MgpuInpaint * inpaint, KcFrame * in, KcFrame * out)
{
  gint64 begin = g_get_monotonic_time ();
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->kc->queue, run->kc->stats);
  mgpu_inpaint_enqueue (inpaint, &job, &in->image, &out->image, NULL, NULL);
  papers_finish (run, &job);
  return (g_get_monotonic_time () - begin) / 1e3;
}

/* Fills the hole once, and more often if that is quick. Returns: (transfer full): the picture */
static KcPicture *
time_ours (PapersRun * run, const KcPicture * picture, gdouble factor, gint patch, guint shortcuts,
    const gchar * name)
{
  const MgpuInpaintParams params = { patch, factor, shortcuts };
  GError *error = NULL;
  MgpuInpaint *inpaint = mgpu_object_new (&mgpu_inpaint, run->kc->context, &picture->info, NULL, NULL, NULL, &error);
  g_autoptr (KcFrame) in = kc_frame_new (run->kc, picture), out = kc_frame_new (run->kc, picture);
  KcPicture *result = kc_picture_copy (picture);
  g_autofree guint8 *unknown = g_malloc (N_PIXELS);
  gdouble times[7], sum = 0;
  guint n = 0;

  if (inpaint == NULL)
    g_error ("%s", error->message);
  for (gint i = 0; i < N_PIXELS; i++)
    unknown[i] = is_hole (i);
  mgpu_inpaint_set_mask (inpaint, unknown, NULL, &params);
  while (n < G_N_ELEMENTS (times) && (n == 0 || sum < (run->quick ? 1 : 600))) {
    times[n] = fill_ours (run, inpaint, in, out);
    sum += times[n++];
  }
  papers_set (run->column, kc_median (times, n), "wang/%s/%d/%g", name, patch, factor);
  g_print ("  wang: %-22s patch %d, factor %g: %.1f ms, %u rounds\n", name, patch, factor, kc_median (times, n), n);
  kc_frame_read (run->kc, out, result);
  mgpu_object_free (inpaint);
  return result;
}

/* ---- Theirs ----------------------------------------------------------------- */

/* Kernels in the order of their launches. The first one runs only once, and only one of the next
 * two is used. */
enum
{
  TO_GRAY, MARK_SOURCES, MARK_WHOLE, FIND_BORDER, FIND_PRIORITIES, CHOOSE_TARGET, BEST_PATCH, BEST_PATCH_LOCAL, CHOOSE_SOURCE,
  UPDATE_CONFIDENCE, UPDATE_GRAY, UPDATE_COLOURS, N_KERNELS
};

static const gchar *const kernel_names[N_KERNELS] = {
  "to_grey", "mark_sources", "mark_whole", "find_border", "find_priorities", "choose_target", "best_patch", "best_patch_local",
  "choose_source", "update_confidence", "update_grey", "update_colours"
};

/* Returns the stage to which a kernel belongs. */
static const guint stages[N_KERNELS] = { 0, 2, 2, 1, 3, 3, 5, 5, 5, 4, 7, 6 };

enum
{
  COLOURS, GREY, CONFIDENCE, BORDER, SOURCES, PRIORITIES, COSTS, STATE, N_MEMORIES
};

typedef struct
{
  PapersRun *run;
  gint patch;
  GstMgpuProgram *program;
  cl_kernel kernels[N_KERNELS];
  GstMgpuMemory *memories[N_MEMORIES];
  cl_mem mems[N_MEMORIES];
  const guint8 *colours;        /* pixels of the picture with its hole */
  GArray *places;               /* array of gint: the source of each step */
  gboolean whole;               /* whether only patches that are completely known are sources */

  /* What a fill counted. */
  guint steps, filled;
  gdouble pixels;               /* that were compared */
  gboolean is_done;
} Theirs;

static void
theirs_init (Theirs * t, PapersRun * run, gint patch, const guint8 * colours)
{
  static const gsize sizes[N_MEMORIES] = { 4, 4, 4, 1, 1, 4, 4, 0 };
  gchar *options = g_strdup_printf ("-DP=%d", patch);

  *t = (Theirs) {.run = run,.patch = patch,.colours = colours };
  t->program = papers_program_new (run, "wang.cl", options);
  t->places = g_array_new (FALSE, FALSE, sizeof (gint));
  g_free (options);
  for (guint i = 0; i < N_KERNELS; i++)
    t->kernels[i] = papers_kernel_new (run, t->program, kernel_names[i]);
  for (guint i = 0; i < N_MEMORIES; i++) {
    t->memories[i] = papers_memory_new (run, i == COLOURS ? colours : NULL, i == STATE ? 64 : sizes[i] * N_PIXELS);
    t->mems[i] = papers_memory_get (run, t->memories[i]);
  }
}

static void
theirs_clear (Theirs * t)
{
  for (guint i = 0; i < N_KERNELS; i++)
    if (t->kernels[i] != NULL)
      clReleaseKernel (t->kernels[i]);
  for (guint i = 0; i < N_MEMORIES; i++)
    kc_memory_free (t->memories[i]);
  g_array_unref (t->places);
  g_clear_object (&t->program);
}

/* Passes a window to a kernel as an int4. */
static void
set_window (Theirs * t, guint kernel, guint argument, const WangBox * window)
{
  papers_check (clSetKernelArg (t->kernels[kernel], argument, sizeof (*window), window) == CL_SUCCESS,
      "clSetKernelArg failed");
}

static void
set_args (Theirs * t, const WangBox * window)
{
  PapersRun *run = t->run;
  cl_kernel *k = t->kernels;
  cl_mem *m = t->mems;
  const gint w = WANG_WIDTH, h = WANG_HEIGHT;

  PAPERS_ARGS (run, k[TO_GRAY], "mmm", m[COLOURS], m[GREY], m[CONFIDENCE]);
  for (guint i = MARK_SOURCES; i <= MARK_WHOLE; i++) {
    PAPERS_ARGS (run, k[i], "mmii", m[COLOURS], m[SOURCES], w, h);
    set_window (t, i, 4, window);
  }
  PAPERS_ARGS (run, k[FIND_BORDER], "mmii", m[COLOURS], m[BORDER], w, h);
  PAPERS_ARGS (run, k[FIND_PRIORITIES], "mmmmmii", m[COLOURS], m[GREY], m[CONFIDENCE], m[BORDER], m[PRIORITIES], w, h);
  PAPERS_ARGS (run, k[CHOOSE_TARGET], "mmmmii", m[PRIORITIES], m[COLOURS], m[CONFIDENCE], m[STATE], w, h);
  for (guint i = BEST_PATCH; i <= BEST_PATCH_LOCAL; i++) {
    PAPERS_ARGS (run, k[i], "mmmmii", m[COLOURS], m[SOURCES], m[STATE], m[COSTS], w, h);
    set_window (t, i, 6, window);
  }
  PAPERS_ARGS (run, k[CHOOSE_SOURCE], "mmi", m[COSTS], m[STATE], w);
  set_window (t, CHOOSE_SOURCE, 3, window);
  PAPERS_ARGS (run, k[UPDATE_CONFIDENCE], "mmmii", m[COLOURS], m[STATE], m[CONFIDENCE], w, h);
  PAPERS_ARGS (run, k[UPDATE_GRAY], "mmmii", m[COLOURS], m[STATE], m[GREY], w, h);
  PAPERS_ARGS (run, k[UPDATE_COLOURS], "mmii", m[COLOURS], m[STATE], w, h);
}

static void
launch (GstMgpuJob * job, Theirs * t, guint kernel, gsize x, gsize y, gsize group)
{
  const gsize global[2] = { group > 0 ? (x + group - 1) / group * group : x,
    group > 0 ? (y + group - 1) / group * group : y
  };
  const gsize local[2] = { group, group };

  gst_mgpu_job_launch (job, t->kernels[kernel], y > 0 ? 2 : 1, global, group > 0 ? local : NULL);
}

/* Fills the hole as the paper's program does: the host decides after each step whether another one
 * follows. @limit: microseconds after which the filling stops in any case; 0: never. Returns:
 * milliseconds */
static gdouble
fill_theirs (Theirs * t, const WangBox * window, gboolean local, gint64 limit)
{
  PapersRun *run = t->run;
  cl_command_queue queue = gst_mgpu_queue_get_cl_queue (run->kc->queue);
  gsize n_candidates = (gsize) (window->x1 - window->x0) * (window->y1 - window->y0);
  const gint w = WANG_WIDTH, h = WANG_HEIGHT;
  gint64 begin;
  GstMgpuJob job;

  set_args (t, window);
  clEnqueueWriteBuffer (queue, t->mems[COLOURS], CL_TRUE, 0, 4 * N_PIXELS, t->colours, 0, NULL, NULL);
  t->steps = t->pixels = t->is_done = 0;
  g_array_set_size (t->places, 0);
  begin = g_get_monotonic_time ();
  gst_mgpu_job_begin (&job, run->kc->queue, run->kc->stats);
  launch (&job, t, TO_GRAY, N_PIXELS, 0, 0);
  launch (&job, t, t->whole ? MARK_WHOLE : MARK_SOURCES, w, h, 0);
  papers_finish (run, &job);
  for (guint i = 0; i < N_PIXELS; i++) {
    gint state[4] = { -1 };

    gst_mgpu_job_begin (&job, run->kc->queue, run->kc->stats);
    launch (&job, t, FIND_BORDER, w, h, 0);
    launch (&job, t, FIND_PRIORITIES, w, h, 0);
    gst_mgpu_job_launch (&job, t->kernels[CHOOSE_TARGET], 1, (const gsize[]) {256}, (const gsize[]) {256});
    launch (&job, t, local ? BEST_PATCH_LOCAL : BEST_PATCH, window->x1 - window->x0, window->y1 - window->y0, 8);
    gst_mgpu_job_launch (&job, t->kernels[CHOOSE_SOURCE], 1, (const gsize[]) {256}, (const gsize[]) {256});
    launch (&job, t, UPDATE_CONFIDENCE, t->patch * t->patch, 0, 0);
    launch (&job, t, UPDATE_GRAY, t->patch * t->patch, 0, 0);
    launch (&job, t, UPDATE_COLOURS, t->patch * t->patch, 0, 0);
    papers_finish (run, &job);
    clEnqueueReadBuffer (queue, t->mems[STATE], CL_TRUE, 0, sizeof (state), state, 0, NULL, NULL);
    t->is_done = state[0] < 0;
    if (t->is_done || (limit > 0 && g_get_monotonic_time () - begin > limit))
      break;
    t->steps++;
    t->pixels += (gdouble) state[2] * n_candidates;
    g_array_append_val (t->places, state[1]);
  }
  return (g_get_monotonic_time () - begin) / 1e3;
}

/* Returns: the fraction of the hole that is filled. Sets @got to the pixels. */
static gdouble
read_theirs (Theirs * t, guint8 * got)
{
  guint n = 0;

  clEnqueueReadBuffer (gst_mgpu_queue_get_cl_queue (t->run->kc->queue), t->mems[COLOURS], CL_TRUE, 0, 4 * N_PIXELS,
      got, 0, NULL, NULL);
  for (gint i = 0; i < N_PIXELS; i++)
    n += is_hole (i) && got[4 * i + 3] != 0;
  return (gdouble) n / (WANG_HOLE_WIDTH * WANG_HOLE_HEIGHT);
}

static void
compare_theirs (Theirs * t, const WangBox * window)
{
  g_autofree guint8 *want = g_memdup2 (t->colours, 4 * N_PIXELS), *got = g_malloc (4 * N_PIXELS);
  guint steps = wang_fill_scalar (want, WANG_WIDTH, WANG_HEIGHT, t->patch, window);

  for (guint i = 0; i < 2; i++) {
    fill_theirs (t, window, i, 0);
    read_theirs (t, got);
    papers_check (t->steps == steps && memcmp (want, got, 4 * N_PIXELS) == 0, "patch %d, %s: not the bytes of scalar "
        "code; %u steps, should be %u", t->patch, i == 0 ? "global memory" : "local memory", t->steps, steps);
  }
}

/* Times a cell of the paper's table. A run that takes long ends early, and its time is divided by
 * the fraction of the hole that it filled, which is stored as "/scaled". */
static void
time_theirs (Theirs * t, gdouble factor, gboolean local, gboolean whole)
{
  const gchar *name = local ? "local" : "global";
  WangBox window = wang_get_window (factor);
  gdouble time = fill_theirs (t, &window, local, whole ? 0 : CAP), part = 1;
  PapersColumn *c = t->run->column;

  if (!t->is_done) {
    guint8 *got = g_malloc (4 * N_PIXELS);

    part = read_theirs (t, got);
    g_free (got);
    papers_set (c, part, "wang/%s/%d/%g/scaled", name, t->patch, factor);
  } else if (local) {
    papers_set (c, t->steps, "wang/steps/%d/%g", t->patch, factor);
    papers_set (c, t->pixels / 1e9, "wang/pixels/%d/%g", t->patch, factor);
  }
  papers_set (c, time / part, "wang/%s/%d/%g", name, t->patch, factor);
  g_print ("  wang: theirs, %-14s patch %d, factor %g: %.1f ms, %.2f of the hole in %u steps\n", name, t->patch,
      factor, time / part, part, t->steps);
}

/* Measures where the sources of the full search lie: the fraction of them in each window, and all
 * of them. */
static void
keep_places (Theirs * t, const gchar * name)
{
  for (guint f = 1; f < WANG_FACTORS; f++) {
    WangBox box = wang_get_window (wang_factors[f]);
    guint n = 0;

    for (guint i = 0; i < t->places->len; i++) {
      gint x = g_array_index (t->places, gint, i) % WANG_WIDTH, y = g_array_index (t->places, gint, i) / WANG_WIDTH;

      n += x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
    }
    papers_set (t->run->column, 100.0 * n / t->places->len, "wang/near-%s/%g", name,
        wang_factors[f]);
  }
  for (guint i = 0; i < t->places->len; i++)
    papers_set (t->run->column, g_array_index (t->places, gint, i), "wang/map-%s/%03u", name, i);
}

static void
time_stages (Theirs * t)
{
  WangBox window = wang_get_window (t->run->quick ? 0.05 : -1);
  gdouble times[WANG_STAGES] = { 0 }, sum = 0;
  GstStructure *structure;
  const GValue *kernels;

  gst_mgpu_stats_reset (t->run->kc->stats);
  gst_mgpu_stats_set_profile (t->run->kc->stats, TRUE);
  fill_theirs (t, &window, TRUE, CAP);
  gst_mgpu_stats_set_profile (t->run->kc->stats, FALSE);
  structure = gst_mgpu_stats_to_structure (t->run->kc->stats);
  kernels = gst_structure_get_value (structure, "kernels");
  for (guint i = 0; i < N_KERNELS && kernels != NULL; i++) {
    const GValue *value = gst_structure_get_value (gst_value_get_structure (kernels), kernel_names[i]);
    guint64 time = 0;

    if (value != NULL)
      gst_structure_get_uint64 (gst_value_get_structure (value), "device-time", &time);
    times[stages[i]] += time / 1e6;
    sum += time / 1e6;
  }
  gst_structure_free (structure);
  for (guint i = 0; i < WANG_STAGES; i++)
    papers_set (t->run->column, 100 * times[i] / sum, "wang/share/%s", wang_stages[i]);
}

/* ---- Quality ---------------------------------------------------------------- */

/* Fills a scene with this project's method. */
static void
fill_scene (PapersRun * run, RefScene scene, gdouble factor, gint patch, RefSceneQuality * quality)
{
  const gint n = REF_SCENE_WIDTH * REF_SCENE_HEIGHT;
  const MgpuInpaintParams params = { patch, factor, MGPU_INPAINT_ALL_SHORTCUTS };
  g_autofree guint8 *clean = g_malloc (3 * n), *mask = g_malloc (n);
  GError *error = NULL;
  GstVideoInfo info;
  KcRandom random;
  g_autoptr (KcPicture) picture = NULL;
  MgpuInpaint *inpaint;
  g_autoptr (KcFrame) in = NULL, out = NULL;

  kc_random_init (&random, 1);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, REF_SCENE_WIDTH, REF_SCENE_HEIGHT);
  picture = kc_picture_new (&info, KC_LAYOUT_TIGHT, &random);
  ref_scene_paint (scene, SEED, clean, picture->data + picture->info.offset[0], mask);
  in = kc_frame_new (run->kc, picture);
  out = kc_frame_new (run->kc, picture);
  inpaint = mgpu_object_new (&mgpu_inpaint, run->kc->context, &picture->info, NULL, NULL, NULL, &error);
  if (inpaint == NULL)
    g_error ("%s", error->message);
  for (gint i = 0; i < n; i++)
    mask[i] = mask[i] >= 128;
  mgpu_inpaint_set_mask (inpaint, mask, NULL, &params);
  fill_ours (run, inpaint, in, out);
  kc_frame_read (run->kc, out, picture);
  for (gint i = 0; i < n; i++)
    mask[i] *= 255;
  *quality = ref_scene_measure (clean, picture->data + picture->info.offset[0], mask);
  mgpu_object_free (inpaint);
}

static void
measure_quality (PapersRun * run)
{
  for (guint p = 0; p < (run->quick ? 1 : WANG_PATCHES); p++)
    for (guint f = 0; f < WANG_FACTORS; f++) {
      gdouble seam = 0, texture = 0, psnr = 0;

      for (guint i = 0; i < REF_N_SCENES; i++) {
        RefSceneQuality q;

        fill_scene (run, i, wang_factors[f], wang_patches[p], &q);
        seam += ABS (q.seam) / REF_N_SCENES;
        texture += q.texture / REF_N_SCENES;
        psnr += q.psnr / REF_N_SCENES;
      }
      papers_set (run->column, seam, "wang/quality/%d/%g/seam", wang_patches[p], wang_factors[f]);
      papers_set (run->column, texture, "wang/quality/%d/%g/texture", wang_patches[p], wang_factors[f]);
      papers_set (run->column, psnr, "wang/quality/%d/%g/psnr", wang_patches[p], wang_factors[f]);
    }
}

/* ---- All cells -------------------------------------------------------------- */

#define CROP_X ((WANG_WIDTH - CROP_WIDTH) / 2)
#define CROP_Y ((WANG_HEIGHT - CROP_HEIGHT) / 2)
#define CROP_WIDTH 132
#define CROP_HEIGHT 172

/* Draws the surroundings of the hole into a column and row of a picture sheet. */
static void
draw (cairo_surface_t * sheet, const KcPicture * picture, guint column, guint row)
{
  gint stride = cairo_image_surface_get_stride (sheet);
  guint8 *pixels = cairo_image_surface_get_data (sheet);

  for (gint y = 0; y < CROP_HEIGHT; y++)
    for (gint x = 0; x < CROP_WIDTH; x++) {
      const guint8 *from = picture->data + picture->info.offset[0] + (CROP_Y + y) * picture->info.stride[0]
          + 3 * (CROP_X + x);

      ((guint32 *) (pixels + (row * (CROP_HEIGHT + 4) + y) * stride))[column * (CROP_WIDTH + 4) + x] =
          0xff000000u | from[0] << 16 | from[1] << 8 | from[2];
    }
  cairo_surface_mark_dirty (sheet);
}

static void
time_our_cells (PapersRun * run, const gchar * name, const KcPicture * picture, guint n_factors, guint n_patches)
{
  cairo_surface_t *sheet = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WANG_FACTORS * (CROP_WIDTH + 4) - 4,
      WANG_PATCHES * (CROP_HEIGHT + 4) - 4);

  for (guint f = WANG_FACTORS - n_factors; f < WANG_FACTORS && picture != NULL; f++)
    for (guint p = 0; p < n_patches; p++) {
      g_autofree gchar *all = g_strconcat (name, "/all", NULL), *none = g_strconcat (name, "/none", NULL);
      g_autoptr (KcPicture) result = time_ours (run, picture, wang_factors[f], wang_patches[p], MGPU_INPAINT_ALL_SHORTCUTS, all);
      g_autoptr (KcPicture) plain = time_ours (run, picture, wang_factors[f], wang_patches[p], 0, none);

      papers_check (memcmp (result->data, plain->data, result->size) == 0, "shortcuts change the result");
      draw (sheet, result, f, p);
    }
  if (run->output != NULL && n_factors == WANG_FACTORS && n_patches == WANG_PATCHES) {
    g_autofree gchar *file = g_strdup_printf ("%s/images/wang-%s.png", run->output, name);

    papers_check (cairo_surface_write_to_png (sheet, file) == CAIRO_STATUS_SUCCESS, "%s cannot be written", file);
  }
  cairo_surface_destroy (sheet);
}

static guint8 *
make_colours (const KcPicture * picture)
{
  guint8 *colours = g_malloc (4 * N_PIXELS);

  for (gint i = 0; i < N_PIXELS; i++) {
    memcpy (colours + 4 * i, picture->data + picture->info.offset[0] + 3 * i, 3);
    colours[4 * i + 3] = is_hole (i) ? 0 : 255;
  }
  return colours;
}

static void
time_their_cells (PapersRun * run, const KcPicture * picture, guint n_factors, guint n_patches)
{
  g_autofree guint8 *colours = picture != NULL ? make_colours (picture) : NULL;
  WangBox least = wang_get_window (0.05);

  for (guint p = 0; p < n_patches && colours != NULL; p++) {
    Theirs t;

    theirs_init (&t, run, wang_patches[p], colours);
    compare_theirs (&t, &least);
    for (guint f = WANG_FACTORS - n_factors; f < WANG_FACTORS; f++) {
      gboolean whole = p == 0 && f == 0;

      time_theirs (&t, wang_factors[f], FALSE, FALSE);
      time_theirs (&t, wang_factors[f], TRUE, whole);
      if (whole) {
        WangBox window = wang_get_window (wang_factors[f]);

        keep_places (&t, "theirs");
        t.whole = TRUE;
        fill_theirs (&t, &window, TRUE, 0);
        keep_places (&t, "whole");
        t.whole = FALSE;
      }
    }
    if (p == 0)
      time_stages (&t);
    theirs_clear (&t);
  }
}

void
wang_measure (PapersRun * run)
{
  guint n_factors = run->quick ? 1 : WANG_FACTORS, n_patches = run->quick ? 1 : WANG_PATCHES;
  KcPicture *picture = papers_picture_load (run, "fruits", GST_VIDEO_FORMAT_RGB, WANG_WIDTH, WANG_HEIGHT);

  time_our_cells (run, "fruits", picture, n_factors, n_patches);
  if (!run->quick) {
    g_autoptr (GPtrArray) video = papers_video_load (run, WANG_WIDTH, WANG_HEIGHT, 1, 1);

    time_our_cells (run, "vtest", g_ptr_array_index (video, 0), n_factors, n_patches);
  }
  time_their_cells (run, picture, n_factors, n_patches);
  kc_picture_free (picture);
  measure_quality (run);
}
