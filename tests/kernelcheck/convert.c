/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks conversions, and compares and times them beside GStreamer and OpenCV. */
#include "kernelcheck.h"
#include "peers.h"

#include <gst/vision/convert/convert.h>
#include <string.h>

#include "../cases/frame.h"
#include "../reference/colour.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YV12, GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_YUY2,
  GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_RGBx,
  GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_xBGR,
  GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_ARGB, GST_VIDEO_FORMAT_BGRA,
  GST_VIDEO_FORMAT_ABGR, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_NV16, GST_VIDEO_FORMAT_NV61, GST_VIDEO_FORMAT_NV24,
  GST_VIDEO_FORMAT_YVYU, GST_VIDEO_FORMAT_v308,
  GST_VIDEO_FORMAT_AYUV, GST_VIDEO_FORMAT_VUYA,
  GST_VIDEO_FORMAT_RGBP, GST_VIDEO_FORMAT_BGRP,
  GST_VIDEO_FORMAT_GBR, GST_VIDEO_FORMAT_GBR_10LE, GST_VIDEO_FORMAT_GBR_12LE,
  GST_VIDEO_FORMAT_I422_10LE, GST_VIDEO_FORMAT_Y444_10LE,
  GST_VIDEO_FORMAT_I420_12LE, GST_VIDEO_FORMAT_I422_12LE,
  GST_VIDEO_FORMAT_Y444_12LE, GST_VIDEO_FORMAT_P012_LE,
  GST_VIDEO_FORMAT_UNKNOWN
};

/* Some whole vectors and a part of one, even in chroma. */
#define LARGE 75, 38

/* A conversion, for inputs of several formats and sizes. */
typedef struct
{
  MgpuConvertParams params;
  GstVideoFormat from;          /* of the input, which is LARGE; UNKNOWN: any */
  GstVideoFormat format;        /* of the output; UNKNOWN: as rotation says */
  guint rotation;               /* from the input's in the list of formats */
  gint width, height;           /* of the output; 0: the input's; < 0: a divisor of it, times 2 */
  gboolean crop, borders;       /* a source or a destination off the edges */
  const gchar *in_colorimetry, *out_colorimetry;
  GstVideoChromaSite in_site, out_site;
} Conversion;

static gboolean
is_transposed (GstVideoOrientationMethod o)
{
  return o == GST_VIDEO_ORIENTATION_90R || o == GST_VIDEO_ORIENTATION_90L
      || o == GST_VIDEO_ORIENTATION_UL_LR || o == GST_VIDEO_ORIENTATION_UR_LL;
}

static void
set_colorimetry (GstVideoInfo * info, const gchar * colorimetry,
    GstVideoChromaSite site)
{
  if (colorimetry != NULL)
    gst_video_colorimetry_from_string (&info->colorimetry, colorimetry);
  if (site != GST_VIDEO_CHROMA_SITE_UNKNOWN)
    info->chroma_site = site;
}

static gint
output_size (gint wanted, gint input)
{
  if (wanted < 0)
    return MAX (1, 2 * input / -wanted);
  return wanted > 0 ? wanted : input;
}

static GstVideoFormat
output_format (const Conversion * c, GstVideoFormat input)
{
  guint i = 0;

  if (c->format != GST_VIDEO_FORMAT_UNKNOWN)
    return c->format;
  while (formats[i] != input)
    i++;
  return formats[(i + c->rotation) % (G_N_ELEMENTS (formats) - 1)];
}

static gboolean
prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
{
  const Conversion *c = params;
  gboolean transposed = is_transposed (c->params.orientation);
  gint width, height;

  if (c->from != GST_VIDEO_FORMAT_UNKNOWN
      && c->from != GST_VIDEO_INFO_FORMAT (in))
    return FALSE;
  if (c->from != GST_VIDEO_FORMAT_UNKNOWN)
    gst_video_info_set_format (in, c->from, LARGE);
  width = GST_VIDEO_INFO_WIDTH (in);
  height = GST_VIDEO_INFO_HEIGHT (in);
  gst_video_info_set_format (out,
      output_format (c, GST_VIDEO_INFO_FORMAT (in)),
      output_size (c->width, transposed ? height : width),
      output_size (c->height, transposed ? width : height));
  if (GST_VIDEO_INFO_IS_YUV (in))
    set_colorimetry (in, c->in_colorimetry, c->in_site);
  if (GST_VIDEO_INFO_IS_YUV (out))
    set_colorimetry (out, c->out_colorimetry, c->out_site);
  return TRUE;
}

/* The parameters of a conversion between frames of these sizes. */
static MgpuConvertParams
make_params (const Conversion * c, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  MgpuConvertParams p = c->params;
  gint w = GST_VIDEO_INFO_WIDTH (in), h = GST_VIDEO_INFO_HEIGHT (in);

  if (c->crop) {
    p.source.x = w / 3;
    p.source.y = h / 5;
    p.source.width = MAX (1, w / 2);
    p.source.height = MAX (1, h / 2);
  }
  w = GST_VIDEO_INFO_WIDTH (out);
  h = GST_VIDEO_INFO_HEIGHT (out);
  if (c->borders) {
    p.destination.x = w / 5;
    p.destination.y = h / 3;
    p.destination.width = MAX (1, w / 2);
    p.destination.height = MAX (1, h / 2);
  }
  return p;
}

static gpointer
create_any (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, gboolean own_kernel,
    GError ** error)
{
  MgpuConvertParams p = make_params (params, in, out);

  /* Crops come while frames flow. */
  p.source.width = 0;
  p.own_kernel = own_kernel;
  return mgpu_object_new (&mgpu_convert, context, in, NULL, out, &p, error);
}

/* The kernel that small frames share is left to create_shared(). */
static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  return create_any (context, in, out, params, TRUE, error);
}

static gpointer
create_shared (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  return create_any (context, in, out, params, FALSE, error);
}

static void
enqueue (gpointer self, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuConvertParams p = make_params (work->params, &work->in->info,
      &work->out->info);
  const MgpuWork converted = { &p, work->in, NULL, work->out };

  mgpu_convert.enqueue (self, job, &converted);
}

static void
destroy (gpointer self)
{
  mgpu_object_free (self);
}

static RefFrame
make_frame (const KcPicture * picture)
{
  RefFrame frame = describe_frame (&picture->info);

  for (gint i = 0; i < frame.n_components; i++)
    frame.plane[i] = kc_picture_plane (picture, i);
  return frame;
}

/* The byte of RGBx that is no sample, as a fourth component. */
static void
add_filler (RefFrame * frame, const GstVideoInfo * info)
{
  gint at = 6;

  if (!frame->rgb || frame->n_components > 3
      || frame->plane[0].pixel_stride < 4)
    return;
  for (guint i = 0; i < 3; i++)
    at -= GST_VIDEO_INFO_COMP_POFFSET (info, i);
  frame->plane[3] = frame->plane[0];
  frame->plane[3].data += at - (gint) GST_VIDEO_INFO_COMP_POFFSET (info, 0);
  frame->n_components = 4;
}

static RefRectangle
make_rectangle (MgpuRectangle r, gint width, gint height, gint x_sub,
    gint y_sub)
{
  RefRectangle result = { r.x, r.y, r.width, r.height };

  if (r.width == 0)
    result = (RefRectangle) { 0, 0, width, height };
  result.x -= r.x % x_sub;
  result.width += r.x % x_sub;
  result.y -= r.y % y_sub;
  result.height += r.y % y_sub;
  return result;
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  MgpuConvertParams p = make_params (params, &in->info, &out->info);
  GstVideoOrientationMethod o = p.orientation;
  RefFrame from = make_frame (in), to = make_frame (out);
  RefConvert convert = {
    .method = p.method == MGPU_CONVERT_NEAREST ? REF_NEAREST :
        p.method == MGPU_CONVERT_BILINEAR ? REF_BILINEAR : REF_AREA,
    .source = make_rectangle (p.source, from.width, from.height, 1, 1),
    .destination = make_rectangle (p.destination, to.width, to.height,
        to.rgb ? 1 : to.x_sub, to.rgb ? 1 : to.y_sub),
    .transpose = is_transposed (o),
    .flip_x = o == GST_VIDEO_ORIENTATION_90R || o == GST_VIDEO_ORIENTATION_180
        || o == GST_VIDEO_ORIENTATION_HORIZ || o == GST_VIDEO_ORIENTATION_UR_LL,
    .flip_y = o == GST_VIDEO_ORIENTATION_90L || o == GST_VIDEO_ORIENTATION_180
        || o == GST_VIDEO_ORIENTATION_VERT || o == GST_VIDEO_ORIENTATION_UR_LL
  };

  if (!GST_VIDEO_INFO_HAS_ALPHA (&out->info))
    from.n_components = MIN (from.n_components, 3);
  add_filler (&to, &out->info);
  ref_convert (&from, &to, &convert);
}

/* ---- Every format, from and to -------------------------------------------- */

#define ROTATE(by) {.params.method = MGPU_CONVERT_BILINEAR,.rotation = by}

static const Conversion same = ROTATE (0);
static const Conversion third = ROTATE (3);
static const Conversion eighth = ROTATE (8);
static const Conversion seventeenth = ROTATE (17);

static const KcVariant pairs[] = {
  {"bilinear", &same, 100000},
  {"bilinear", &third, 100000},
  {"bilinear", &eighth, 100000},
  {"bilinear", &seventeenth, 100000}
};

/* ---- Sizes, orientations, crops, borders --------------------------------- */

static const GstVideoFormat layouts[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_UNKNOWN
};

#define SIZE(method_, width_, height_) \
    {.params.method = MGPU_CONVERT_##method_,.width = width_,.height = height_}
#define TURN(orientation_, ...) \
    {.params = {MGPU_CONVERT_BILINEAR, GST_VIDEO_ORIENTATION_##orientation_}, \
    ##__VA_ARGS__ }

static const Conversion nearest_smaller = SIZE (NEAREST, -3, -3);
static const Conversion nearest_larger = SIZE (NEAREST, 61, 53);
static const Conversion bilinear_smaller = SIZE (BILINEAR, -3, -3);
static const Conversion bilinear_larger = SIZE (BILINEAR, 61, 53);
static const Conversion bilinear_lower = SIZE (BILINEAR, 0, -3);
static const Conversion area_smaller = SIZE (AREA, -3, -3);
static const Conversion area_larger = SIZE (AREA, 61, 53);
static const Conversion area_seventh = SIZE (AREA, -15, 7);
static const Conversion area_single = SIZE (AREA, 1, 1);
static const Conversion bilinear_single = SIZE (BILINEAR, 1, 1);
static const Conversion turn_90r = TURN (90R);
static const Conversion turn_90l = TURN (90L);
static const Conversion turn_180 = TURN (180);
static const Conversion turn_horiz = TURN (HORIZ);
static const Conversion turn_vert = TURN (VERT);
static const Conversion turn_ul_lr = TURN (UL_LR);
static const Conversion turn_ur_ll = TURN (UR_LL);
static const Conversion turn_cosited = TURN (90R,
    .in_site = GST_VIDEO_CHROMA_SITE_MPEG2,
    .out_site = GST_VIDEO_CHROMA_SITE_MPEG2);
static const Conversion crop = TURN (IDENTITY,.crop = TRUE);
static const Conversion crop_180 = TURN (180,.crop = TRUE);
static const Conversion crop_90r_larger =
TURN (90R,.crop = TRUE,.width = 61,.height = 50);
static const Conversion borders = TURN (HORIZ,.borders = TRUE);
static const Conversion borders_to_bgr =
TURN (IDENTITY,.borders = TRUE,.format = GST_VIDEO_FORMAT_BGR,.width = -3);
static const Conversion borders_to_i420 =
TURN (UR_LL,.borders = TRUE,.crop = TRUE,.format = GST_VIDEO_FORMAT_I420);
static const Conversion to_bgr_smaller =
TURN (IDENTITY,.format = GST_VIDEO_FORMAT_BGR,.width = -3,.height = -3);

static const KcVariant geometry[] = {
  {"bilinear 2/3", &bilinear_smaller, 0},
  {"bilinear 61x53", &bilinear_larger, 100000},
  {"bilinear height 2/3", &bilinear_lower, 100000},
  {"bilinear 1x1", &bilinear_single, 100000},
  {"nearest 2/3", &nearest_smaller, 100000},
  {"nearest 61x53", &nearest_larger, 100000},
  {"area 2/3", &area_smaller, 100000},
  {"area 61x53", &area_larger, 100000},
  {"area 2/15 x 7", &area_seventh, 100000},
  {"area 1x1", &area_single, 100000},
  {"90r", &turn_90r, 100000},
  {"90l", &turn_90l, 100000},
  {"180", &turn_180, 100000},
  {"horiz", &turn_horiz, 100000},
  {"vert", &turn_vert, 100000},
  {"ul-lr", &turn_ul_lr, 100000},
  {"ur-ll", &turn_ur_ll, 100000},
  {"90r mpeg2", &turn_cosited, 100000},
  {"crop", &crop, 100000},
  {"crop 180", &crop_180, 100000},
  {"crop 90r 61x50", &crop_90r_larger, 100000},
  {"borders horiz", &borders, 100000},
  {"borders", &borders_to_bgr, 100000},
  {"borders crop ur-ll", &borders_to_i420, 100000},
  {"bilinear 2/3", &to_bgr_smaller, 100000}
};

/* ---- Colours and sites ---------------------------------------------------- */

static const GstVideoFormat colours[] = {
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_UNKNOWN
};

#define COLOUR(format_, in, out, ...) \
    {.params.method = MGPU_CONVERT_BILINEAR, \
    .format = GST_VIDEO_FORMAT_##format_, \
    .in_colorimetry = in,.out_colorimetry = out, ##__VA_ARGS__}

static const Conversion bt709_to_rgb = COLOUR (RGB, "bt709", NULL);
static const Conversion bt2020_to_bt601 = COLOUR (NV12, "bt2020", "bt601");
static const Conversion full_to_limited = COLOUR (Y444, "1:4:0:0", "2:4:0:0");
static const Conversion limited_to_full = COLOUR (YUY2, "2:3:0:0", "1:3:0:0");
static const Conversion cosited = COLOUR (NV12, "bt709", "bt601",
    .in_site = GST_VIDEO_CHROMA_SITE_MPEG2,.out_site = GST_VIDEO_CHROMA_SITE_DV);
static const Conversion recosited = COLOUR (I420_10LE, "bt709", "bt709",
    .in_site = GST_VIDEO_CHROMA_SITE_JPEG,
    .out_site = GST_VIDEO_CHROMA_SITE_MPEG2,.width = -5);
static const Conversion area_chroma = {
  .params.method = MGPU_CONVERT_AREA,.format = GST_VIDEO_FORMAT_I420,
  .out_site = GST_VIDEO_CHROMA_SITE_MPEG2
};

static const KcVariant colour[] = {
  {"bt709", &bt709_to_rgb, 100000},
  {"bt2020 to bt601", &bt2020_to_bt601, 100000},
  {"full to limited", &full_to_limited, 100000},
  {"limited to full", &limited_to_full, 100000},
  {"cosited", &cosited, 100000},
  {"jpeg to mpeg2, 2/5", &recosited, 100000},
  {"area", &area_chroma, 100000}
};

/* ---- The kinds of kernels -------------------------------------------------
 *
 * Of all that the sets above make of each conversion alone, for when there is
 * no time to build them all: ways to find columns, numbers of taps and what
 * happens to them, layouts, sums of 64 bit, turns. */

#define KIND(from_, method_, format_, ...) \
    {.params.method = MGPU_CONVERT_##method_, \
    .from = GST_VIDEO_FORMAT_##from_,.format = GST_VIDEO_FORMAT_##format_, \
    ##__VA_ARGS__ }
#define TURNED(orientation_) \
    .params.orientation = GST_VIDEO_ORIENTATION_##orientation_

static const Conversion kind_scaled = KIND (GRAY8, BILINEAR, GRAY8,
    .width = -3,.height = -3);
static const Conversion kind_nearest = KIND (I420, NEAREST, I420,
    .width = -3,.height = -3);
static const Conversion kind_area = KIND (BGR, AREA, BGR,
    .width = -3,.height = -3);
static const Conversion kind_wide_area = KIND (GRAY16_LE, AREA, GRAY16_LE,
    .width = -15,.height = 7);
static const Conversion kind_to_rgb = KIND (NV12, BILINEAR, BGR);
static const Conversion kind_to_smaller_rgb = KIND (NV12, BILINEAR, BGR,
    .width = -3,.height = -3);
static const Conversion kind_from_rgb = KIND (ARGB, BILINEAR, NV12);
static const Conversion kind_packed = KIND (UYVY, BILINEAR, YUY2,
    .params.source = {5, 3, 60, 30},.width = 61,.height = 30);
static const Conversion kind_deep = KIND (RGB, BILINEAR, P010_10LE,
    .borders = TRUE);
static const Conversion kind_mirrored = KIND (P010_10LE, BILINEAR, I420_10LE,
    TURNED (HORIZ));
static const Conversion kind_transposed = KIND (Y42B, BILINEAR, RGBA,
    TURNED (90R));
static const Conversion kind_turned = KIND (GRAY8, BILINEAR, GRAY8,
    TURNED (90L));
static const Conversion kind_turned_rgb = KIND (xBGR, BILINEAR, xBGR,
    TURNED (180));

static const KcVariant kinds[] = {
  {"bilinear 2/3", &kind_scaled, 0},
  {"nearest 2/3", &kind_nearest, 0},
  {"area 2/3", &kind_area, 0},
  {"area 2/15 x 7", &kind_wide_area, 0},
  {"bilinear", &kind_to_rgb, 0},
  {"bilinear 2/3", &kind_to_smaller_rgb, 0},
  {"bilinear", &kind_from_rgb, 0},
  {"bilinear, part to 61x30", &kind_packed, 0},
  {"borders", &kind_deep, 0},
  {"horiz", &kind_mirrored, 0},
  {"90r", &kind_transposed, 0},
  {"90l", &kind_turned, 0},
  {"180", &kind_turned_rgb, 0}
};

/* ---- Words above the largest value ------------------------------------------ */

static const GstVideoFormat excess_formats[] = {
  GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_UNKNOWN
};

static const Conversion excess_to_rgb = KIND (I420_10LE, BILINEAR, BGR);
static const Conversion excess_to_p010 = KIND (I420_10LE, NEAREST, P010_10LE);
static const Conversion excess_area = KIND (I420_10LE, AREA, I420_10LE,
    .width = -15,.height = 7);
static const Conversion excess_copy = KIND (I420_10LE, NEAREST, I420_10LE);
static const Conversion excess_horiz = KIND (I420_10LE, NEAREST, I420_10LE,
    TURNED (HORIZ));
static const Conversion excess_90r = KIND (I420_10LE, NEAREST, I420_10LE,
    TURNED (90R));

static const KcVariant excess[] = {
  {"bilinear", &excess_to_rgb, 0},
  {"nearest", &excess_to_p010, 0},
  {"area 2/15 x 7", &excess_area, 0},
  {"copy", &excess_copy, 0},
  {"horiz", &excess_horiz, 0},
  {"90r", &excess_90r, 0}
};

#define FILTER(formats_, variants_, create_) { \
    .formats = formats_, \
    .variants = variants_, \
    .n_variants = G_N_ELEMENTS (variants_), \
    .n_sizes = 1, \
    .prepare = prepare, \
    .create = create_, \
    .enqueue = enqueue, \
    .free = destroy, \
    .reference = reference \
  }

/* Each with a kernel of its own. */
static const KcFilter own_filters[] = {
  FILTER (layouts, geometry, create),
  FILTER (formats, pairs, create),
  FILTER (colours, colour, create)
};

static const KcFilter kind_filter = FILTER (formats, kinds, create);

static const KcFilter excess_filters[] = {
  FILTER (excess_formats, excess, create),
  FILTER (excess_formats, excess, create_shared)
};

static const KcFilter shared_filters[] = {
  FILTER (layouts, geometry, create_shared),
  FILTER (formats, pairs, create_shared),
  FILTER (colours, colour, create_shared)
};

/* ---- Beside GStreamer's own conversion ------------------------------------ */

/* A gentle slope in every component, so that it matters little from which
 * neighbours chroma comes, and RGB stays in range. slope: in 1/256 a pixel */
static void
fill_slope (KcPicture * picture, gint slope)
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); i++) {
    RefPlane plane = kc_picture_plane (picture, i);
    gint scale = GST_VIDEO_INFO_WIDTH (&picture->info) / plane.width;

    for (gint y = 0; y < plane.height; y++) {
      for (gint x = 0; x < plane.width; x++) {
        gint value = 100 + 10 * i
            + (slope * scale * (x + (i == 1 ? -y : y)) >> 8);

        plane.data[y * plane.stride + x * plane.pixel_stride] = value;
      }
    }
  }
}

/* Returns: the largest difference of samples of 8 bit. Alpha does not count, since
 * GStreamer takes the x of RGBx for alpha. */
static gint
largest_difference (const KcPicture * first, const KcPicture * second)
{
  guint n = MIN (3, GST_VIDEO_INFO_N_COMPONENTS (&first->info));
  gint largest = 0;

  for (guint i = 0; i < n; i++) {
    RefPlane a = kc_picture_plane (first, i), b = kc_picture_plane (second, i);

    for (gint y = 0; y < a.height; y++)
      for (gint x = 0; x < a.width; x++)
        largest = MAX (largest, ABS (a.data[y * a.stride + x * a.pixel_stride]
                - b.data[y * b.stride + x * b.pixel_stride]));
  }
  return largest;
}

/* Our conversions of flat and of gently sloping pictures differ from GStreamer's
 * videoconvert by 1 at most. From YUV to RGB it is 6: of the flat colour
 * (100, 110, 120) of BT.601, which is (85.04, 111.36, 61.50), GStreamer 1.22
 * makes (84, 107, 61). The references stand for the kernels, which equal them. */
static void
compare_gstreamer (KcRun * run, const Conversion * c, GstVideoFormat format,
    gint width, gint height, gint slope)
{
  GstVideoInfo in_info, out_info;
  g_autoptr (KcPicture) in = NULL, ours = NULL, theirs = NULL;
  KcRandom random;
  gint largest, allowed;

  gst_video_info_set_format (&in_info, format, width, height);
  prepare (c, &in_info, &out_info);
  /* Elements negotiate that grey is the luma that there is. */
  if (GST_VIDEO_INFO_IS_GRAY (&in_info) && GST_VIDEO_INFO_IS_YUV (&out_info))
    in_info.colorimetry = out_info.colorimetry;
  if (GST_VIDEO_INFO_IS_YUV (&in_info) && GST_VIDEO_INFO_IS_GRAY (&out_info))
    out_info.colorimetry = in_info.colorimetry;
  allowed = GST_VIDEO_INFO_IS_YUV (&in_info)
      && GST_VIDEO_INFO_IS_RGB (&out_info) ? 6 : 1;

  kc_case_begin (run, KC_RANDOM, "videoconvert %s to %s, %dx%d, slope %d/256",
      GST_VIDEO_INFO_NAME (&in_info), GST_VIDEO_INFO_NAME (&out_info), width,
      height, slope);
  kc_random_init (&random, 1);
  in = kc_picture_new (&in_info, KC_LAYOUT_DEFAULT, &random);
  fill_slope (in, slope);
  ours = kc_picture_new (&out_info, KC_LAYOUT_DEFAULT, &random);
  theirs = kc_picture_copy (ours);
  reference (c, in, ours);
  /* One thread: with more of them GStreamer 1.22 leaves parts of some frames alone. */
  kc_gstreamer_convert (in, theirs, 1);
  largest = largest_difference (ours, theirs);
  if (largest > allowed)
    kc_case_fail (run, "samples differ by %d", largest);
  kc_case_end (run);
}

/* The matrices against arithmetic without rounding: RGB from YUV of BT.709. */
static void
check_exact (KcRun * run)
{
  const RefColour yuv = { 0, 0, 0, 255, 0.2126, 0.0722 };
  const RefColour rgb = { 1, 0, 1, 255, 0, 0 };
  gdouble largest = 0;
  RefColourMatrix m;

  ref_colour_matrix (&yuv, &rgb, &m);
  kc_case_begin (run, KC_RANDOM, "exact RGB from YUV");
  for (gint y = 16; y <= 235; y++) {
    for (gint u = 16; u <= 240; u += 7) {
      for (gint v = 16; v <= 240; v += 7) {
        gdouble luma = (y - 16) / 219.0, b = (u - 128) / 112.0 * (1 - 0.0722);
        gdouble r = (v - 128) / 112.0 * (1 - 0.2126);
        gdouble exact[3] = { luma + r,
          luma - (0.2126 * r + 0.0722 * b) / 0.7152, luma + b
        };

        for (guint i = 0; i < 3; i++) {
          gint64 sum = m.factor[i][0] * y + m.factor[i][1] * u
              + m.factor[i][2] * v + m.offset[i];

          largest = MAX (largest, ABS ((sum >> m.bits) - 255 * exact[i]));
        }
      }
    }
  }
  if (largest > 0.51)
    kc_case_fail (run, "a sample is %g off", largest);
  kc_case_end (run);
}

/* Compares the references with GStreamer, with the colours and chroma sites of small and
 * of large frames. Once is enough, because no device has a part in it. */
static void
check_gstreamer (KcRun * run)
{
  static gboolean done = FALSE;

  if (done || run->quick)
    return;
  done = TRUE;
  for (guint i = 0; formats[i] != GST_VIDEO_FORMAT_UNKNOWN; i++) {
    for (guint k = 0; formats[k] != GST_VIDEO_FORMAT_UNKNOWN; k++) {
      Conversion c = {
        .params.method = MGPU_CONVERT_BILINEAR,
        .format = formats[k]
      };

      if (gst_video_format_get_info (formats[i])->depth[0] > 8
          || gst_video_format_get_info (formats[k])->depth[0] > 8)
        continue;
      compare_gstreamer (run, &c, formats[i], 200, 120, 48);
      compare_gstreamer (run, &c, formats[i], 98, 600, 0);
    }
  }
}

#ifdef HAVE_OPENCV
/* Frames of another size are OpenCV's, byte for byte; means of areas, which it
 * sums up in float, differ by 1 at most. Nearest pixels of odd sizes only: no
 * middle lies between two; and small ones: OpenCV goes in steps of 1/65536, so
 * that of 641 columns it takes 320 where 320.5 * 641 / 640 is 321.0008. The
 * references stand for the kernels, which equal them. */
static void
check_opencv (KcRun * run)
{
  static const gint sizes[][4] = {
    {97, 83, 33, 9}, {33, 9, 97, 83}, {64, 48, 1, 1}, {1, 1, 5, 7},
    {1, 40, 3, 41}, {200, 120, 73, 121}, {641, 479, 640, 480},
    {1920, 1080, 1280, 720}
  };
  static const GstVideoFormat grey_and_colour[] = {
    GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_BGR
  };

  for (guint i = 0; i < 6 * G_N_ELEMENTS (sizes) && kc_goes_on (run); i++) {
    const gint *size = sizes[i / 6];
    Conversion c = {.params.method = i % 3,.width = size[2],.height = size[3] };
    GstVideoFormat format = grey_and_colour[i / 3 % 2];
    gboolean is_area = c.params.method == MGPU_CONVERT_AREA;
    GstVideoInfo in_info, out_info;
    g_autoptr (KcPicture) in = NULL, ours = NULL, theirs = NULL;
    KcRandom random;

    if ((run->quick && size[0] > 200)
        || (c.params.method == MGPU_CONVERT_NEAREST
            && (size[0] % 2 == 0 || size[1] % 2 == 0 || size[0] > 200))
        || (is_area && (size[2] > size[0] || size[3] > size[1])))
      continue;
    kc_case_begin (run, KC_RANDOM, "OpenCV, %s %dx%d to %dx%d, method %u",
        gst_video_format_to_string (format), size[0], size[1], size[2],
        size[3], c.params.method);
    gst_video_info_set_format (&in_info, format, size[0], size[1]);
    prepare (&c, &in_info, &out_info);
    kc_random_init (&random, i);
    in = kc_picture_new (&in_info, KC_LAYOUT_DEFAULT, &random);
    kc_picture_fill (in, KC_CONTENT_RANDOM, &random);
    ours = kc_picture_new (&out_info, KC_LAYOUT_DEFAULT, &random);
    theirs = kc_picture_copy (ours);
    reference (&c, in, ours);
    kc_opencv_resize (&c, in, theirs);
    if (!is_area)
      kc_compare_picture (run, theirs, ours);
    else if (largest_difference (ours, theirs) > 1)
      kc_case_fail (run, "samples differ by %d",
          largest_difference (ours, theirs));
    kc_case_end (run);
  }
}
#endif

static void
check (KcRun * run)
{
  for (guint i = 0; i < G_N_ELEMENTS (own_filters) && !run->quick; i++)
    kc_check_filter (run, &own_filters[i]);
  if (run->quick)
    kc_check_filter (run, &kind_filter);
  for (guint i = 0; i < G_N_ELEMENTS (shared_filters); i++)
    kc_check_filter (run, &shared_filters[i]);
  for (guint i = 0; i < G_N_ELEMENTS (excess_filters); i++)
    kc_check_excess (run, &excess_filters[i]);
  check_exact (run);
  check_gstreamer (run);
#ifdef HAVE_OPENCV
  check_opencv (run);
#endif
}

/* ---- Speed ----------------------------------------------------------------- */

static gdouble
time_gstreamer (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  kc_gstreamer_convert (in, out, 2);
  return -1;
}

static const Conversion turn_nothing = TURN (IDENTITY);
static const Conversion linear_720p = SIZE (BILINEAR, 1280, 720);
static const Conversion area_720p = SIZE (AREA, 1280, 720);
static const Conversion nv12_nearest = {
  .params.method = MGPU_CONVERT_NEAREST,.format = GST_VIDEO_FORMAT_BGR,
  .in_colorimetry = "bt601"
};
static const Conversion nv12_bilinear = {
  .params.method = MGPU_CONVERT_BILINEAR,.format = GST_VIDEO_FORMAT_BGR,
  .in_colorimetry = "bt601"
};
static const Conversion bgr_to_nv12 = {
  .params.method = MGPU_CONVERT_BILINEAR,.format = GST_VIDEO_FORMAT_NV12
};
static const Conversion nv12_720p = {
  .params.method = MGPU_CONVERT_BILINEAR,.format = GST_VIDEO_FORMAT_BGR,
  .width = 1280,.height = 720
};

static void
bench (KcRun * run)
{
  static const KcPeer linear[] = {
    {"OpenCV", kc_opencv_resize, 0, 0, kc_python_resize}, {NULL}
  };
  static const KcPeer area[] = {
    {"OpenCV", kc_opencv_resize, 1, 0.1, kc_python_resize}, {NULL}
  };
  static const KcPeer turn[] = {
    {"OpenCV", kc_opencv_turn, 0, 0, kc_python_turn}, {NULL}
  };
  /* OpenCV takes what is darker than black for black: 1.164 * 16 */
  static const KcPeer nv12[] = {
    {"OpenCV", kc_opencv_nv12_to_bgr, 19, 1, kc_python_nv12_to_bgr},
    {"GStreamer", time_gstreamer, -1, 0}, {NULL}
  };
  static const KcPeer nv12_smooth[] = {
    {"OpenCV", kc_opencv_nv12_to_bgr, -1, 0, kc_python_nv12_to_bgr},
    {"GStreamer", time_gstreamer, -1, 0}, {NULL}
  };
  static const KcPeer gstreamer[] = {
    {"GStreamer", time_gstreamer, -1, 0}, {NULL}
  };
#define HD(what, conversion, format, peers) \
    {what, NULL, GST_VIDEO_FORMAT_##format, 1920, 1080, peers, &conversion}
  static const KcFilterBench benches[] = {
    HD ("bilinear to 720p", linear_720p, GRAY8, linear),
    HD ("bilinear to 720p", linear_720p, BGR, linear),
    HD ("area to 720p", area_720p, GRAY8, area),
    HD ("area to 720p", area_720p, BGR, area),
    HD ("transpose", turn_ul_lr, GRAY8, turn),
    HD ("transpose", turn_ul_lr, BGR, turn),
    HD ("rotate 90", turn_90r, GRAY8, turn),
    HD ("rotate 90", turn_90r, BGR, turn),
    HD ("rotate 180", turn_180, GRAY8, turn),
    HD ("flip left-right", turn_horiz, GRAY8, turn),
    HD ("flip left-right", turn_horiz, BGR, turn),
    HD ("flip up-down", turn_vert, GRAY8, turn),
    HD ("flip up-down", turn_vert, BGR, turn),
    HD ("to BGR, nearest", nv12_nearest, NV12, nv12),
    HD ("to BGR, bilinear", nv12_bilinear, NV12, nv12_smooth),
    HD ("to BGR 720p", nv12_720p, NV12, gstreamer),
    HD ("to NV12", bgr_to_nv12, BGR, gstreamer),
    HD ("transpose", turn_ul_lr, NV12, NULL),
    HD ("copy", turn_nothing, GRAY8, NULL),
  };

  kc_bench_filter (run, &own_filters[0], benches, G_N_ELEMENTS (benches));
}

const KcFunction kc_convert = { "convert", check, bench };
