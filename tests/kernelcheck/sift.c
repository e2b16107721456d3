/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks SIFT keypoints and descriptors, and compares their times with OpenCV's and VLFeat's. */
#include "sift-pictures.h"
#include "peers.h"
#include "../reference/sift.h"

#include <math.h>
#include <string.h>

/* Regions in which keypoints may lie */
enum
{
  REGION_NONE,
  REGION_RECTANGLES,
  REGION_MASK,
  REGION_BOTH,
  N_REGIONS
};

static const gchar *const region_names[] = {
  "everywhere", "rectangles", "mask", "rectangles and mask"
};

#define MAX_RECTANGLES 3

/* Contents of a frame: those of all pictures, and boxes of random size, position and value, which
 * have keypoints at every scale */
#define CONTENT_BOXES KC_CONTENT_OWN

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  guint content;
  KcLayout layout;
  MgpuSiftParams params;
  guint region;
  gboolean fills;               /* whether there are more keypoints than fit into memory */
  gboolean is_given;            /* given keypoints: those that the case has found, and ones with
                                 * unusual values */
} Case;

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_YUY2,
  GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_P010_10LE
};

static const gint sizes[][2] = {
  {70, 58}, {1, 1}, {23, 21}, {6, 97}, {61, 53}, {5, 5}, {11, 11}, {160, 37},
  {285, 201},
  {3, 200}, {640, 480}
};

static const MgpuSiftParams variants[] = {
  KC_SIFT_USUAL,
  {FALSE, 0, 3, 1.6, 0, 0.01, 10, 4, GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT},
  {TRUE, 2, 5, 1.2, 20, 0.02, 20, 1, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
  {FALSE, 1, 2, 2.0, 7, 0, 1000, 8, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
  {TRUE, 0, 1, 0.5, 0, 0.03, 5, 2, GST_MGPU_DESCRIPTOR_TYPE_NONE},
  {TRUE, 0, 8, 1.6, 0, 0.04, 10, 4, GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT},
  {FALSE, 0, 1, 4.0, 0, 0, 50, 4, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
  {TRUE, 0, 3, 1.6, 0, 1, 1, 4, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
  {TRUE, 0, 3, 1.6, 30, 0.01, 10, 4, GST_MGPU_DESCRIPTOR_TYPE_SIFT, 5},
  {FALSE, 0, 3, 1.6, 0, 0.01, 10, 2, GST_MGPU_DESCRIPTOR_TYPE_SIFT, 16},
  {TRUE, 0, 3, 1.6, 50, 0.02, 10, 1, GST_MGPU_DESCRIPTOR_TYPE_NONE, 256},
};

/* Factor by which noise has more keypoints than there is memory for */
static const MgpuSiftParams everything[] = {
  {TRUE, 0, 2, 0.5, 0, 0, 1000000, 8, GST_MGPU_DESCRIPTOR_TYPE_NONE},
  {TRUE, 0, 3, 0.5, 0, 0, 1000000, 8, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
  {TRUE, 0, 3, 0.5, 100, 0, 1000000, 1, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
  {TRUE, 0, 2, 0.5, 0, 0, 1000000, 8, GST_MGPU_DESCRIPTOR_TYPE_NONE}
};

static void
put (const RefPlane * plane, gint x, gint y, guint value)
{
  guint8 *at = plane->data + y * plane->stride + x * plane->pixel_stride;

  at[0] = value << plane->shift;
  if (plane->bytes == 2)
    at[1] = (value << plane->shift) >> 8;
}

static void
fill_boxes (KcPicture * picture, KcRandom * random)
{
  RefPlane plane = kc_picture_plane (picture, 0);
  guint n = plane.width * plane.height / 60 + 2;

  kc_picture_fill (picture, KC_CONTENT_FLAT, random);
  for (guint i = 0; i < n; i++) {
    gint size = 2 + kc_random_below (random, i < n / 4 ? 40 : 12);
    gint x0 = kc_random_below (random, plane.width);
    gint y0 = kc_random_below (random, plane.height);
    guint value = kc_random_below (random, plane.max + 1);

    for (gint y = y0; y < MIN (y0 + size, plane.height); y++)
      for (gint x = x0; x < MIN (x0 + size, plane.width); x++)
        put (&plane, x, y, value);
  }
}

static void
fill (KcPicture * picture, guint content, KcRandom * random)
{
  if (content == CONTENT_BOXES)
    fill_boxes (picture, random);
  else
    kc_picture_fill (picture, content, random);
}

static gsize
keypoints_size (guint room)
{
  return sizeof (GstMgpuKeypointHeader) + room * sizeof (GstMgpuKeypoint);
}

gboolean
kc_sift_tables_init (KcSiftTables * tables, KcRun * run, guint room)
{
  gsize size = keypoints_size (room);

  tables->room = room;
  tables->got_keypoints = g_malloc (size);
  tables->got_descriptors = g_malloc ((gsize) room * 128);
  memset (tables->got_keypoints, 0xa5, size);
  memset (tables->got_descriptors, 0xa5, (gsize) room * 128);
  tables->keypoints = kc_memory_new (run, tables->got_keypoints, size);
  tables->descriptors = kc_memory_new (run, tables->got_descriptors,
      (gsize) room * 128);
  return tables->keypoints != NULL && tables->descriptors != NULL;
}

void
kc_sift_tables_clear (KcSiftTables * tables)
{
  kc_memory_free (tables->keypoints);
  kc_memory_free (tables->descriptors);
  g_free (tables->got_keypoints);
  g_free (tables->got_descriptors);
}

gboolean
kc_sift_tables_read (KcSiftTables * tables, KcRun * run)
{
  return kc_memory_read (run, tables->keypoints, tables->got_keypoints)
      && kc_memory_read (run, tables->descriptors, tables->got_descriptors);
}

MgpuSift *
kc_sift_new (KcRun * run, const GstVideoInfo * info,
    const MgpuSiftParams * params)
{
  GError *error = NULL;
  MgpuSift *self = mgpu_object_new (&mgpu_sift, run->context, info, NULL, NULL,
      params, &error);

  if (self == NULL)
    kc_case_fail_error (run, error);
  return self;
}

void
kc_sift_enqueue (MgpuSift * self, KcRun * run, const MgpuSiftParams * params,
    KcFrame * frame, const MgpuSiftRegion * region, KcSiftTables * tables)
{
  MgpuSiftTables results = { tables->keypoints, params->descriptor !=
        GST_MGPU_DESCRIPTOR_TYPE_NONE ? tables->descriptors : NULL, NULL
  };
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_sift_enqueue (self, &job, params, &frame->image, region, &results);
  kc_end_job (run, &job);
}

/* ---- Regions ---------------------------------------------------------------- */

/* The regions in which keypoints may lie, for the kernels and for the reference */
typedef struct
{
  MgpuSiftRegion region;
  gint rectangles[4 * MAX_RECTANGLES];
  guint8 *mask;                 /* of the device */
  guint8 *counts;               /* rectangles and mask together */
} Region;

static void
fill_rectangles (Region * self, guint n, gint width, gint height,
    KcRandom * random)
{
  for (guint i = 0; i < n; i++) {
    gint *r = self->rectangles + 4 * i;

    r[0] = kc_random_below (random, width);
    r[1] = kc_random_below (random, height);
    r[2] = 1 + kc_random_below (random, (width - r[0] + 1) / 2);
    r[3] = 1 + kc_random_below (random, (height - r[1] + 1) / 2);
    for (gint y = r[1]; y < r[1] + r[3]; y++)
      memset (self->counts + y * width + r[0], 255, r[2]);
  }
}

/* Draws a disc with holes. */
static void
fill_mask (Region * self, gint width, gint height, KcRandom * random)
{
  gint radius = 2 + MIN (width, height) / 3;
  gint cx = kc_random_below (random, width);
  gint cy = kc_random_below (random, height);

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gboolean in = (x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius;

      self->mask[y * width + x] = in && kc_random_below (random, 8) > 0
          ? 1 + kc_random_below (random, 255) : 0;
    }
}

/* Finds the box around the pixels that are not 0, which has at least one pixel. */
static void
find_box (Region * self, gint width, gint height)
{
  gint x0 = width, y0 = height, x1 = 0, y1 = 0;

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      if (self->counts[y * width + x] == 0)
        continue;
      x0 = MIN (x0, x);
      y0 = MIN (y0, y);
      x1 = MAX (x1, x + 1);
      y1 = MAX (y1, y + 1);
    }
  }
  self->region.x = MIN (x0, width - 1);
  self->region.y = MIN (y0, height - 1);
  self->region.width = MAX (1, x1 - self->region.x);
  self->region.height = MAX (1, y1 - self->region.y);
}

static gboolean
region_init (Region * self, KcRun * run, guint kind, gint width, gint height)
{
  gsize size = GST_ROUND_UP_4 ((gsize) width * height);
  KcRandom random;

  memset (self, 0, sizeof (*self));
  if (kind == REGION_NONE)
    return TRUE;
  kc_random_init (&random, kind + width);
  self->counts = g_malloc0 (size);
  self->mask = g_malloc0 (size);
  if (kind != REGION_MASK) {
    self->region.n_rectangles = 1 + kc_random_below (&random, MAX_RECTANGLES);
    fill_rectangles (self, self->region.n_rectangles, width, height, &random);
    self->region.rectangles = kc_memory_new (run, self->rectangles,
        sizeof (self->rectangles));
  } else {
    memset (self->counts, 255, size);
  }
  if (kind != REGION_RECTANGLES) {
    fill_mask (self, width, height, &random);
    self->region.mask = kc_memory_new (run, self->mask, size);
    for (gint i = 0; i < width * height; i++)
      self->counts[i] &= self->mask[i] != 0 ? 255 : 0;
  }
  find_box (self, width, height);
  return (kind == REGION_MASK || self->region.rectangles != NULL)
      && (kind == REGION_RECTANGLES || self->region.mask != NULL);
}

static void
region_clear (Region * self)
{
  kc_memory_free (self->region.rectangles);
  kc_memory_free (self->region.mask);
  g_free (self->mask);
  g_free (self->counts);
}

/* number of points for which there is memory */
static RefSiftParams
reference_params (const MgpuSiftParams * params, guint capacity)
{
  return (RefSiftParams) {
  params->upsample, params->octaves, params->scales, params->sigma,
        params->contrast, params->edge, params->max_orientations,
        params->max_features, capacity, params->descriptor, params->grid};
}

static gboolean
make_reference (const KcPicture * in, const MgpuSiftParams * params,
    guint capacity, const guint8 * mask, RefSiftResult * result)
{
  RefSiftParams p = reference_params (params, capacity);
  RefPlane plane = kc_picture_plane (in, 0);

  return ref_sift (&plane, &p, mask, result);
}

static void
compare (KcRun * run, const RefSiftResult * want, const KcSiftTables * tables)
{
  const guint32 header[2] = { want->n, want->dropped };
  guint8 *points = tables->got_keypoints + sizeof (GstMgpuKeypointHeader);
  KcArray want_header = { "counts", KC_U32, header, 8, 4, 2, 1 };
  KcArray got_header = want_header;
  KcArray want_points = { "keypoints", KC_U32, want->keypoints,
    sizeof (GstMgpuKeypoint), 4, 7, want->n
  };
  KcArray got_points = want_points;
  KcArray want_bytes = { "descriptors", KC_U8, want->descriptors, 128, 1, 128,
    want->n
  };
  KcArray got_bytes = want_bytes;

  got_header.data = tables->got_keypoints;
  got_points.data = points;
  got_bytes.data = tables->got_descriptors;
  if (!kc_compare_array (run, &want_header, &got_header) || want->n == 0)
    return;
  if (kc_compare_array (run, &want_points, &got_points)
      && want->descriptors != NULL)
    kc_compare_array (run, &want_bytes, &got_bytes);
}

static void
check_frame (KcRun * run, MgpuSift * self, const Case * c, const KcPicture * in)
{
  g_autoptr (KcFrame) frame = kc_frame_new (run, in);
  MgpuSiftParams all = c->params;
  RefSiftResult want = { 0, };
  KcSiftTables tables = { 0, };
  Region region;

  all.max_features = 0;
  if (region_init (&region, run, c->region, c->width, c->height)
      && frame != NULL && kc_sift_tables_init (&tables, run,
          mgpu_sift_get_room (self, &c->params))) {
    kc_sift_enqueue (self, run, &c->params, frame,
        c->region != REGION_NONE ? &region.region : NULL, &tables);
    if (!make_reference (in, &c->params, mgpu_sift_get_room (self, &all),
            region.counts, &want))
      kc_case_fail (run, "no memory for the reference");
    else if (c->fills && want.dropped == 0)
      kc_case_fail (run, "there is memory for all %u keypoints", want.n);
    else if (kc_sift_tables_read (&tables, run))
      compare (run, &want, &tables);
    ref_sift_clear (&want);
  }
  region_clear (&region);
  kc_sift_tables_clear (&tables);
}

/* Returns: a number from -2 to below 3 times @size, or NaN */
static gfloat
odd_place (KcRandom * random, gint size)
{
  static const gfloat odd[] =
      { NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -0.5f };
  guint i = kc_random_below (random, 40);

  return i < G_N_ELEMENTS (odd) ? odd[i] : i < 12 ? (gint)
      kc_random_below (random, 5 * size) - 2 * size
      : kc_random_below (random, 64 * size) / 64.0f;
}

/* Returns: keypoints at any position, of any size, with or without angle and octave */
static GArray *
random_points (const Case * c, KcRandom * random)
{
  static const gfloat sizes[] = { NAN, INFINITY, 0, -3, 1e-30f, 1e30f, 1000 };
  static const gfloat angles[] = { -1, 0, 359.9f, 360, NAN, -90 };
  GArray *points = g_array_new (FALSE, FALSE, sizeof (GstMgpuKeypoint));

  for (guint i = 0; i < 60; i++) {
    guint size = kc_random_below (random, 30);
    guint angle = kc_random_below (random, 12);
    GstMgpuKeypoint point = { odd_place (random, c->width),
      odd_place (random, c->height), size < G_N_ELEMENTS (sizes) ? sizes[size]
          : 0.5f + kc_random_below (random, 256) / 8.0f,
      angle < G_N_ELEMENTS (angles) ? angles[angle]
          : kc_random_below (random, 3600) / 10.0f, 0.25f,
      (gint) kc_random_below (random, 6) - 2, kc_random_below (random, 5)
    };

    if (kc_random_below (random, 2))
      point.octave = G_MININT32;
    g_array_append_val (points, point);
  }
  return points;
}

/* Computes descriptors of the points in @list, and compares them with the expected ones. */
static void
check_points (KcRun * run, MgpuSift * self, const Case * c, KcFrame * frame,
    const GArray * points, const RefSiftResult * want)
{
  KcSiftTables tables = { 0, };
  GstMgpuJob job;

  if (kc_sift_tables_init (&tables, run, points->len + 1)) {
    MgpuSiftTables results = { tables.keypoints, c->params.descriptor !=
          GST_MGPU_DESCRIPTOR_TYPE_NONE ? tables.descriptors : NULL, NULL
    };

    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_sift_enqueue_given (self, &job, &c->params, &frame->image,
        (const GstMgpuKeypoint *) points->data, points->len, &results);
    kc_end_job (run, &job);
    if (kc_sift_tables_read (&tables, run))
      compare (run, want, &tables);
  }
  kc_sift_tables_clear (&tables);
}

/* Computes descriptors of found keypoints, which are the same again, and of other points. */
static void
check_given (KcRun * run, MgpuSift * self, const Case * c,
    const KcPicture * in, KcRandom * random)
{
  g_autoptr (KcFrame) frame = kc_frame_new (run, in);
  g_autoptr (GArray) points = random_points (c, random);
  RefSiftParams p = reference_params (&c->params, G_MAXINT);
  RefPlane plane = kc_picture_plane (in, 0);
  RefSiftResult found = { 0, }, want = { 0, };

  if (!ref_sift (&plane, &p, NULL, &found) || !ref_sift_given (&plane, &p,
          (const RefSiftKeypoint *) points->data, points->len, &want))
    kc_case_fail (run, "no memory for the reference");
  else if (frame != NULL) {
    check_points (run, self, c, frame, points, &want);
    g_array_set_size (points, 0);
    g_array_append_vals (points, found.keypoints, found.n);
    check_points (run, self, c, frame, points, &found);
  }
  ref_sift_clear (&found);
  ref_sift_clear (&want);
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  const MgpuSiftParams *p = &c->params;
  GstVideoInfo info;
  MgpuSift *self;
  g_autoptr (KcPicture) in = NULL;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  in = kc_picture_new (&info, c->layout, random);
  fill (in, c->content, random);
  kc_case_begin (run, c->kind, "%s %dx%d, strides %s, %s, upsample %d, "
      "octaves %u, scales %u, sigma %g, max-features %u, contrast %g, edge %g, "
      "max-orientations %u, descriptor %d, grid %u, %s%s",
      GST_VIDEO_INFO_NAME (&info), c->width, c->height, kc_picture_strides (in),
      c->content == CONTENT_BOXES ? "boxes" : kc_content_name (c->content),
      p->upsample, p->octaves, p->scales, p->sigma, p->max_features,
      p->contrast, p->edge, p->max_orientations, p->descriptor, p->grid,
      region_names[c->region], c->is_given ? ", given" : "");

  self = kc_sift_new (run, &info, p);
  if (self != NULL && c->is_given)
    check_given (run, self, c, in, random);
  else if (self != NULL)
    check_frame (run, self, c, in);
  mgpu_object_free (self);
  kc_case_end (run);
}

/* Checks a grid, also in the quick set. */
static void
check_grid (KcRun * run, KcRandom * random)
{
  Case c = { KC_FIXED, GST_VIDEO_FORMAT_GRAY8, 70, 58, CONTENT_BOXES,
    KC_LAYOUT_TIGHT, {TRUE, 2, 3, 1.6, 12, 0.02, 10, 4,
        GST_MGPU_DESCRIPTOR_TYPE_NONE, 4}, REGION_NONE
  };

  check_case (run, &c, random);
}

/* Regions of interest that exclude a large or a small part of the frame. Their sizes are similar to
 * the distance up to which a keypoint requires samples. */
static void
check_regions (KcRun * run, KcRandom * random)
{
  static const struct
  {
    gint width, height;
    guint variant, region;
  } cases[] = {
    {240, 60, 3, REGION_RECTANGLES}, {60, 50, 0, REGION_BOTH},
    {300, 190, 3, REGION_RECTANGLES}, {120, 90, 0, REGION_BOTH},
    {300, 190, 3, REGION_MASK}, {290, 210, 2, REGION_RECTANGLES},
    {640, 480, 2, REGION_BOTH}, {640, 480, 1, REGION_MASK},
    {500, 40, 0, REGION_RECTANGLES}, {9, 200, 1, REGION_BOTH},
    {640, 480, 0, REGION_RECTANGLES}
  };
  guint n = run->quick ? 2 : G_N_ELEMENTS (cases);

  for (guint i = 0; i < n && kc_goes_on (run); i++) {
    Case c = { KC_FIXED, formats[i % G_N_ELEMENTS (formats)], cases[i].width,
      cases[i].height, CONTENT_BOXES, i % KC_N_LAYOUTS,
      variants[cases[i].variant], cases[i].region
    };

    check_case (run, &c, random);
  }
}

/* Keypoints that the caller gives: found ones and others */
static void
check_all_given (KcRun * run)
{
  guint n = run->quick ? 2 : 2 * G_N_ELEMENTS (variants);
  KcRandom random;

  kc_random_init (&random, 5);
  for (guint i = 0; i < n && kc_goes_on (run); i++) {
    const gint *size = sizes[i % 4 * 2 % G_N_ELEMENTS (sizes)];
    Case c = { KC_FIXED, formats[i % G_N_ELEMENTS (formats)], size[0], size[1],
      i % 5 == 4 ? KC_CONTENT_RANDOM : CONTENT_BOXES, i % KC_N_LAYOUTS,
      variants[i % G_N_ELEMENTS (variants)], REGION_NONE, FALSE, TRUE
    };

    c.params.max_features = 0;
    check_case (run, &c, &random);
  }
}

/* Checks that the strongest keypoints of noise are kept, the last time at 3840x2160. */
static void
check_full (KcRun * run, KcRandom * random)
{
  static const gint full_sizes[][2] = {
    {80, 60}, {97, 61}, {160, 120}, {3840, 2160}
  };
  guint n = run->quick ? 1 : G_N_ELEMENTS (full_sizes);

  for (guint i = 0; i < n && kc_goes_on (run); i++) {
    Case c = { KC_FIXED, GST_VIDEO_FORMAT_GRAY8, full_sizes[i][0],
      full_sizes[i][1], KC_CONTENT_RANDOM, KC_LAYOUT_TIGHT, everything[i],
      REGION_NONE, TRUE
    };

    check_case (run, &c, random);
  }
}

/* Tests sizes of scale spaces in which offsets would overflow. Nothing is allocated. */
static void
check_too_large (KcRun * run)
{
  const MgpuSiftParams params = KC_SIFT_USUAL;
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 16384, 16384);
  kc_case_begin (run, KC_FIXED, "%dx%d is refused", 16384, 16384);
  mgpu_object_free (mgpu_object_new (&mgpu_sift, run->context, &info, NULL,
          NULL, &params, &error));
  if (!g_error_matches (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED))
    kc_case_fail (run, "it is not refused");
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  guint n_variants = run->quick ? 3 : G_N_ELEMENTS (variants), turn = 0;
  guint n_random = run->quick ? 1 : 20;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint v = 0; v < n_variants; v++) {
    guint n_sizes = !run->quick ? G_N_ELEMENTS (sizes) : v == 0 ? 3 : 1;

    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++) {
      Case c = { KC_FIXED, formats[turn % G_N_ELEMENTS (formats)],
        sizes[s][0], sizes[s][1],
        s % 3 == 1 ? turn / 3 % KC_N_CONTENTS : CONTENT_BOXES,
        turn % KC_N_LAYOUTS, variants[v], REGION_NONE
      };

      check_case (run, &c, &random);
    }
  }

  check_regions (run, &random);
  check_grid (run, &random);
  check_all_given (run);
  check_full (run, &random);
  check_too_large (run);

  kc_random_init (&random, run->seed);
  for (guint i = 0; i < n_random && kc_goes_on (run); i++) {
    Case c = {.kind = KC_RANDOM };

    c.format = formats[kc_random_below (&random, G_N_ELEMENTS (formats))];
    c.width = 1 + kc_random_below (&random, run->quick ? 60 : 400);
    c.height = 1 + kc_random_below (&random, run->quick ? 50 : 300);
    c.content = kc_random_below (&random, 2) ? CONTENT_BOXES
        : kc_random_below (&random, KC_CONTENT_NATURAL + 1);
    c.layout = kc_random_below (&random, KC_N_LAYOUTS);
    c.params = variants[kc_random_below (&random, n_variants)];
    c.region = kc_random_below (&random, N_REGIONS);
    check_case (run, &c, &random);
  }
  /* Tests words above the largest value of a sample, which count as this value. */
  for (guint i = 0; i < 2 && kc_goes_on (run); i++) {
    Case c = { KC_RANDOM, GST_VIDEO_FORMAT_I420_10LE, 70, 58,
      KC_CONTENT_EXCESS, i % KC_N_LAYOUTS, variants[i % n_variants]
    };

    check_case (run, &c, &random);
  }
#ifdef HAVE_OPENCV
  if (!run->quick)
    kc_sift_compare_pictures (run);
#endif
}

/* ---- Timing and peers (other libraries) ------------------------------------- */

typedef struct
{
  KcRun *run;
  MgpuSift *self;
  MgpuSiftParams params;
  KcPicture *in;
  KcFrame *frame;
  KcSiftTables tables;
} Bench;

static gboolean
bench_init (Bench * bench, KcRun * run, gint width, gint height,
    gboolean upsample)
{
  MgpuSiftParams params = KC_SIFT_USUAL;

  memset (bench, 0, sizeof (*bench));
  bench->run = run;
  params.upsample = upsample;
  bench->params = params;
  bench->in = kc_picture_bench (GST_VIDEO_FORMAT_GRAY8, width, height);
  bench->self = kc_sift_new (run, &bench->in->info, &params);
  if (bench->self == NULL)
    return FALSE;
  bench->frame = kc_frame_new (run, bench->in);
  return bench->frame != NULL && kc_sift_tables_init (&bench->tables, run,
      mgpu_sift_get_room (bench->self, &params));
}

static void
bench_clear (Bench * bench)
{
  kc_sift_tables_clear (&bench->tables);
  kc_frame_free (bench->frame);
  mgpu_object_free (bench->self);
  kc_picture_free (bench->in);
}

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);

  kc_sift_enqueue (bench->self, run, &bench->params, bench->frame, NULL,
      &bench->tables);
  return kc_wait (run, bench->tables.keypoints, before);
}

#ifdef HAVE_OPENCV
static gdouble
opencv_sift (gpointer data)
{
  Bench *bench = data;
  GByteArray *bytes = bench->params.descriptor ? g_byte_array_new () : NULL;
  gdouble time = kc_opencv_sift (bench->in, NULL, bytes);

  g_clear_pointer (&bytes, g_byte_array_unref);
  return time;
}
#endif

#ifdef HAVE_VLFEAT
#define VLFEAT 1

static gdouble
vlfeat_sift (gpointer data)
{
  Bench *bench = data;

  return kc_vlfeat_sift (bench->in, bench->params.descriptor != 0);
}
#else
#define VLFEAT 0
#endif

static void
bench_size (KcRun * run, gint width, gint height)
{
  Bench bench;

  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  if (bench_init (&bench, run, width, height, TRUE)) {
    KcPython python = {.a = kc_python_plane (bench.in, 0) };
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench, &python,
          {bench.tables.keypoints, bench.tables.descriptors}},
#ifdef HAVE_OPENCV
      {"OpenCV", opencv_sift, &bench},
#endif
#ifdef HAVE_VLFEAT
      {"VLFeat", vlfeat_sift, &bench},
#endif
    };

    /* Leaves VLFeat out for large frames, for which it takes seconds. */
    guint n = G_N_ELEMENTS (contestants) - (VLFEAT && width > 640);

    for (guint i = 0; i < 2; i++) {
      g_autofree gchar *what = g_strdup_printf ("%s GRAY8 %dx%d",
          i == 0 ? "detect" : "detect and describe", width, height);

      bench.params.descriptor = i;
      kc_python_set (&python, "s = cv2.SIFT_create()", i == 0 ? "s.detect(a)"
          : "s.detectAndCompute(a, None)");
      kc_bench (run, what, contestants, run->peers ? n : 1);
    }
    kc_python_clear (&python);
  }
  bench_clear (&bench);
  kc_case_end (run);
}

/* Times frames that are not doubled first, as Rister and others (ICASSP 2013) did. OpenCV has no
 * such setting. */
static void
bench_not_doubled (KcRun * run)
{
  Bench bench;
  const KcContestant ours = { "ours", time_ours, &bench };

  kc_case_begin (run, KC_RANDOM, "bench 320x280, not doubled");
  if (bench_init (&bench, run, 320, 280, FALSE)) {
    bench.params.descriptor = GST_MGPU_DESCRIPTOR_TYPE_NONE;
    kc_bench (run, "detect GRAY8 320x280, not doubled", &ours, 1);
  }
  bench_clear (&bench);
  kc_case_end (run);
}

static void
bench (KcRun * run)
{
  static const gint bench_sizes[][2] = { {640, 480}, {1920, 1080} };

  bench_not_doubled (run);

  for (guint i = 0; i < G_N_ELEMENTS (bench_sizes) && kc_goes_on (run); i++)
    bench_size (run, bench_sizes[i][0], bench_sizes[i][1]);
}

const KcFunction kc_sift = { "sift", check, bench };
