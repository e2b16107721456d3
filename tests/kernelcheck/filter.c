/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks algorithms that make one frame from one frame, with all formats, sizes and variants, and
 * measures their times. */
#include "private.h"
#include <string.h>

typedef struct
{
  gint width, height;
} Size;

/* Sizes: single pixels, rows and columns, less than a vector, one more and one less than a
 * work-group, and several work-groups in both directions */
static const Size sizes[] = {
  {1, 1}, {33, 20}, {2, 1}, {127, 65}, {1, 2}, {16, 16}, {5, 7}, {321, 241},
  {3, 3}, {64, 48}, {15, 17}, {31, 2}, {2, 130}, {161, 120}
};

static const Size quick_sizes[] = { {33, 9}, {1, 1}, {5, 3}, {17, 18} };

/* Large sizes, which are checked only with the first variant that supports them */
static const Size big_sizes[] = { {1920, 1080}, {3840, 2160}, {4096, 3} };

/* Describes one comparison with the reference. */
typedef struct
{
  KcKind kind;
  const KcVariant *variant;
  GstVideoFormat format;
  GstVideoColorRange range;     /* colorimetry; UNKNOWN: the format's usual one */
  Size size;
  KcContent content;
  KcLayout in_layout, out_layout;
} Case;

static gboolean
get_infos (const KcFilter * filter, gconstpointer params,
    GstVideoFormat format, GstVideoColorRange range, Size size,
    GstVideoInfo * in, GstVideoInfo * out)
{
  gst_video_info_set_format (in, format, size.width, size.height);
  if (range != GST_VIDEO_COLOR_RANGE_UNKNOWN)
    in->colorimetry.range = range;
  *out = *in;
  return filter->prepare == NULL || filter->prepare (params, in, out);
}

gpointer
kc_filter_create (KcRun * run, const KcFilter * filter,
    const GstVideoInfo * in, const GstVideoInfo * out, gconstpointer params)
{
  GError *error = NULL;
  gpointer self = filter->cases != NULL
      ? mgpu_object_new (filter->cases->algorithm, run->context, in, NULL, out,
      params, &error)
      : filter->create (run->context, in, out, params, &error);

  if (self == NULL)
    kc_case_fail_error (run, error);
  return self;
}

void
kc_filter_enqueue (const KcFilter * filter, gpointer self, GstMgpuJob * job,
    gconstpointer params, const MgpuImage * in, const MgpuImage * out)
{
  const MgpuWork work = { params, in, NULL, out };

  if (filter->cases != NULL)
    filter->cases->algorithm->enqueue (self, job, &work);
  else
    filter->enqueue (self, job, &work);
}

void
kc_filter_free (const KcFilter * filter, gpointer self)
{
  if (filter->cases != NULL)
    mgpu_object_free (self);
  else
    filter->free (self);
}

void
kc_filter_refer (const KcFilter * filter, gconstpointer params,
    const KcPicture * in, KcPicture * out)
{
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];
  TestParams values = {.values = params };

  if (filter->cases == NULL) {
    filter->reference (params, in, out);
    return;
  }
  values.algorithm = filter->cases->algorithm;
  kc_picture_copy_planes (in, out, ~0u);
  kc_picture_planes (in, from);
  kc_picture_planes (out, to);
  filter->cases->reference (&values, &in->info, from, to);
}

/* Enqueues the filter once. If that fails, reports why, and returns FALSE. */
static gboolean
run_once (KcRun * run, const KcFilter * filter, gpointer self,
    gconstpointer params, const KcFrame * in, const KcFrame * out)
{
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  kc_filter_enqueue (filter, self, &job, params, &in->image, &out->image);
  return kc_end_job (run, &job);
}

gboolean
kc_filter_process (KcRun * run, const KcFilter * filter, gpointer self,
    gconstpointer params, const KcPicture * in, KcPicture * got)
{
  g_autoptr (KcFrame) in_frame = kc_frame_new (run, in);
  g_autoptr (KcFrame) out_frame = kc_frame_new (run, got);

  return in_frame != NULL && out_frame != NULL
      && run_once (run, filter, self, params, in_frame, out_frame)
      && kc_frame_read (run, out_frame, got);
}

/* Compares a picture. @picture has the same poison as @want had before the reference wrote to
 * it. The tuner has no @want: it compares with the output for other values of tuning parameters. */
static gboolean
compare (KcRun * run, const KcFilter * filter, gpointer self,
    gconstpointer params, const KcPicture * in, const KcPicture * want,
    KcPicture * picture)
{
  g_autoptr (KcFrame) in_frame = kc_frame_new (run, in);
  g_autoptr (KcFrame) out_frame = kc_frame_new (run, picture);
  g_autoptr (KcPicture) in_after = kc_picture_copy (in);
  gboolean ok = in_frame != NULL && out_frame != NULL
      && run_once (run, filter, self, params, in_frame, out_frame)
      && kc_frame_read (run, out_frame, picture)
      && (run->tunes || kc_compare_picture (run, want, picture))
      && kc_frame_read (run, in_frame, in_after);

  if (ok && memcmp (in->data, in_after->data, in->size) != 0) {
    kc_case_fail (run, "the input was written to");
    ok = FALSE;
  }
  return ok;
}

/* Checks a variant. Returns FALSE if the variant does not apply to the format. */
static gboolean
check_case (KcRun * run, const KcFilter * filter, const Case * c,
    KcRandom * random)
{
  gconstpointer params = c->variant->params;
  g_autoptr (KcPicture) in = NULL, want = NULL, got = NULL;
  GstVideoInfo in_info, out_info;
  gpointer self;
  gchar *strides;

  if (!get_infos (filter, params, c->format, c->range, c->size, &in_info,
          &out_info))
    return FALSE;

  in = kc_picture_make (&in_info, c->in_layout, c->content, random);
  want = kc_picture_new (&out_info, c->out_layout, random);
  got = kc_picture_copy (want);

  strides = g_strdup (kc_picture_strides (in));
  kc_case_begin (run, c->kind, "%s%s %dx%d to %s %dx%d, strides %s to %s, %s, "
      "%s", c->range == GST_VIDEO_COLOR_RANGE_UNKNOWN ? "" : "other range, ",
      GST_VIDEO_INFO_NAME (&in_info), GST_VIDEO_INFO_WIDTH (&in_info),
      GST_VIDEO_INFO_HEIGHT (&in_info),
      GST_VIDEO_INFO_NAME (&out_info), GST_VIDEO_INFO_WIDTH (&out_info),
      GST_VIDEO_INFO_HEIGHT (&out_info), strides, kc_picture_strides (want),
      kc_content_name (c->content), c->variant->text);
  g_free (strides);

  self = kc_filter_create (run, filter, &in_info, &out_info, params);
  if (self != NULL) {
    kc_filter_refer (filter, params, in, want);
    compare (run, filter, self, params, in, want, got);
    kc_filter_free (filter, self);
  }
  kc_case_end (run);

  return TRUE;
}

/* Returns whether the case is small enough for an emulator, which takes a thousand times as
 * long. */
static gboolean
worth_it (KcRun * run, const KcVariant * variant, Size size)
{
  guint max = run->quick ? variant->max_pixels / 8 : variant->max_pixels;

  return variant->max_pixels == 0 || (guint) size.width * size.height <= max;
}

static guint
count_formats (const KcFilter * filter)
{
  guint n = 0;

  while (filter->formats[n] != GST_VIDEO_FORMAT_UNKNOWN)
    n++;
  return n;
}

/* Checks cases that do not depend on the seed, the device and the class. Contents and layouts
 * alternate; their numbers and the number of sizes have no common divisor, so that all pairs
 * occur. */
static void
check_fixed (KcRun * run, const KcFilter * filter)
{
  guint n = filter->n_sizes, turn = 0, size = 0;
  KcRandom random;

  if (n == 0)
    n = G_N_ELEMENTS (sizes);
  kc_random_init (&random, 1);
  for (guint v = 0; v < filter->n_variants; v++) {
    for (guint f = 0; f < count_formats (filter); f++) {
      for (guint s = 0; s < n && kc_goes_on (run); s++, turn++) {
        Case c = {
          .kind = KC_FIXED,
          .variant = &filter->variants[v],
          .format = filter->formats[f],
          .size = sizes[size++ % G_N_ELEMENTS (sizes)],
          .content = turn % KC_N_CONTENTS,
          .in_layout = turn % KC_N_LAYOUTS,
          .out_layout = turn / KC_N_LAYOUTS % KC_N_LAYOUTS
        };

        if (worth_it (run, c.variant, c.size))
          check_case (run, filter, &c, &random);
      }
      size += n == G_N_ELEMENTS (sizes) ? 0 : 1;
    }
  }
}

/* Checks every format with every variant that applies to it. */
static void
check_fixed_quickly (KcRun * run, const KcFilter * filter)
{
  guint n_formats = count_formats (filter), turn = 0;
  g_autofree gboolean *seen = g_new0 (gboolean, n_formats);
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint v = 0; v < filter->n_variants; v++) {
    guint n = 0;

    for (guint i = 0; i < n_formats && kc_goes_on (run); i++) {
      /* Uses different formats for each variant. */
      guint f = (i + 5 * v) % n_formats;
      Case c = {
        .kind = KC_FIXED,
        .variant = &filter->variants[v],
        .format = filter->formats[f],
        .content = turn % KC_N_CONTENTS,
        .in_layout = turn % KC_N_LAYOUTS,
        .out_layout = turn / KC_N_LAYOUTS % KC_N_LAYOUTS
      };

      if (n >= 1 && seen[f])
        continue;
      for (guint s = 0; s < G_N_ELEMENTS (quick_sizes); s++) {
        c.size = quick_sizes[(turn + s) % G_N_ELEMENTS (quick_sizes)];
        if (worth_it (run, c.variant, c.size))
          break;
      }
      if (check_case (run, filter, &c, &random)) {
        seen[f] = TRUE;
        turn++;
        n++;
      }
    }
  }
}

/* Checks each variant once, in a format whose color range is not the usual one of the format. */
static void
check_ranges (KcRun * run, const KcFilter * filter)
{
  static const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_BGRx,
    GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_Y42B,
    GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_RGB
  };
  KcRandom random;

  kc_random_init (&random, 3);
  for (guint v = 0; v < filter->n_variants && kc_goes_on (run); v++) {
    Case c = {
      .kind = KC_FIXED,
      .variant = &filter->variants[v],
      .size = run->quick ? quick_sizes[v % G_N_ELEMENTS (quick_sizes)]
          : sizes[v % G_N_ELEMENTS (sizes)],
      .content = v % 2 ? KC_CONTENT_NOISY_GRADIENT : KC_CONTENT_RANDOM
    };

    for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
      gboolean is_yuv;

      c.format = formats[(v + i) % G_N_ELEMENTS (formats)];
      is_yuv = GST_VIDEO_FORMAT_INFO_IS_YUV (gst_video_format_get_info
          (c.format));
      c.range = is_yuv ? GST_VIDEO_COLOR_RANGE_0_255
          : GST_VIDEO_COLOR_RANGE_16_235;
      if (worth_it (run, c.variant, c.size)
          && check_case (run, filter, &c, &random))
        break;
    }
  }
}

static void
check_big (KcRun * run, const KcFilter * filter)
{
  KcRandom random;

  kc_random_init (&random, 2);
  for (guint s = 0; s < G_N_ELEMENTS (big_sizes); s++) {
    guint v = 0;
    Case c = {
      .kind = KC_FIXED,
      .format = filter->formats[s % count_formats (filter)],
      .size = big_sizes[s],
      .content = s % 2 ? KC_CONTENT_NOISY_GRADIENT : KC_CONTENT_RANDOM,
      .in_layout = KC_LAYOUT_PADDED,
      .out_layout = KC_LAYOUT_DEFAULT
    };

    while (v < filter->n_variants
        && !worth_it (run, &filter->variants[v], c.size))
      v++;
    if (v == filter->n_variants || !kc_goes_on (run))
      continue;
    c.variant = &filter->variants[v];
    check_case (run, filter, &c, &random);
  }
}

static void
check_random (KcRun * run, const KcFilter * filter)
{
  guint n = run->quick ? 4 : 40, edge = run->quick ? 24 : 220;
  KcRandom random;

  kc_random_init (&random, run->seed);
  for (guint i = 0; i < n && kc_goes_on (run); i++) {
    Case c = {.kind = KC_RANDOM };

    c.variant = &filter->variants[kc_random_below (&random,
            filter->n_variants)];
    c.format = filter->formats[kc_random_below (&random,
            count_formats (filter))];
    c.size.width = 1 + kc_random_below (&random, edge);
    c.size.height = 1 + kc_random_below (&random, edge);
    c.content = kc_random_below (&random, KC_N_CONTENTS + !run->quick);
    c.in_layout = kc_random_below (&random, KC_N_LAYOUTS);
    c.out_layout = kc_random_below (&random, KC_N_LAYOUTS);
    if (worth_it (run, c.variant, c.size))
      check_case (run, filter, &c, &random);
  }
}

/* Returns: whether words can have values above the largest value of a sample */
static gboolean
has_spare_bits (GstVideoFormat format)
{
  const GstVideoFormatInfo *finfo = gst_video_format_get_info (format);
  guint bits = finfo->depth[0] + finfo->shift[0];

  return bits > 8 && bits < 16;
}

void
kc_check_excess (KcRun * run, const KcFilter * filter)
{
  static const Size excess_sizes[] = { {33, 20}, {127, 65} };
  KcRandom random;

  kc_random_init (&random, run->seed);
  for (guint f = 0; f < count_formats (filter); f++) {
    for (guint i = 0; i < 2 * filter->n_variants && kc_goes_on (run); i++) {
      Case c = {
        .kind = KC_RANDOM,
        .variant = &filter->variants[i / 2],
        .format = filter->formats[f],
        .size = run->quick ? quick_sizes[i / 2 % 4] : excess_sizes[i % 2],
        .content = KC_CONTENT_EXCESS,
        .in_layout = i / 2 % KC_N_LAYOUTS,
        .out_layout = i % KC_N_LAYOUTS
      };

      if (has_spare_bits (c.format) && worth_it (run, c.variant, c.size)
          && !(run->quick && i % 2 == 1))
        check_case (run, filter, &c, &random);
    }
  }
}

/* Checks each variant once in 8, 10 and 16 bits, if it has such a format, with a random size and
 * random samples, which are the same in each run. Without this, only the formats of the first
 * variant would be checked. */
static void
check_depths (KcRun * run, const KcFilter * filter)
{
  static const guint depths[] = { 8, 10, 16 };
  guint n = count_formats (filter);
  KcRandom random;

  kc_random_init (&random, 4);
  for (guint i = 0; i < filter->n_variants * G_N_ELEMENTS (depths); i++) {
    guint first = kc_random_below (&random, n);
    Case c = {
      .kind = KC_FIXED,
      .variant = &filter->variants[i / G_N_ELEMENTS (depths)],
      .content = KC_CONTENT_RANDOM
    };

    /* Draws each random number in a separate statement, because in an initializer the compiler
     * chooses the order of calls. */
    c.size.width = 20 + kc_random_below (&random, 24);
    c.size.height = 10 + kc_random_below (&random, 12);
    c.in_layout = kc_random_below (&random, KC_N_LAYOUTS);
    c.out_layout = kc_random_below (&random, KC_N_LAYOUTS);
    while (!worth_it (run, c.variant, c.size)) {
      c.size.width = (c.size.width + 1) / 2;
      c.size.height = (c.size.height + 1) / 2;
    }
    for (guint j = 0; j < n && kc_goes_on (run); j++) {
      c.format = filter->formats[(first + j) % n];
      if (gst_video_format_get_info (c.format)->depth[0] ==
          depths[i % G_N_ELEMENTS (depths)]
          && check_case (run, filter, &c, &random))
        break;
    }
  }
}

static void
check_variants (KcRun * run, const KcFilter * filter)
{
  if (run->quick) {
    check_fixed_quickly (run, filter);
  } else {
    check_fixed (run, filter);
    check_big (run, filter);
  }
  /* These cases differ from the earlier ones only in values. */
  if (filter->cases != NULL && !kc_is_oclgrind (run))
    check_ranges (run, filter);
  check_random (run, filter);
  kc_check_excess (run, filter);
  if (run->quick && !kc_is_oclgrind (run))
    check_depths (run, filter);
}

/* Copies the variants and formats of @cases to @filter. Returns: (transfer full): the memory of the
 * copies, which the caller frees after it has used @filter */
static GPtrArray *
take_cases (KcFilter * filter, const TestCases * cases)
{
  GPtrArray *memory = g_ptr_array_new_with_free_func (g_free);
  KcVariant *variants;
  guint n = 0;

  while (cases->variants[n].text != NULL)
    n++;
  variants = g_new (KcVariant, n);
  g_ptr_array_add (memory, variants);
  for (guint i = 0; i < n; i++) {
    const TestVariant *v = &cases->variants[i];
    gpointer params = test_params_new (cases->algorithm, v->text);

    g_ptr_array_add (memory, params);
    variants[i] = (KcVariant) {
    v->text, params, v->max_pixels};
  }
  filter->cases = cases;
  filter->formats = cases->formats != NULL ? cases->formats : all_formats;
  filter->variants = variants;
  filter->n_variants = n;
  filter->n_sizes = cases->n_sizes;
  return memory;
}

void
kc_check_filter (KcRun * run, const KcFilter * filter)
{
  if (filter->cases == NULL)
    check_variants (run, filter);
  for (const TestCases * c = filter->cases; c != NULL; c = c->more) {
    KcFilter of_cases = *filter;
    g_autoptr (GPtrArray) memory = take_cases (&of_cases, c);

    check_variants (run, &of_cases);
  }
}

/* ---- Timing ------------------------------------------------------------- */

typedef struct
{
  KcRun *run;
  const KcFilter *filter;
  gpointer self;
  gconstpointer params;
  KcFrame *in, *out;
} Ours;

static gdouble
time_ours (gpointer data)
{
  Ours *ours = data;
  guint64 before = kc_device_time (ours->run);

  if (!run_once (ours->run, ours->filter, ours->self, ours->params, ours->in,
          ours->out))
    return -1;
  return kc_wait (ours->run, ours->out->image.memory, before);
}

typedef struct
{
  const KcPeer *peer;
  gconstpointer params;
  const KcPicture *in;
  KcPicture *out;
} Theirs;

static gdouble
time_theirs (gpointer data)
{
  Theirs *theirs = data;

  return theirs->peer->run (theirs->params, theirs->in, theirs->out);
}

static void
compare_peer (KcRun * run, const KcPeer * peer, const KcPicture * ours,
    const KcPicture * theirs)
{
  guint64 n = 0, n_different = 0;
  gint largest = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&ours->info); i++) {
    KcArray a = kc_picture_array (ours, i), b = kc_picture_array (theirs, i);

    for (gint y = 0; y < a.height; y++) {
      for (gint x = 0; x < a.width; x++) {
        gint d = (gint) ABS (kc_array_get (&a, x, y) - kc_array_get (&b, x, y));

        largest = MAX (largest, d);
        n_different += d != 0;
        n++;
      }
    }
  }
  g_print ("  %s agrees with %s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
      " samples differ, by %d at most\n", run->priv->function, peer->name,
      n_different, n, largest);
  if (largest > peer->max_difference
      || (gdouble) n_different > peer->max_share * (gdouble) n)
    kc_case_fail (run, "allowed are differences of %d in a share of %g",
        peer->max_difference, peer->max_share);
}

static void
bench_prepared (Ours * ours, const KcFilterBench * bench, const gchar * what,
    const KcPicture * in, const KcPicture * got)
{
  KcRun *run = ours->run;
  KcContestant contestants[6] = {
    {"ours", time_ours, ours, NULL, {ours->out->image.memory}}
  };
  Theirs theirs[G_N_ELEMENTS (contestants)];
  KcPython pythons[G_N_ELEMENTS (contestants)] = { {NULL} };
  guint n = 1;

  for (const KcPeer * peer = bench->peers; run->peers && peer != NULL
      && peer->name != NULL && n < G_N_ELEMENTS (contestants); peer++) {
    if (peer->run == NULL)
      g_print ("  %s: not built in\n", peer->name);
    if (peer->python != NULL) {
      peer->python (bench->params, in, got, &pythons[n]);
      contestants[n].python = &pythons[n];
    } else if (peer->run == NULL) {
      continue;
    }
    theirs[n].peer = peer;
    theirs[n].params = bench->params;
    theirs[n].in = in;
    theirs[n].out = kc_picture_copy (got);
    contestants[n].name = peer->name;
    contestants[n].run = peer->run != NULL ? time_theirs : NULL;
    contestants[n].data = &theirs[n];
    if (peer->run != NULL && peer->max_difference >= 0) {
      time_theirs (&theirs[n]);
      compare_peer (run, peer, got, theirs[n].out);
    }
    n++;
  }
  if (!run->priv->case_failed)
    kc_bench (run, what, contestants, n);
  for (guint i = 1; i < n; i++) {
    kc_python_clear (&pythons[i]);
    kc_picture_free (theirs[i].out);
  }
}

static void
bench_named (KcRun * run, const KcFilter * filter,
    const KcFilterBench * bench, const gchar * what)
{
  GstVideoInfo in_info, out_info;
  g_autoptr (KcPicture) in = NULL, want = NULL, got = NULL;
  KcRandom random;
  Ours ours = { run, filter, NULL, bench->params, NULL, NULL };

  kc_case_begin (run, KC_RANDOM, "bench %s", what);
  if (!get_infos (filter, bench->params, bench->format,
          GST_VIDEO_COLOR_RANGE_UNKNOWN, (Size) {
          bench->width, bench->height}
          , &in_info, &out_info)) {
    kc_case_fail (run, "the variant does not apply");
    kc_case_end (run);
    return;
  }

  kc_random_init (&random, 3);
  in = kc_picture_make (&in_info, KC_LAYOUT_DEFAULT, KC_CONTENT_NATURAL,
      &random);
  want = kc_picture_new (&out_info, KC_LAYOUT_DEFAULT, &random);
  got = kc_picture_copy (want);
  ours.self = kc_filter_create (run, filter, &in_info, &out_info,
      bench->params);
  if (ours.self != NULL) {
    if (!run->tunes)
      kc_filter_refer (filter, bench->params, in, want);
    if (compare (run, filter, ours.self, bench->params, in, want, got)) {
      ours.in = kc_frame_new (run, in);
      ours.out = kc_frame_new (run, got);
      if (ours.in != NULL && ours.out != NULL)
        bench_prepared (&ours, bench, what, in, got);
      kc_frame_free (ours.in);
      kc_frame_free (ours.out);
    }
    kc_filter_free (filter, ours.self);
  }
  kc_case_end (run);
}

void
kc_bench_filter (KcRun * run, const KcFilter * filter,
    const KcFilterBench * benches, guint n)
{
  for (guint i = 0; i < n; i++) {
    KcFilterBench bench = benches[i];
    g_autofree gchar *what = g_strdup_printf ("%s %s %dx%d", bench.what,
        gst_video_format_to_string (bench.format), bench.width, bench.height);
    g_autofree gpointer params = NULL;

    if (bench.text != NULL)
      bench.params = params = test_params_new (filter->cases->algorithm,
          bench.text);
    if (kc_bench_wants (run, what))
      bench_named (run, filter, &bench, what);
  }
}

void
kc_bench_cases (KcRun * run, const TestCases * cases)
{
  for (const TestCases * c = cases; c != NULL; c = c->more) {
    KcFilter filter = { NULL };
    g_autoptr (GPtrArray) memory = take_cases (&filter, c);

    for (guint i = 0; i < filter.n_variants; i++) {
      const KcFilterBench bench = {
        .what = filter.variants[i].text,
        .params = filter.variants[i].params,
        .format = filter.formats[0],
        .width = 1920,
        .height = 1080
      };

      kc_bench_filter (run, &filter, &bench, 1);
    }
  }
}

/* ---- Functions ----------------------------------------------------------- */

void
kc_check_function (KcRun * run, const KcFunction * function)
{
  const KcFilter filter = {.cases = test_cases_find (function->name) };

  if (function->check != NULL)
    function->check (run);
  else
    kc_check_filter (run, function->filter != NULL ? function->filter
        : &filter);
}

gboolean
kc_has_bench (const KcFunction * function)
{
  return function->bench != NULL || function->bench_size != NULL
      || function->benches != NULL;
}

void
kc_bench_function (KcRun * run, const KcFunction * function)
{
  const KcFilterBench *bench = function->benches;

  if (function->bench != NULL)
    function->bench (run);
  if (function->bench_size != NULL)
    kc_bench_sizes (run, function->bench_size);
  for (; bench != NULL && bench->what != NULL; bench++)
    kc_bench_filter (run, function->filter, bench, 1);
  if (function->check == NULL && function->filter == NULL)
    kc_bench_cases (run, test_cases_find (function->name));
}
