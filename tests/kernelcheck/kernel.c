/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks users' kernels: the examples, and kernels that use features that the examples do not use.
 * Each kernel gets three frames, because some kernels read earlier frames. */
#include "kernelcheck.h"

#include <string.h>

#include <gst/models/kernel-load.h>
#include <gst/vision/colour/colour.h>

#include <tests/kernelcheck/here.h>

#include "../reference/kernel.h"

#define N_FRAMES 3

typedef struct
{
  const gchar *name;            /* names of the example, and of its reference */
  const gchar *text;            /* NULL: the example's file */
  gdouble param[2];
  GstVideoFormat second;        /* format of the frames at the pad "second"; UNKNOWN: there are
                                 * none */
} Variant;

static const Variant variants[] = {
  {"invert", NULL, {0}, GST_VIDEO_FORMAT_UNKNOWN},
  {"edges", NULL, {2}, GST_VIDEO_FORMAT_UNKNOWN},
  {"sobel", NULL, {0}, GST_VIDEO_FORMAT_UNKNOWN},
  {"temporal-mean", NULL, {2}, GST_VIDEO_FORMAT_UNKNOWN},
  {"difference", NULL, {0}, GST_VIDEO_FORMAT_UNKNOWN},
  {"chroma-key", NULL, {20, 60}, GST_VIDEO_FORMAT_I420},
  {"histogram", NULL, {0}, GST_VIDEO_FORMAT_UNKNOWN},
  {"vignette", NULL, {0.6}, GST_VIDEO_FORMAT_UNKNOWN},
  {"pixelate", NULL, {5}, GST_VIDEO_FORMAT_UNKNOWN},
  {"false-colour", NULL, {0}, GST_VIDEO_FORMAT_UNKNOWN},
  {"lut", NULL, {0}, GST_VIDEO_FORMAT_UNKNOWN},
  {"box-sums", NULL, {3}, GST_VIDEO_FORMAT_UNKNOWN},
  {"chroma-key", NULL, {0, 90}, GST_VIDEO_FORMAT_GRAY16_LE},
  {"identity", "PIXEL (identity) { return LOAD (x, y); }", {0},
      GST_VIDEO_FORMAT_UNKNOWN},
  {"shift", "//! reach 1\n"
        "PIXEL (shift) { return AT (x * 256 - 85, y * 256 - 128); }", {0},
      GST_VIDEO_FORMAT_UNKNOWN},
  {"trail", "//! feedback\n"
        "int4 old (KERNEL_PARAMS, int x, int y) {\n"
        "  return FEEDBACK_LOAD (x, y); }\n"
        "PIXEL (trail) { int4 v = LOAD (x, y);\n"
        "  return HAS_FEEDBACK ? (v + 3 * old (KERNEL_ARGS, x, y) + 2) >> 2\n"
        "    : v; }", {0}, GST_VIDEO_FORMAT_UNKNOWN},
  {"numbers", "//! pass pixels luma luma\n"
        "PIXEL (pixels) { int4 v = LOAD (x, y);\n"
        "  float t = (float) v.s0 * (1.0f / 65536);\n"
        "  v.s1 = convert_int_rte (exp2_ (-8 * t) * 200 + root (t) * 50);\n"
        "  v.s2 = convert_int_rte (reciprocal (1 + t) * 250);\n"
        "  return v; }\n"
        "WORK (luma) { int x = get_global_id (0), y = get_global_id (1);\n"
        "  OUT_STORE (0, x, y, (int) ((FRAME * 40 + x) % 256)); }", {0},
      GST_VIDEO_FORMAT_UNKNOWN},
  {"mask", "//! output GRAY8\n//! pass copy mask\n"
        "SAMPLE (copy) { return LOAD (x, y); }\n"
        "PIXEL (mask) { return (int4) (LOAD (x, y).s0 > MAX / 2 ? 255 : 0); }",
      {0}, GST_VIDEO_FORMAT_UNKNOWN},
  {"moving-cells", NULL, {24, 6}, GST_VIDEO_FORMAT_UNKNOWN},
  {"spots", "//! results int 1 n\n//! boxes bright 2500\n//! boxes dark 700\n"
        "PIXEL (spots) { int4 v = LOAD (x, y);\n"
        "  if (v.s0 * 50 > MAX * 49) {\n"
        "    atomic_inc (n);\n"
        "    BOX (bright, x - 1, y - 1, 3, 2, v.s0); }\n"
        "  if (v.s0 * 64 < MAX) {\n"
        "    BOX (dark, x, y, 1, 1, -0.5f * v.s0);\n"
        "    BOX (dark, x - WIDTH, y - 4, 8, 6, 1);\n"
        "    BOX (dark, x + WIDTH - 3, y + 2, 4, y - 3, 2); }\n"
        "  return v; }", {0}, GST_VIDEO_FORMAT_UNKNOWN}
};

static const gint sizes[][2] = {
  {33, 9}, {1, 1}, {66, 34}, {2, 3}, {1, 5}, {129, 17}, {5, 1}
};

static MgpuKernelText *
load (const Variant * variant, GError ** error)
{
  static const gchar *const folders[] = { KC_KERNELS, KC_INSTALLED_KERNELS };
  gchar *file, *path = NULL;
  MgpuKernelText *text;

  if (variant->text != NULL)
    return mgpu_kernel_text_new (variant->text, error);
  file = g_strconcat (variant->name, ".cl", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (folders) && (path == NULL
          || !g_file_test (path, G_FILE_TEST_EXISTS)); i++) {
    g_free (path);
    path = g_build_filename (folders[i], file, NULL);
  }
  text = mgpu_kernel_text_load (path, NULL, error);
  g_free (path);
  g_free (file);
  return text;
}

/* ---- References ----------------------------------------------------------------- */

static void
set_matrix (const GstVideoInfo * from, const GstVideoInfo * to,
    RefKernelMatrix * matrix)
{
  MgpuColourMatrix m;

  mgpu_colour_matrix (from, to, &m);
  memcpy (matrix->factor, m.factor, sizeof (m.factor));
  memcpy (matrix->offset, m.offset, sizeof (m.offset));
  matrix->bits = m.bits;
  matrix->max = m.max;
}

/* Describes a picture for the reference. @in: the input frames, whose bit depth colors have */
static RefKernelFrame
get_frame (const KcPicture * picture, const GstVideoInfo * in)
{
  const GstVideoInfo *info = &picture->info;
  RefKernelFrame frame = {
    .n = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3),
    .has_alpha = GST_VIDEO_INFO_HAS_ALPHA (info),
    .is_rgb = GST_VIDEO_INFO_IS_RGB (info),
    .width = info->width,
    .height = info->height
  };
  const GstVideoInfo *both[] = { info, in };
  GstVideoInfo rgb[2];

  for (guint i = 0; i < 2; i++) {
    guint depth = GST_VIDEO_INFO_COMP_DEPTH (both[i], 0);

    gst_video_info_set_format (&rgb[i], depth == 8 ? GST_VIDEO_FORMAT_RGB
        : depth == 10 ? GST_VIDEO_FORMAT_GBR_10LE : GST_VIDEO_FORMAT_ARGB64,
        info->width, info->height);
  }
  kc_picture_planes (picture, frame.planes);
  set_matrix (info, &rgb[0], &frame.to_rgb);
  set_matrix (&rgb[1], info, &frame.from_rgb);
  return frame;
}

/* ---- Cases ---------------------------------------------------------------------- */

/* State of a case that all of its frames share */
typedef struct
{
  KcRun *run;
  const Variant *variant;
  MgpuKernelText *text;
  gpointer object;
  GstVideoInfo in, second, out;
  KcLayout layout;
  KcRandom *random;
  KcPicture *last, *last_result;        /* the reference's buffer; NULL before the first frame */
  gint32 *kept;
} Case;

/* Compares @n numbers. */
static void
compare_numbers (Case * c, const gint32 * want, const gint32 * got, guint n)
{
  const KcArray arrays[] = {
    {"result", KC_I32, want, n * 4, 4, n, 1},
    {"result", KC_I32, got, n * 4, 4, n, 1}
  };

  if (n > 0)
    kc_compare_array (c->run, &arrays[0], &arrays[1]);
}

/* Compares lists of boxes, which have to be in the order of work-items. */
static void
compare_boxes (Case * c, const gint32 * want, const gint32 * got)
{
  for (guint i = 0; i < c->text->boxes->len; i++) {
    g_autoptr (GArray) from =
        g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
    g_autoptr (GArray) to = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
    gint32 n[2];

    n[0] = mgpu_kernel_read_boxes (c->text, i, want, c->in.width, c->in.height,
        from);
    n[1] = mgpu_kernel_read_boxes (c->text, i, got, c->in.width, c->in.height,
        to);
    compare_numbers (c, &n[0], &n[1], 1);
    if (from->len == to->len)
      compare_numbers (c, (const gint32 *) from->data,
          (const gint32 *) to->data, from->len * sizeof (MgpuScoredBox) / 4);
    else
      kc_case_fail (c->run, "another number of boxes");
  }
}

static void
compare_results (Case * c, const gint32 * want)
{
  guint n = mgpu_kernel_text_count_results (c->text), n_numbers = 0;
  g_autofree gint32 *got = g_new0 (gint32, n + 1);
  GstMemory *memory = mgpu_kernel_take_results (c->object);

  for (guint i = 0; i < c->text->results->len; i++)
    n_numbers += g_array_index (c->text->results, MgpuKernelList, i).n;
  if (n > 0 && memory == NULL) {
    kc_case_fail (c->run, "there is no memory with results");
  } else if (n > 0 && kc_memory_read (c->run, (GstMgpuMemory *) memory, got)) {
    compare_numbers (c, want, got, n_numbers);
    compare_boxes (c, want, got);
  }
  g_clear_pointer (&memory, gst_memory_unref);
}

/* Runs the kernels on the device. Returns: whether @got has the result */
static gboolean
process (Case * c, guint number, const KcPicture * in, const KcPicture * second,
    KcPicture * got)
{
  g_autoptr (KcFrame) in_frame = kc_frame_new (c->run, in);
  g_autoptr (KcFrame) second_frame = second != NULL
      ? kc_frame_new (c->run, second) : NULL;
  g_autoptr (KcFrame) out_frame = kc_frame_new (c->run, got);
  MgpuKernelParams params = { c->text, {c->variant->param[0],
      c->variant->param[1]}, number, number * GST_SECOND / 25
  };
  GstMgpuJob job;

  if (in_frame == NULL || out_frame == NULL
      || (second != NULL && second_frame == NULL))
    return FALSE;
  gst_mgpu_job_begin (&job, c->run->queue, c->run->stats);
  mgpu_kernel.enqueue (c->object, &job, &(MgpuWork) {
      &params, &in_frame->image,
        second != NULL ? &second_frame->image : NULL, &out_frame->image}
  );
  return kc_end_job (c->run, &job) && kc_frame_read (c->run, out_frame, got);
}

static KcPicture *
make_picture (Case * c, const GstVideoInfo * info, KcLayout layout)
{
  KcPicture *picture =
      kc_picture_make (info, layout, KC_CONTENT_RANDOM, c->random);
  return picture;
}

static void
check_frame (Case * c, guint number)
{
  KcPicture *in = make_picture (c, &c->in, c->layout);
  g_autoptr (KcPicture) second =
      GST_VIDEO_INFO_FORMAT (&c->second) != GST_VIDEO_FORMAT_UNKNOWN
      ? make_picture (c, &c->second, KC_LAYOUT_TIGHT) : NULL;
  KcPicture *want = kc_picture_new (&c->out, (c->layout + 1) % KC_N_LAYOUTS,
      c->random);
  g_autoptr (KcPicture) got = kc_picture_copy (want);
  RefKernelFrame in_frame = get_frame (in, &c->in), second_frame;
  RefKernelFrame out_frame = get_frame (want, &c->in), last_frame;
  gboolean is_trail = g_str_equal (c->variant->name, "trail");
  const KcPicture *last = is_trail ? c->last_result : c->last;
  g_autofree gint32 *results = g_new0 (gint32,
      mgpu_kernel_text_count_results (c->text) + 1);
  RefKernelCall call = {.in = &in_frame,.second = &second_frame,
    .previous = &last_frame,.out = &out_frame,.number = number,
    .param = {c->variant->param[0], c->variant->param[1]},
    .results = results,.kept = c->kept
  };

  second_frame = get_frame (second != NULL ? second : in, &c->in);
  last_frame = get_frame (last != NULL ? last : in, &c->in);
  if (GST_VIDEO_INFO_FORMAT (&c->in) == GST_VIDEO_INFO_FORMAT (&c->out))
    kc_picture_copy_planes (in, want, ~0u);
  if (!ref_kernel (c->variant->name, &call))
    kc_case_fail (c->run, "there is no reference");
  if (process (c, number, in, second, got)) {
    kc_compare_picture (c->run, want, got);
    compare_results (c, results);
  }
  g_clear_pointer (&c->last, kc_picture_free);
  g_clear_pointer (&c->last_result, kc_picture_free);
  c->last = in;
  c->last_result = want;
}

static void
check_case (KcRun * run, KcKind kind, const Variant * variant,
    GstVideoFormat format, const gint size[2], KcLayout layout,
    KcRandom * random)
{
  GError *error = NULL;
  Case c = {.run = run,.variant = variant,.layout = layout,.random = random };

  kc_case_begin (run, kind, "%s %s %dx%d, layout %d", variant->name,
      gst_video_format_to_string (format), size[0], size[1], layout);
  gst_video_info_init (&c.second);
  gst_video_info_set_format (&c.in, format, size[0], size[1]);
  if (variant->second != GST_VIDEO_FORMAT_UNKNOWN)
    gst_video_info_set_format (&c.second, variant->second, size[0], size[1]);
  c.out = c.in;
  c.text = load (variant, &error);
  if (c.text != NULL && c.text->output != GST_VIDEO_FORMAT_UNKNOWN)
    gst_video_info_set_format (&c.out, c.text->output, size[0], size[1]);
  c.kept = g_new0 (gint32, 4 * size[0] * size[1]);
  c.object = c.text == NULL ? NULL : mgpu_kernel_new (c.text, NULL,
      run->context, &c.in,
      variant->second != GST_VIDEO_FORMAT_UNKNOWN ? &c.second : NULL, &c.out,
      NULL, &error);
  for (guint i = 0; i < N_FRAMES && c.object != NULL && kc_goes_on (run); i++)
    check_frame (&c, i);
  if (error != NULL)
    kc_case_fail_error (run, error);
  mgpu_object_free (c.object);
  g_clear_pointer (&c.text, mgpu_kernel_text_unref);
  g_clear_pointer (&c.last, kc_picture_free);
  g_clear_pointer (&c.last_result, kc_picture_free);
  g_free (c.kept);
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  guint n_formats = run->quick ? 3 : N_ALL_FORMATS;
  guint n_sizes = run->quick ? 1 : G_N_ELEMENTS (sizes), turn = 0;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    for (guint f = 0; f < n_formats; f++)
      for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++)
        check_case (run, KC_FIXED, &variants[i], all_formats[run->quick
                ? (3 * i + f * 7) % N_ALL_FORMATS : f],
            sizes[(run->quick ? turn : s) % G_N_ELEMENTS (sizes)],
            turn % KC_N_LAYOUTS, &random);
  kc_random_init (&random, run->seed);
  for (guint i = 0; i < (run->quick ? 2 : 40) && kc_goes_on (run); i++) {
    const Variant *v = &variants[kc_random_below (&random,
            G_N_ELEMENTS (variants))];
    GstVideoFormat format = all_formats[kc_random_below (&random,
            N_ALL_FORMATS)];
    gint size[2];

    size[0] = 1 + kc_random_below (&random, 150);
    size[1] = 1 + kc_random_below (&random, 40);
    check_case (run, KC_RANDOM, v, format, size, KC_LAYOUT_PADDED, &random);
  }
}

/* ---- Timing --------------------------------------------------------------------- */

typedef struct
{
  KcRun *run;
  const Variant *variant;
  MgpuKernelText *text;
  gpointer object;
  KcFrame *in, *out;
  guint64 number;
} Ours;

static gdouble
time_ours (gpointer data)
{
  Ours *ours = data;
  MgpuKernelParams params = { ours->text, {ours->variant->param[0],
      ours->variant->param[1]}, ours->number++, 0
  };
  guint64 before = kc_device_time (ours->run);
  GstMgpuJob job;
  GstMemory *results;

  gst_mgpu_job_begin (&job, ours->run->queue, ours->run->stats);
  mgpu_kernel.enqueue (ours->object, &job, &(MgpuWork) {
      &params, &ours->in->image, NULL, &ours->out->image});
  results = mgpu_kernel_take_results (ours->object);
  g_clear_pointer (&results, gst_memory_unref);
  return kc_finish (ours->run, &job, ours->out->image.memory, before);
}

static void
bench_one (KcRun * run, const Variant * variant, GstVideoFormat format)
{
  g_autofree gchar *what = g_strdup_printf ("%s %s 1920x1080", variant->name,
      gst_video_format_to_string (format));
  Ours ours = {.run = run,.variant = variant };
  KcContestant contestant = { "ours", time_ours, &ours };
  g_autoptr (KcPicture) picture = NULL;
  GError *error = NULL;

  if (!kc_bench_wants (run, what))
    return;
  kc_case_begin (run, KC_RANDOM, "bench %s", what);
  picture = kc_picture_bench (format, 1920, 1080);
  ours.in = kc_frame_new (run, picture);
  ours.out = kc_frame_new (run, picture);
  ours.text = load (variant, &error);
  ours.object = ours.text == NULL ? NULL : mgpu_kernel_new (ours.text, NULL,
      run->context, &picture->info, NULL, &picture->info, NULL, &error);
  if (error != NULL)
    kc_case_fail_error (run, error);
  else if (ours.in != NULL && ours.out != NULL) {
    contestant.out[0] = ours.out->image.memory;
    kc_bench (run, what, &contestant, 1);
  }
  mgpu_object_free (ours.object);
  g_clear_pointer (&ours.text, mgpu_kernel_text_unref);
  kc_frame_free (ours.in);
  kc_frame_free (ours.out);
  kc_case_end (run);
}

static const Variant *
find_variant (const gchar * name)
{
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    if (g_str_equal (variants[i].name, name))
      return &variants[i];
  g_assert_not_reached ();
}

static void
bench (KcRun * run)
{
  static const struct
  {
    const gchar *name;
    GstVideoFormat format;
  } list[] = {
    {"identity", GST_VIDEO_FORMAT_NV12},
    {"edges", GST_VIDEO_FORMAT_GRAY8},
    {"edges", GST_VIDEO_FORMAT_NV12},
    {"edges", GST_VIDEO_FORMAT_YUY2},
    {"edges", GST_VIDEO_FORMAT_BGRA},
    {"invert", GST_VIDEO_FORMAT_NV12},
    {"box-sums", GST_VIDEO_FORMAT_NV12}
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++)
    bench_one (run, find_variant (list[i].name), list[i].format);
}

const KcFunction kc_kernel = { "kernel", check, bench };
