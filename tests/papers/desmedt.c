/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Repeats the experiments of De Smedt and others: a feature pyramid (2012). This file measures;
 * desmedt-page.c writes the page. */
#include "desmedt.h"

#include <gst/vision/fhog/fhog.h>
#include <string.h>
#include <time.h>

#include "../reference/fhog.h"

#define WIDTH 600
#define HEIGHT 480
#define N_PICTURES 30           /* number of pictures, as many as in the paper's profile */
#define STEP 27                 /* distance, in pictures of the video, between the pictures that are
                                 * used */
#define TIMES 3                 /* number of times that the paper runs all pictures */
#define IMAGES (TIMES * 795)    /* number of images, as many as in the paper */
#define MOST_SECONDS 120

const gchar *const desmedt_stages[DESMEDT_STAGES] = { "rescale", "histogram", "energy", "features" };

const gchar *const desmedt_kernels[DESMEDT_KERNELS] = { "rescale", "histogram", "features" };

static const MgpuFhogParams params = { 8, 10, 0, FALSE, 0, 0, MGPU_FHOG_LINEAR, FALSE };

typedef struct
{
  PapersRun *run;
  GPtrArray *pictures;          /* KcPicture, RGB */
  MgpuFhog *fhog;
  GstMgpuMemory *features;
  PapersOurs ours;
} Bench;

/* ---- Scalar code ------------------------------------------------------------ */

static gdouble stage_times[REF_FHOG_END + 1], stage_begin;
static RefFhogStage stage_now;

static void
begin_stage (RefFhogStage stage)
{
  struct timespec t;
  gdouble now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  now = t.tv_sec * 1e3 + t.tv_nsec / 1e6;
  stage_times[stage_now] += now - stage_begin;
  stage_now = stage;
  stage_begin = now;
}

static gboolean
refer (const KcPicture * picture, RefFhog * result)
{
  const RefFhogParams p = { params.cell_size, params.interval, params.max_levels, params.extra_octave, params.pad_x,
    params.pad_y, TRUE, params.whole_cells, FALSE
  };
  RefPlane rgb[GST_VIDEO_MAX_COMPONENTS];

  kc_picture_planes (picture, rgb);
  return ref_fhog (rgb, &p, result);
}

static void
run_scalar (gpointer data)
{
  Bench *b = data;
  RefFhog result = { 0 };

  begin_stage (REF_FHOG_END);
  refer (g_ptr_array_index (b->pictures, 0), &result);
  ref_fhog_clear (&result);
}

static void
time_scalar (Bench * b)
{
  guint n = b->run->quick ? 1 : 7;

  papers_time_scalar (b->run, run_scalar, b, "desmedt/cpu");
  ref_fhog_stage = begin_stage;
  memset (stage_times, 0, sizeof (stage_times));
  for (guint i = 0; i < n; i++)
    run_scalar (b);
  ref_fhog_stage = NULL;
  for (guint i = 0; i < DESMEDT_STAGES; i++)
    papers_set (b->run->column, stage_times[i] / n, "desmedt/cpu/%s", desmedt_stages[i]);
}

/* ---- Ours ------------------------------------------------------------------- */

static void
enqueue (gpointer data, GstMgpuJob * job)
{
  Bench *b = data;

  mgpu_fhog_enqueue (b->fhog, job, &b->ours.frame->image, b->features);
}

static gboolean
bench_init (Bench * b, PapersRun * run, GPtrArray * pictures)
{
  KcPicture *picture = g_ptr_array_index (pictures, 0);
  GError *error = NULL;
  gsize size;

  *b = (Bench) { run, pictures };
  b->fhog = mgpu_fhog_new (run->kc->context, &picture->info, &params, &error);
  if (b->fhog == NULL) {
    papers_check (FALSE, "%s", error->message);
    g_clear_error (&error);
    return FALSE;
  }
  size = mgpu_fhog_get_size (b->fhog);
  b->features = papers_memory_new (run, NULL, size);
  b->ours = (PapersOurs) {.run = run,.picture = picture,.frame = kc_frame_new (run->kc, picture),
        .results = {b->features},.bytes = g_malloc (size),.enqueue = enqueue,.data = b};
  return TRUE;
}

static void
bench_clear (Bench * b)
{
  g_clear_pointer (&b->fhog, mgpu_object_free);
  g_clear_pointer (&b->features, kc_memory_free);
  kc_frame_free (b->ours.frame);
  g_free (b->ours.bytes);
}

static void
compare (Bench * b)
{
  RefFhog want = { 0 };
  const MgpuFhogLevel *levels;
  guint n = mgpu_fhog_get_levels (b->fhog, &levels), n_cells = 0;
  const gfloat *got = b->ours.bytes;
  gboolean ok = refer (b->ours.picture, &want);

  papers_ours_run (&b->ours);
  kc_memory_read (b->run->kc, b->features, b->ours.bytes);
  papers_check (ok && (guint) want.n_levels == n, "levels: %u", n);
  for (guint i = 0; i < n && ok; i++) {
    guint cells = levels[i].columns * levels[i].rows;

    papers_check (memcmp (got + (gsize) levels[i].offset * MGPU_FHOG_FEATURES, want.levels[i].features,
            (gsize) cells * MGPU_FHOG_FEATURES * sizeof (gfloat)) == 0, "level %u of the features differs", i);
    n_cells += cells;
  }
  papers_set (b->run->column, n, "desmedt/levels");
  papers_set (b->run->column, n_cells, "desmedt/cells");
  papers_set (b->run->column, mgpu_fhog_get_size (b->fhog), "desmedt/bytes");
  ref_fhog_clear (&want);
}

/* Runs the pictures of the whole video one after the other, with copies, as often as the paper
 * does, or for MOST_SECONDS. If there is a folder of pictures, it has only some of them, which are
 * repeated. */
static void
time_all (Bench * b)
{
  g_autoptr (GPtrArray) all = b->run->quick || b->run->pictures != NULL ? g_ptr_array_ref (b->pictures)
      : papers_video_load (b->run, WIDTH, HEIGHT, 1, IMAGES / TIMES);
  guint n = 0, most = b->run->quick ? 4 : IMAGES;
  gint64 begin = g_get_monotonic_time (), passed = 0;

  while (n < most && passed < MOST_SECONDS * G_USEC_PER_SEC) {
    b->ours.picture = g_ptr_array_index (all, n % all->len);
    papers_ours_run_with_transfers (&b->ours);
    n++;
    passed = g_get_monotonic_time () - begin;
  }
  b->ours.picture = g_ptr_array_index (b->pictures, 0);
  papers_set (b->run->column, n, "desmedt/images");
  papers_set (b->run->column, passed / 1e3 / n, "desmedt/image");
  papers_set (b->run->column, MIN (n, all->len), "desmedt/pictures");
  g_print ("  desmedt: %u images, %.3f ms each, with copies\n", n, passed / 1e3 / n);
}

/* Uses kernels with the tuning parameters of a graphics card, because those of a CPU do
 * everything at once. */
static void
time_kernels (PapersRun * run, GPtrArray * pictures)
{
  GError *error = NULL;
  PapersRun card = *run;
  gdouble times[DESMEDT_KERNELS] = { 0 };
  Bench b;

  card.kc = kc_run_new (run->device[0] != '\0' ? run->device : NULL, GST_MGPU_DEVICE_CLASS_DISCRETE, &error);
  if (card.kc == NULL) {
    papers_check (FALSE, "%s", error->message);
    g_clear_error (&error);
    return;
  }
  kc_case_begin (card.kc, KC_RANDOM, "desmedt, knobs of a card");
  if (bench_init (&b, &card, pictures)) {
    GHashTable *kernels;
    GHashTableIter iter;
    gpointer name, value;

    compare (&b);
    kernels = papers_profile (&card, papers_ours_run, &b.ours);
    g_hash_table_iter_init (&iter, kernels);
    while (g_hash_table_iter_next (&iter, &name, &value)) {
      gboolean is_cells = g_str_equal (name, "fhog_energies") || g_str_equal (name, "fhog_features")
          || g_str_equal (name, "fhog_padding");
      gboolean is_histogram = g_str_equal (name, "fhog_tiles") || g_str_equal (name, "fhog_gradients");

      times[is_cells ? 2 : is_histogram ? 1 : 0] += *(gdouble *) value;
      g_print ("  desmedt: %s %.4f ms\n", (gchar *) name, *(gdouble *) value);
    }
    g_hash_table_unref (kernels);
    for (guint i = 0; i < DESMEDT_KERNELS; i++)
      papers_set (run->column, times[i], "desmedt/kernels/%s", desmedt_kernels[i]);
  }
  bench_clear (&b);
  kc_case_end (card.kc);
  kc_run_free (card.kc);
}

/* ---- Copies ----------------------------------------------------------------- */

typedef struct
{
  PapersRun *run;
  cl_mem mem;
  gsize size;
  gpointer bytes;
} Copy;

static gdouble
read_back (gpointer data)
{
  Copy *c = data;

  papers_check (clEnqueueReadBuffer (gst_mgpu_queue_get_cl_queue (c->run->kc->queue), c->mem, CL_TRUE, 0, c->size,
          c->bytes, 0, NULL, NULL) == CL_SUCCESS, "clEnqueueReadBuffer failed");
  return -1;
}

static gdouble
upload (gpointer data)
{
  Copy *c = data;

  papers_check (clEnqueueWriteBuffer (gst_mgpu_queue_get_cl_queue (c->run->kc->queue), c->mem, CL_TRUE, 0, c->size,
          c->bytes, 0, NULL, NULL) == CL_SUCCESS, "clEnqueueWriteBuffer failed");
  return -1;
}

/* Times the copies of the data that implementations B, C and D read back: images of three floats
 * per pixel, 18 bins per cell, and features; also boxes, if the device searches for the model. */
static void
time_copies (Bench * b)
{
  static const gchar *const names[] = { "upload", "pictures", "histograms", "features", "boxes" };
  const MgpuFhogLevel *levels;
  guint n = mgpu_fhog_get_levels (b->fhog, &levels);
  gsize pixels = 0, cells = 0, sizes[G_N_ELEMENTS (names)];
  Copy copies[G_N_ELEMENTS (names)];
  GstMgpuMemory *memories[G_N_ELEMENTS (names)];
  KcContestant contestants[G_N_ELEMENTS (names)];

  for (guint i = 0; i < n; i++) {
    if (levels[i].cell_size == params.cell_size)
      pixels += (gsize) (WIDTH * levels[i].scale) * (gsize) (HEIGHT * levels[i].scale);
    cells += (gsize) (levels[i].columns + 2) * (levels[i].rows + 2);
  }
  sizes[0] = 3 * WIDTH * HEIGHT;
  sizes[1] = 3 * 4 * pixels;
  sizes[2] = 18 * 4 * cells;
  sizes[3] = mgpu_fhog_get_size (b->fhog);
  sizes[4] = 100 * 16;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    memories[i] = papers_memory_new (b->run, NULL, sizes[i]);
    copies[i] = (Copy) { b->run, papers_memory_get (b->run, memories[i]), sizes[i], g_malloc0 (sizes[i]) };
    contestants[i] = (KcContestant) { names[i], i == 0 ? upload : read_back, &copies[i] };
    papers_set (b->run->column, sizes[i], "desmedt/copies/%s/bytes", names[i]);
  }
  papers_time (b->run, contestants, G_N_ELEMENTS (names), "desmedt/copies");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    kc_memory_free (memories[i]);
    g_free (copies[i].bytes);
  }
}

/* ---- Images ----------------------------------------------------------------- */

static void
scale_scalar (const guint8 * in, gint width, gint height, guint8 * out, gint out_width, gint out_height, gint step_x,
    gint step_y)
{
  for (gint i = 0; i < out_width * out_height; i++) {
    gint x = i % out_width * step_x, y = i / out_width * step_y, x0 = x >> 16, y0 = y >> 16;
    gint x1 = MIN (x0 + 1, width - 1), y1 = MIN (y0 + 1, height - 1);
    guint fx = (x >> 8) & 255, fy = (y >> 8) & 255;

    for (gint k = 0; k < 4; k++) {
      guint a = in[4 * (y0 * width + x0) + k] * (256 - fx) + in[4 * (y0 * width + x1) + k] * fx;
      guint b = in[4 * (y1 * width + x0) + k] * (256 - fx) + in[4 * (y1 * width + x1) + k] * fx;

      out[4 * i + k] = (a * (256 - fy) + b * fy + 32768) >> 16;
    }
  }
}

static void
time_images (Bench * b)
{
  const gint width = WIDTH * 3 / 4, height = HEIGHT * 3 / 4, step_x = 65536 * 4 / 3, step_y = 65536 * 4 / 3;
  gsize n = 4 * WIDTH * HEIGHT;
  g_autofree guint8 *in = g_malloc (n), *want = g_malloc (4 * width * height);
  const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,.image_width = WIDTH,.image_height = HEIGHT };
  PapersRun *run = b->run;
  GstMgpuProgram *program = papers_program_new (run, "desmedt.cl", "");
  cl_kernel kernels[2] = { papers_kernel_new (run, program, "scale_buffer"),
    papers_kernel_new (run, program, "scale_image")
  };
  PapersWork works[2] = { {.run = run}, {.run = run} };
  const KcContestant contestants[] = { {"buffer", papers_work_run, &works[0]}, {"image", papers_work_run, &works[1]} };
  g_autoptr (GstMgpuMemory) from = NULL, out = NULL;
  cl_int ret;
  cl_mem mems[2];

  for (gsize i = 0; i < n; i++)
    in[i] = b->ours.picture->data[b->ours.picture->info.offset[0] + i / 4 * 3 + MIN (i % 4, 2)];
  scale_scalar (in, WIDTH, HEIGHT, want, width, height, step_x, step_y);
  from = papers_memory_new (run, in, n);
  out = papers_memory_new (run, NULL, 4 * width * height);
  mems[0] = papers_memory_get (run, from);
  mems[1] = clCreateImage (gst_mgpu_context_get_cl_context (run->kc->context), CL_MEM_READ_ONLY
      | CL_MEM_COPY_HOST_PTR, &format, &desc, in, &ret);
  papers_check (ret == CL_SUCCESS, "clCreateImage: %s", gst_mgpu_cl_error_name (ret));
  for (guint i = 0; i < 2; i++) {
    PAPERS_ARGS (run, kernels[i], "miimii", mems[i], WIDTH, HEIGHT, papers_memory_get (run, out), step_x, step_y);
    papers_work_add (&works[i], kernels[i], width, height, 0, 0);
    papers_work_run (&works[i]);
    papers_compare (run, contestants[i].name, out, want, 4 * width * height);
  }
  papers_time (run, contestants, 2, "desmedt/scale");
  for (guint i = 0; i < 2; i++)
    clReleaseKernel (kernels[i]);
  clReleaseMemObject (mems[1]);
  g_clear_object (&program);
}

void
desmedt_measure (PapersRun * run)
{
  g_autoptr (GPtrArray) pictures = papers_video_load (run, WIDTH, HEIGHT, STEP, run->quick ? 2 : N_PICTURES);
  Bench b;

  if (bench_init (&b, run, pictures)) {
    const KcContestant contestants[] = {
      {"ours", papers_ours_run, &b.ours}, {"transfers", papers_ours_run_with_transfers, &b.ours}
    };

    compare (&b);
    papers_time (run, contestants, 2, "desmedt/pyramid");
    time_scalar (&b);
    time_copies (&b);
    time_kernels (run, pictures);
    time_images (&b);
    time_all (&b);
  }
  bench_clear (&b);
}
