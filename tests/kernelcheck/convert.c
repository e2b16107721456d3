/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks conversions, and compares their times with GStreamer's and OpenCV's. */
#include "convert.h"
#include "peers.h"

#include <string.h>

#include "../cases/frame.h"

const GstVideoFormat kc_convert_formats[] = {
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
  GST_VIDEO_FORMAT_P016_LE, GST_VIDEO_FORMAT_A420,
  GST_VIDEO_FORMAT_UNKNOWN
};

/* Size of a frame with some whole vectors and a part of one, also in subsampled chroma */
#define LARGE 75, 38

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
  while (kc_convert_formats[i] != input)
    i++;
  return kc_convert_formats[(i + c->rotation) % (G_N_ELEMENTS (kc_convert_formats)
          - 1)];
}

gboolean
kc_convert_prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
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

/* Returns the parameters of a conversion between frames of these sizes. */
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

  /* Creates the object without a crop, as elements do, which set crops while frames flow. */
  p.source.width = 0;
  p.own_kernel = own_kernel;
  return mgpu_object_new (&mgpu_convert, context, in, NULL, out, &p, error);
}

/* Leaves the kernel that small frames share to create_shared(). */
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

/* Adds the unused byte of RGBx as a fourth component. */
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
    result = (RefRectangle) {
    0, 0, width, height};
  result.x -= r.x % x_sub;
  result.width += r.x % x_sub;
  result.y -= r.y % y_sub;
  result.height += r.y % y_sub;
  return result;
}

void
kc_convert_reference (gconstpointer params, const KcPicture * in,
    KcPicture * out)
{
  static const gint methods[] = {
    [MGPU_CONVERT_NEAREST] = REF_CONVERT_NEAREST,
    [MGPU_CONVERT_BILINEAR] = REF_CONVERT_BILINEAR,
    [MGPU_CONVERT_AREA] = REF_CONVERT_AREA,
    [MGPU_CONVERT_BICUBIC] = REF_CONVERT_BICUBIC,
    [MGPU_CONVERT_LANCZOS] = REF_CONVERT_LANCZOS
  };
  MgpuConvertParams p = make_params (params, &in->info, &out->info);
  GstVideoOrientationMethod o = p.orientation;
  RefFrame from = make_frame (in), to = make_frame (out);
  RefConvert convert = {
    .method = methods[p.method],
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

/* ---- Conversions from and to every format -------------------------------- */

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
static const Conversion bicubic_smaller = SIZE (BICUBIC, -3, -3);
static const Conversion bicubic_larger = SIZE (BICUBIC, 61, 53);
static const Conversion bicubic_quarter = SIZE (BICUBIC, -8, -13);
static const Conversion bicubic_single = SIZE (BICUBIC, 1, 1);
static const Conversion lanczos_smaller = SIZE (LANCZOS, -3, -3);
static const Conversion lanczos_larger = SIZE (LANCZOS, 61, 53);
static const Conversion lanczos_fifth = SIZE (LANCZOS, -10, -7);
static const Conversion lanczos_rows = SIZE (LANCZOS, 61, -12);
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
  {"bicubic 2/3", &bicubic_smaller, 100000},
  {"bicubic 61x53", &bicubic_larger, 100000},
  {"bicubic 1/4 x 2/13", &bicubic_quarter, 100000},
  {"bicubic 1x1", &bicubic_single, 100000},
  {"lanczos 2/3", &lanczos_smaller, 100000},
  {"lanczos 61x53", &lanczos_larger, 100000},
  {"lanczos 1/5 x 2/7", &lanczos_fifth, 100000},
  {"lanczos 61 x 1/6", &lanczos_rows, 100000},
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

/* ---- Colorimetries and chroma sites -------------------------------------- */

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
    .in_site = GST_VIDEO_CHROMA_SITE_MPEG2,.out_site =
    GST_VIDEO_CHROMA_SITE_DV);
static const Conversion recosited = COLOUR (I420_10LE, "bt709", "bt709",
    .in_site = GST_VIDEO_CHROMA_SITE_JPEG,
    .out_site = GST_VIDEO_CHROMA_SITE_MPEG2,.width = -5);
static const Conversion area_chroma = {
  .params.method = MGPU_CONVERT_AREA,.format = GST_VIDEO_FORMAT_I420,
  .out_site = GST_VIDEO_CHROMA_SITE_MPEG2
};

static const Conversion bicubic_chroma = {
  .params.method = MGPU_CONVERT_BICUBIC,.format = GST_VIDEO_FORMAT_I420,
  .out_site = GST_VIDEO_CHROMA_SITE_MPEG2
};

static const Conversion lanczos_chroma = {
  .params.method = MGPU_CONVERT_LANCZOS,.format = GST_VIDEO_FORMAT_RGB,
  .in_site = GST_VIDEO_CHROMA_SITE_MPEG2
};

static const KcVariant colour[] = {
  {"bt709", &bt709_to_rgb, 100000},
  {"bt2020 to bt601", &bt2020_to_bt601, 100000},
  {"full to limited", &full_to_limited, 100000},
  {"limited to full", &limited_to_full, 100000},
  {"cosited", &cosited, 100000},
  {"jpeg to mpeg2, 2/5", &recosited, 100000},
  {"area", &area_chroma, 100000},
  {"bicubic", &bicubic_chroma, 100000},
  {"lanczos", &lanczos_chroma, 100000}
};

/* ---- One case for each kind of kernel ------------------------------------
 *
 * Lists one conversion for each kind of kernel in the sets above, for when there is no time to
 * build them all: methods of finding columns, numbers of taps and their processing, layouts, 64-bit
 * sums, rotations. */

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
    .params.source = { 5, 3, 60, 30 },.width = 61,.height = 30);

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

static const Conversion kind_bicubic = KIND (NV12, BICUBIC, BGR,
    .width = 61,.height = 53);
static const Conversion kind_lanczos = KIND (P010_10LE, LANCZOS, I420_10LE,
    .width = -3,.height = -5);
static const Conversion kind_lanczos_turned = KIND (Y42B, LANCZOS, GRAY8,
    TURNED (90R),.width = 61,.height = 50);

/* Conversions with alpha in a separate plane, and in pixels */
static const Conversion kind_alpha_in = KIND (A420, BILINEAR, BGRA,
    .borders = TRUE,.width = -3,.height = -3);
static const Conversion kind_alpha_out = KIND (AYUV, AREA, A420,
    .crop = TRUE,.width = 61,.height = 30);
static const Conversion kind_alpha_turned = KIND (A420, BILINEAR, A420,
    TURNED (90R));
static const Conversion kind_alpha_filled = KIND (NV12, BILINEAR, A420);

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
  {"180", &kind_turned_rgb, 0},
  {"bicubic 61x53", &kind_bicubic, 0},
  {"lanczos 2/3 x 2/5", &kind_lanczos, 0},
  {"lanczos 90r 61x50", &kind_lanczos_turned, 0},
  {"borders, bilinear 2/3", &kind_alpha_in, 0},
  {"crop, area 61x30", &kind_alpha_out, 0},
  {"90r", &kind_alpha_turned, 0},
  {"bilinear", &kind_alpha_filled, 0}
};

/* ---- Words above the largest value of a sample ------------------------------ */

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
    .prepare = kc_convert_prepare, \
    .create = create_, \
    .enqueue = enqueue, \
    .free = destroy, \
    .reference = kc_convert_reference \
  }

/* Lists conversions each of which has a separate kernel. */
static const KcFilter own_filters[] = {
  FILTER (layouts, geometry, create),
  FILTER (kc_convert_formats, pairs, create),
  FILTER (colours, colour, create)
};

static const KcFilter kind_filter = FILTER (kc_convert_formats, kinds, create);

static const KcFilter excess_filters[] = {
  FILTER (excess_formats, excess, create),
  FILTER (excess_formats, excess, create_shared)
};

static const KcFilter shared_filters[] = {
  FILTER (layouts, geometry, create_shared),
  FILTER (kc_convert_formats, pairs, create_shared),
  FILTER (colours, colour, create_shared)
};

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
  kc_convert_check_peers (run);
}

/* ---- Speed ----------------------------------------------------------------- */

static gdouble
time_gstreamer (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  kc_gstreamer_convert (in, out, FALSE, 2);
  return -1;
}

static const Conversion turn_nothing = TURN (IDENTITY);
static const Conversion linear_720p = SIZE (BILINEAR, 1280, 720);
static const Conversion area_720p = SIZE (AREA, 1280, 720);
static const Conversion bicubic_720p = SIZE (BICUBIC, 1280, 720);
static const Conversion lanczos_720p = SIZE (LANCZOS, 1280, 720);
static const Conversion bicubic_4k = SIZE (BICUBIC, 3840, 2160);
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
  /* Compares no values (-1), because OpenCV does not widen its scaling windows where frames become
   * smaller. */
  static const KcPeer lobes[] = {
    {"OpenCV", kc_opencv_resize, -1, 0, kc_python_resize}, {NULL}
  };
  static const KcPeer turn[] = {
    {"OpenCV", kc_opencv_turn, 0, 0, kc_python_turn}, {NULL}
  };
  /* Allows a difference of 1.164 * 16, because OpenCV treats values darker than black as black. */
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
    HD ("bicubic to 720p", bicubic_720p, GRAY8, lobes),
    HD ("lanczos to 720p", lanczos_720p, GRAY8, lobes),
    HD ("lanczos to 720p", lanczos_720p, NV12, NULL),
    HD ("bicubic to 4K", bicubic_4k, GRAY8, lobes),
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
