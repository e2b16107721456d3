/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks how tags are found and read, and measures the time. */
#include "kernelcheck.h"

#include <stdlib.h>
#include <string.h>

#include <gst/vision/tags/dictionary.h>
#include <gst/vision/tags/tags.h>

#include "../reference/samples.h"
#include "../reference/tags.h"

#define MAX_NAMES 4

static const gchar *const sets[][MAX_NAMES] = {
  {"tag36h11"},
  {"tagStandard41h12", "tag16h5", "tagAruco6x6_50"},
  {"tagCircle21h7", "tag25h9"},
  {"tag36h11", "tagAruco4x4_50", "tagAruco5x5_50"}
};

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_I420_10LE
};

static const gint sizes[][2] = {
  {200, 150}, {1, 1}, {160, 120}, {17, 33}, {251, 203}, {320, 240}, {8, 200},
  {401, 301}
};

/* Numbers of wrong cells with which tags still count in these cases */
static const gint most_errors[TAGS_MAX_HAMMING + 1] = {
  8, 6, 4, -1, -1, -1, -1, -1
};

/* Scenes of this file; the other contents are those of kernelcheck */
#define CONTENT_TAGS KC_CONTENT_OWN
#define CONTENT_INVERTED (KC_CONTENT_OWN + 1)
#define CONTENT_SQUARES (KC_CONTENT_OWN + 2)

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  guint set;
  MgpuTagsDetail detail;
  MgpuTagsParams params;
  guint content;
  KcLayout layout;
} Case;

typedef struct
{
  guint n;
  MgpuTagDictionary *list[MAX_NAMES];
} Families;

static void
families_init (Families * families, guint set)
{
  families->n = 0;
  for (guint i = 0; i < MAX_NAMES && sets[set][i] != NULL; i++)
    families->list[families->n++] = mgpu_tag_dictionary_find (sets[set][i]);
}

static void
families_clear (Families * families)
{
  for (guint i = 0; i < families->n; i++)
    mgpu_tag_dictionary_free (families->list[i]);
}

/* ---- Scenes ------------------------------------------------------------------- */

/* A tag in the scene: its cells, and the map from pixels to cells. With (x, y) the distance from
 * its middle in units of 1/4 pixel, and w = 2^16 + g x + h y, the cell is (a x + b y) / w, (c x + d
 * y) / w, counted from the middle of the tag. */
typedef struct
{
  gint x, y, radius;
  gint64 a, b, c, d, g, h;
  gint width;
  guint8 cells[TAGS_MAX_WIDTH * TAGS_MAX_WIDTH];
  gint black, white;
} Tag;

static void
draw_cells (Tag * tag, const MgpuTagDictionary * family, guint id)
{
  gint n = family->border, offset;

  tag->width = MAX (family->width, family->border + 2);
  offset = (tag->width - n) / 2;
  for (gint i = 0; i < tag->width * tag->width; i++) {
    gint x = i % tag->width - offset, y = i / tag->width - offset;
    gboolean is_in = x >= 0 && y >= 0 && x < n && y < n;

    tag->cells[i] = is_in == (family->is_white != 0);
  }
  for (guint i = 0; i < family->n_bits; i++)
    tag->cells[(family->y[i] + offset) * tag->width + family->x[i] + offset] =
        family->codes[id] >> (family->n_bits - 1 - i) & 1;
}

static void
place_tag (Tag * tag, gint size, gint border, KcRandom * random)
{
  gint p = (gint) kc_random_below (random, 201) - 100;
  gint q = (gint) kc_random_below (random, 201) - 100, norm = 1;

  p = p == 0 && q == 0 ? 1 : p;
  while (norm * norm < p * p + q * q)
    norm++;
  /* a, b, c and d map quarters of a pixel to cells of the tag, in units of 2^-16. */
  tag->a = (gint64) 16384 *border * p / (norm * size);
  tag->b = (gint64) 16384 *border * q / (norm * size);
  tag->c = -tag->b * (8 + kc_random_below (random, 5)) / 8;
  tag->d = tag->a * (8 + kc_random_below (random, 5)) / 8;
  tag->g = ((gint64) kc_random_below (random, 81) - 40) * 100 / size;
  tag->h = ((gint64) kc_random_below (random, 81) - 40) * 100 / size;
}

/* Returns the value of a quarter of a pixel: the tag's value, or -1 beyond the tag. */
static gint
get_tag (const Tag * tag, gint x, gint y)
{
  gint64 w = 65536 + tag->g * x + tag->h * y, u, v;

  if (w < 8192)
    return -1;
  u = 256 * (tag->a * x + tag->b * y) / w + 128 * tag->width;
  v = 256 * (tag->c * x + tag->d * y) / w + 128 * tag->width;
  if (u < 0 || v < 0 || u >= 256 * tag->width || v >= 256 * tag->width)
    return -1;
  return tag->cells[v / 256 * tag->width + u / 256] ? tag->white : tag->black;
}

static void
draw_tag (gint * values, gint width, gint height, const Tag * tag)
{
  for (gint y = MAX (tag->y - tag->radius, 0);
      y < MIN (tag->y + tag->radius, height); y++)
    for (gint x = MAX (tag->x - tag->radius, 0);
        x < MIN (tag->x + tag->radius, width); x++) {
      gint sum = 0;

      for (gint i = 0; i < 16; i++) {
        gint v = get_tag (tag, 4 * (x - tag->x) + i % 4 - 2,
            4 * (y - tag->y) + i / 4 - 2);

        sum += v < 0 ? values[y * width + x] : v;
      }
      values[y * width + x] = sum / 16;
    }
}

static void
draw_tags (gint * values, gint width, gint height, const Families * families,
    gboolean is_inverted, KcRandom * random)
{
  for (gint y = 0; y < height; y += 75)
    for (gint x = 0; x < width; x += 75) {
      const MgpuTagDictionary *family =
          families->list[kc_random_below (random, families->n)];
      gint size = 16 + kc_random_below (random, 40);
      Tag tag = {.x = x + 37,.y = y + 37,.radius = 37 };

      tag.black = 20 + kc_random_below (random, 60);
      tag.white = 140 + kc_random_below (random, 100);
      if (is_inverted) {
        gint t = tag.black;

        tag.black = tag.white;
        tag.white = t;
      }
      draw_cells (&tag, family, kc_random_below (random, family->n_codes));
      place_tag (&tag, size * family->border / tag.width + 4, family->border,
          random);
      draw_tag (values, width, height, &tag);
    }
}

/* Draws squares with black and white borders, which are no tags. */
static void
draw_squares (gint * values, gint width, gint height, KcRandom * random)
{
  for (gint y = 0; y < height; y += 24)
    for (gint x = 0; x < width; x += 24) {
      Tag tag = {.x = x + 12,.y = y + 12,.radius = 12,.width = 2 };

      tag.black = tag.white = kc_random_below (random, 2) ? 30 : 220;
      place_tag (&tag, 8 + kc_random_below (random, 8), 2, random);
      draw_tag (values, width, height, &tag);
    }
}

static void
draw_scene (KcPicture * picture, guint content, const Families * families,
    KcRandom * random)
{
  RefPlane plane = kc_picture_plane (picture, 0);
  gint unit = (plane.max + 1) / 256, n = plane.width * plane.height;
  g_autofree gint *values = g_new (gint, n);

  kc_picture_fill (picture, KC_CONTENT_RANDOM, random);
  for (gint i = 0; i < n; i++)
    values[i] = 90 + 80 * (i % plane.width) / plane.width;
  if (content == CONTENT_SQUARES)
    draw_squares (values, plane.width, plane.height, random);
  else
    draw_tags (values, plane.width, plane.height, families,
        content == CONTENT_INVERTED, random);
  for (gint i = 0; i < n; i++) {
    gint noise = (gint) kc_random_below (random, 9) - 4;

    ref_set (&plane, i % plane.width, i / plane.width,
        CLAMP (values[i] + noise, 0, 255) * unit);
  }
}

/* ---- Comparing ----------------------------------------------------------------- */

static void
refer (const Case * c, const KcPicture * picture, const Families * families,
    RefTags * found)
{
  static const RefTagsParams details[] = {
    [MGPU_TAGS_FULL] = {3, {{0, 2, 0}, {1, 4, 0}, {1, 4, 1}}},
    [MGPU_TAGS_HALF] = {2, {{1, 4, 0}, {1, 4, 1}}},
    [MGPU_TAGS_QUARTER] = {2, {{2, 4, 0}, {2, 4, 1}}}
  };
  RefPlane plane = kc_picture_plane (picture, 0);
  RefTagsParams params = details[c->detail];
  RefTagsFamily list[MAX_NAMES];
  MgpuComponent component = mgpu_get_component (&picture->info, 0);

  params.contrast = 12 * mgpu_get_steps (&component) + 0.5;
  params.is_normal = c->params.polarity != MGPU_TAGS_INVERTED;
  params.is_inverted = c->params.polarity != MGPU_TAGS_NORMAL;
  params.refine = c->params.refine;
  params.least = c->params.min_size;
  for (guint i = 0; i < families->n; i++) {
    const MgpuTagDictionary *f = families->list[i];

    list[i] = (RefTagsFamily) {
      f->n_bits, f->border, f->width, f->is_white != 0, f->n_codes, f->x, f->y,
          f->codes, {
    0}};
    memcpy (list[i].most_errors, most_errors, sizeof (most_errors));
  }
  ref_tags (&plane, &params, list, families->n, found);
}

static void
copy_record (TagsRecord * to, const RefTag * tag)
{
  memset (to, 0, sizeof (*to));
  to->map = tag->map;
  to->root = tag->root;
  to->family = tag->family;
  to->id = tag->id;
  to->hamming = tag->hamming;
  to->ring_errors = tag->ring_errors;
  to->turn = tag->turn;
  to->is_inverted = tag->is_inverted;
  to->margin = tag->margin;
  to->contrast = tag->contrast;
  to->origin_x = tag->origin[0];
  to->origin_y = tag->origin[1];
  memcpy (to->edges, tag->edges, sizeof (to->edges));
  memcpy (to->corners, tag->corners, sizeof (to->corners));
  to->n_used = tag->n_used;
  to->n_tried = tag->n_tried;
  memcpy (to->normal, tag->normal, sizeof (to->normal));
  memcpy (to->right, tag->right, sizeof (to->right));
  to->square = tag->square;
}

static void
compare (KcRun * run, const RefTags * found, const guint8 * got)
{
  const TagsHeader *header = (const TagsHeader *) got;
  const TagsHeader want = { found->n_tags, found->n_quads, found->n_candidates,
    found->n_points, found->dropped_candidates, 0, 0, 0
  };
  g_autofree TagsRecord *records = g_new0 (TagsRecord, found->n_tags + 1);
  KcArray a = { "header", KC_I32, &want, sizeof (want), 4, sizeof (want) / 4, 1
  }, b = a;
  KcArray c = { "tags", KC_I32, records, sizeof (TagsRecord), 4,
    sizeof (TagsRecord) / 4, found->n_tags
  }, d = c;

  for (gint i = 0; i < found->n_tags; i++)
    copy_record (&records[i], &found->tags[i]);
  b.data = header;
  d.data = header + 1;
  if (kc_compare_array (run, &a, &b) && found->n_tags > 0)
    kc_compare_array (run, &c, &d);
}

static void
set_families (MgpuTags * self, const Families * families)
{
  MgpuTagsFamily list[MAX_NAMES];

  for (guint i = 0; i < families->n; i++) {
    const MgpuTagDictionary *f = families->list[i];

    list[i] = (MgpuTagsFamily) {
      f->n_bits, f->border, f->width, f->is_white, f->x, f->y, f->n_codes,
          f->codes, {
    0}};
    memcpy (list[i].most_errors, most_errors, sizeof (most_errors));
  }
  mgpu_tags_set_families (self, list, families->n);
}

static void
check_picture (KcRun * run, const Case * c, const KcPicture * picture,
    const Families * families)
{
  GError *error = NULL;
  const MgpuTagsSetup setup = { c->detail };
  g_autoptr (KcFrame) frame = kc_frame_new (run, picture);
  g_autofree guint8 *got = g_malloc0 (MGPU_TAGS_RESULT_SIZE);
  g_autoptr (GstMgpuMemory) result =
      kc_memory_new (run, got, MGPU_TAGS_RESULT_SIZE);
  MgpuTags *self = mgpu_object_new (&mgpu_tags, run->context, &picture->info,
      NULL, NULL, &setup, &error);
  RefTags found = { 0 };
  GstMgpuJob job;

  if (self == NULL)
    kc_case_fail_error (run, error);
  if (self != NULL && frame != NULL && result != NULL) {
    set_families (self, families);
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_tags_enqueue (self, &job, &c->params, &frame->image, result);
    if (kc_end_job (run, &job) && kc_memory_read (run, result, got)) {
      refer (c, picture, families, &found);
      compare (run, &found, got);
    }
  }
  free (found.tags);
  mgpu_object_free (self);
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  static const gchar *const names[] = { "tags", "inverted tags", "squares" };
  GstVideoInfo info;
  Families families;
  g_autoptr (KcPicture) picture = NULL;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  kc_case_begin (run, c->kind, "%s %dx%d, layout %d, %s, families %s, detail "
      "%d, polarity %d, refine %d, least size %g", GST_VIDEO_INFO_NAME (&info),
      c->width, c->height, c->layout, c->content >= KC_CONTENT_OWN
      ? names[c->content - KC_CONTENT_OWN] : kc_content_name (c->content),
      sets[c->set][0], c->detail, c->params.polarity, c->params.refine,
      c->params.min_size);
  families_init (&families, c->set);
  picture = kc_picture_new (&info, c->layout, random);
  if (c->content >= KC_CONTENT_OWN)
    draw_scene (picture, c->content, &families, random);
  else
    kc_picture_fill (picture, c->content, random);
  check_picture (run, c, picture, &families);
  families_clear (&families);
  kc_case_end (run);
}

static void
check_fixed (KcRun * run)
{
  guint n_sizes = kc_is_oclgrind (run) ? 1 : run->quick ? 4
      : G_N_ELEMENTS (sizes), turn = 0;
  guint n_sets = kc_is_oclgrind (run) ? 1 : G_N_ELEMENTS (sets);
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint i = 0; i < n_sets; i++)
    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++) {
      const Case c = {
        KC_FIXED, formats[turn % G_N_ELEMENTS (formats)], sizes[s][0],
        sizes[s][1], i, s == 2 ? MGPU_TAGS_HALF
            : s == 6 ? MGPU_TAGS_QUARTER : MGPU_TAGS_FULL,
        {turn % 3, turn % 5 == 4 ? 0 : turn % 5 == 3 ? 1 : 2, turn % 2 ? 10
              : 4}, turn % 7 == 6 ? CONTENT_SQUARES : turn % 11 == 10
            ? KC_CONTENT_RANDOM : turn % 3 == 1 ? CONTENT_INVERTED
            : CONTENT_TAGS, turn % KC_N_LAYOUTS
      };

      check_case (run, &c, &random);
    }
}

static void
check_random (KcRun * run, KcRandom * random)
{
  guint edge = run->quick ? 150 : 400;
  const Case c = {
    .kind = KC_RANDOM,
    .format = formats[kc_random_below (random, G_N_ELEMENTS (formats))],
    .width = 1 + kc_random_below (random, edge),
    .height = 1 + kc_random_below (random, edge),
    .set = kc_random_below (random, G_N_ELEMENTS (sets)),
    .detail = kc_random_below (random, 3),
    .params = {
          kc_random_below (random, 3), kc_random_below (random, 3),
        4 + kc_random_below (random, 10)},
    .content = KC_CONTENT_OWN + kc_random_below (random, 3),
    .layout = kc_random_below (random, KC_N_LAYOUTS)
  };

  check_case (run, &c, random);
}

static void
check (KcRun * run)
{
  check_fixed (run);
  kc_check_random (run, run->seed,
      kc_is_oclgrind (run) ? 0 : run->quick ? 3 : 60, check_random);
}

/* ---- Timing -------------------------------------------------------------------- */

typedef struct
{
  KcRun *run;
  MgpuTags *self;
  KcFrame *frame;
  GstMgpuMemory *result;
} Bench;

static gdouble
time_ours (gpointer data)
{
  const MgpuTagsParams params = { MGPU_TAGS_NORMAL, MGPU_TAGS_REFINE_CELLS, 10
  };
  Bench *bench = data;
  guint64 before = kc_device_time (bench->run);
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, bench->run->queue, bench->run->stats);
  mgpu_tags_enqueue (bench->self, &job, &params, &bench->frame->image,
      bench->result);
  return kc_finish (bench->run, &job, bench->result, before);
}

static void
bench_detail (KcRun * run, const KcPicture * picture, MgpuTagsDetail detail,
    const Families * families)
{
  static const gchar *const names[] = { "full", "half", "quarter" };
  const MgpuTagsSetup setup = { detail };
  g_autofree guint8 *zeros = g_malloc0 (MGPU_TAGS_RESULT_SIZE);
  GError *error = NULL;
  Bench bench = {.run = run,.frame = kc_frame_new (run, picture),.result =
        kc_memory_new (run, zeros, MGPU_TAGS_RESULT_SIZE)
  };

  bench.self = mgpu_object_new (&mgpu_tags, run->context, &picture->info, NULL,
      NULL, &setup, &error);
  if (bench.self == NULL)
    kc_case_fail_error (run, error);
  else if (bench.frame != NULL && bench.result != NULL) {
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench, NULL, {bench.result}}
    };
    g_autofree gchar *what = g_strdup_printf ("tags %s GRAY8 %dx%d",
        names[detail], picture->info.width, picture->info.height);

    set_families (bench.self, families);
    kc_bench (run, what, contestants, 1);
  }
  mgpu_object_free (bench.self);
  kc_frame_free (bench.frame);
  g_clear_pointer (&bench.result, kc_memory_free);
}

static void
bench_size (KcRun * run, gint width, gint height)
{
  GstVideoInfo info;
  KcRandom random;
  Families families;
  g_autoptr (KcPicture) picture = NULL;

  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  kc_random_init (&random, 3);
  families_init (&families, 0);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, width, height);
  picture = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
  draw_scene (picture, CONTENT_TAGS, &families, &random);
  for (gint detail = MGPU_TAGS_FULL; detail <= MGPU_TAGS_QUARTER; detail++)
    bench_detail (run, picture, detail, &families);
  families_clear (&families);
  kc_case_end (run);
}

const KcFunction kc_tags = { "tags", check,.bench_size = bench_size };
