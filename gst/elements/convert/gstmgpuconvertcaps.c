/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses the caps of output frames of mgpuconvert. */
#include "gstmgpuconvertcaps.h"

#include <gst/frame/gstmgpucaps.h>
#include <gst/vision/base/image.h>

#include <math.h>

GstCaps *
gst_mgpu_convert_caps_relax (GstCaps * caps, GstPadDirection direction)
{
  GstCaps *relaxed = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *s = gst_structure_copy (gst_caps_get_structure (caps, i));

    gst_structure_remove_fields (s, "format", "colorimetry", "chroma-site",
        "mastering-display-info", "content-light-level", NULL);
    gst_structure_set (s, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
        "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
    /* Removes the pixel aspect ratio from caps for upstream. An element that does not set a pixel
     * aspect ratio itself would otherwise take the first one of the range, 1/2147483647. */
    if (direction == GST_PAD_SRC)
      gst_structure_remove_field (s, "pixel-aspect-ratio");
    else if (gst_structure_has_field (s, "pixel-aspect-ratio"))
      gst_structure_set (s, "pixel-aspect-ratio", GST_TYPE_FRACTION_RANGE,
          1, G_MAXINT, G_MAXINT, 1, NULL);
    /* Merges the structure, because without the removed fields it may be equal to an earlier
     * structure. */
    relaxed = gst_caps_merge_structure (relaxed, s);
  }
  return relaxed;
}

/* --- Choice of the pixel format --- */

/* Returns: a penalty for converting frames of the pixel format @from to the format @to; 0 if they
 * are equal. The penalty of each kind of loss is larger than the sum of the penalties of all less
 * severe kinds. Added samples, such as alpha, have the smallest penalty */
static guint
format_loss (const GstVideoFormatInfo * from, const GstVideoFormatInfo * to)
{
  gboolean gray = GST_VIDEO_FORMAT_INFO_IS_GRAY (to);
  guint loss = 0;

  if (GST_VIDEO_FORMAT_INFO_FORMAT (from) == GST_VIDEO_FORMAT_INFO_FORMAT (to))
    return 0;
  if (!GST_VIDEO_FORMAT_INFO_IS_GRAY (from)) {
    loss += gray ? 256 : 0;
    loss += !gray && to->h_sub[1] > from->h_sub[1] ? 128 : 0;
    loss += !gray && to->w_sub[1] > from->w_sub[1] ? 64 : 0;
  }
  if (GST_VIDEO_FORMAT_INFO_HAS_ALPHA (from))
    loss += GST_VIDEO_FORMAT_INFO_HAS_ALPHA (to) ? 0 : 32;
  else
    loss += GST_VIDEO_FORMAT_INFO_HAS_ALPHA (to) ? 1 : 0;
  if (to->depth[0] < from->depth[0])
    loss += 15 + from->depth[0] - to->depth[0];
  loss += to->depth[0] > from->depth[0] ? 2 : 0;
  loss += GST_VIDEO_FORMAT_INFO_IS_RGB (from) !=
      GST_VIDEO_FORMAT_INFO_IS_RGB (to) ? 8 : 0;
  /* Adds a penalty if the new format has padding bytes, or chroma that the old format
   * does not have. */
  loss += to->pixel_stride[0] > from->pixel_stride[0]
      || to->n_components > from->n_components ? 1 : 0;
  /* Adds a penalty if samples have to be packed, because few elements accept such formats. */
  loss += mgpu_is_packed (GST_VIDEO_FORMAT_INFO_FORMAT (to)) ? 1 : 0;
  return loss + 1;
}

typedef struct
{
  const GstVideoFormatInfo *from;
  GstVideoFormat to;            /* best pixel format found so far; UNKNOWN at first */
  guint loss, structure;        /* @loss: penalty for the conversion to the pixel format @to;
                                 * @structure: index of the caps structure that allows this format */
} Choice;

static void
choose_format (Choice * choice, const GValue * value, guint structure)
{
  if (GST_VALUE_HOLDS_LIST (value)) {
    for (guint i = 0; i < gst_value_list_get_size (value); i++)
      choose_format (choice, gst_value_list_get_value (value, i), structure);
  } else if (G_VALUE_HOLDS_STRING (value)) {
    GstVideoFormat to = gst_video_format_from_string (g_value_get_string (value));
    guint loss = format_loss (choice->from, gst_video_format_get_info (to));

    if (choice->to == GST_VIDEO_FORMAT_UNKNOWN || loss < choice->loss) {
      choice->to = to;
      choice->loss = loss;
      choice->structure = structure;
    }
  }
}

/* --- Choice of the frame size --- */

typedef struct
{
  gint width, height, par_n, par_d;
  gdouble ratio;                /* display aspect ratio: width divided by height, as displayed */
} Size;

static Size
make_size (gint width, gint height, gint par_n, gint par_d)
{
  return (Size) {
  width, height, par_n, par_d,
        (gdouble) width * par_n / ((gdouble) height * par_d)};
}

/* Fixates the field @field of the caps structure @s to the allowed value nearest to
 * @wanted. Returns: the fixed value */
static gint
fix_int (GstStructure * s, const gchar * field, gdouble wanted)
{
  gint value = 1;

  gst_structure_fixate_field_nearest_int (s, field,
      CLAMP (rint (wanted), 1, G_MAXINT));
  gst_structure_get_int (s, field, &value);
  return value;
}

static gdouble
fix_par (GstStructure * s, gint n, gint d)
{
  gst_structure_fixate_field_nearest_fraction (s, "pixel-aspect-ratio", n, d);
  gst_structure_get_fraction (s, "pixel-aspect-ratio", &n, &d);
  return (gdouble) n / d;
}

typedef enum
{
  KEEP_SIZE, KEEP_HEIGHT, KEEP_WIDTH, N_KEEPS
} Keep;

/* Fixates width, height and pixel aspect ratio in the caps structure @s. First fixates the two
 * fields that @keep names, as close as possible to their values in @in. Then fixates the third
 * field such that the display aspect ratio of @in is kept. Returns: the fixed size */
static Size
fix_size (GstStructure * s, const Size * in, Keep keep)
{
  gint width, height, n, d;
  gdouble par;

  switch (keep) {
    case KEEP_HEIGHT:
      height = fix_int (s, "height", in->height);
      par = fix_par (s, in->par_n, in->par_d);
      width = fix_int (s, "width", in->ratio * height / par);
      break;
    case KEEP_WIDTH:
      width = fix_int (s, "width", in->width);
      par = fix_par (s, in->par_n, in->par_d);
      height = fix_int (s, "height", width * par / in->ratio);
      break;
    default:
      width = fix_int (s, "width", in->width);
      height = fix_int (s, "height", in->height);
      gst_util_double_to_fraction (in->ratio * height / width, &n, &d);
      fix_par (s, MAX (n, 1), MAX (d, 1));
      break;
  }
  gst_structure_get_fraction (s, "pixel-aspect-ratio", &n, &d);
  return make_size (width, height, n, d);
}

/* Returns: a penalty for changing a width or height from @from to @to pixels. The penalty for
 * removed pixels is twice that for added pixels */
static gdouble
length_loss (gint from, gint to)
{
  gdouble change = log ((gdouble) to / from);

  return change < 0 ? -2 * change : change;
}

/* Returns: a penalty for scaling frames from one size to another. A change of the display aspect
 * ratio has the largest penalty, unless it is only due to rounding to whole pixels. A change of
 * the pixel aspect ratio has the second largest, and a change of the size the smallest penalty */
static gdouble
size_loss (const Size * from, const Size * to)
{
  gdouble error = fabs (log (to->ratio / from->ratio))
      - 0.6 / to->width - 0.6 / to->height;

  return 1000 * MAX (error, 0)
      + 10 * fabs (log ((gdouble) to->par_n * from->par_d
          / ((gdouble) to->par_d * from->par_n)))
      + length_loss (from->width, to->width)
      + length_loss (from->height, to->height);
}

/* Fixates the frame size in @caps (transfer full), for input frames of the size @in. Returns:
 * (transfer full): the caps with the smallest penalty */
static GstCaps *
fixate_size (GstCaps * caps, const Size * in)
{
  gboolean had_par = gst_structure_has_field (gst_caps_get_structure (caps, 0),
      "pixel-aspect-ratio");
  GstCaps *best = NULL;
  gdouble least = 0;

  if (!had_par)
    gst_caps_set_simple (caps, "pixel-aspect-ratio", GST_TYPE_FRACTION_RANGE,
        1, G_MAXINT, G_MAXINT, 1, NULL);
  for (Keep keep = 0; keep < N_KEEPS; keep++) {
    GstCaps *candidate = gst_caps_copy (caps);
    GstStructure *s = gst_caps_get_structure (candidate, 0);
    Size out = fix_size (s, in, keep);
    gdouble loss = size_loss (in, &out);

    /* Removes the pixel aspect ratio from the caps structure if it is 1/1 and the
     * structure had none before. */
    if (!had_par && out.par_n == out.par_d)
      gst_structure_remove_field (s, "pixel-aspect-ratio");
    if (best == NULL || loss < least) {
      gst_caps_take (&best, candidate);
      least = loss;
    } else {
      gst_caps_unref (candidate);
    }
  }
  gst_caps_unref (caps);
  return best;
}

/* --- Choice of the colors --- */

/* Sets the field @field of the caps structure @s to @value, if the structure allows this value or
 * has no such field. */
static void
prefer_string (GstStructure * s, const gchar * field, const gchar * value)
{
  if (value == NULL)
    return;
  if (gst_structure_has_field (s, field))
    gst_structure_fixate_field_string (s, field, value);
  else
    gst_structure_set (s, field, G_TYPE_STRING, value, NULL);
}

/* Computes the colorimetry for output caps that preserves the colors of frames. @said: the value of
 * the field "colorimetry" of the input caps; @in: the input format; @out: the output format with
 * its default colorimetry. Returns: (transfer full): the colorimetry */
static gchar *
find_colorimetry (const gchar * said, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  GstVideoColorimetry colours = out->colorimetry;

  /* Keeps the colorimetry if both formats are RGB, or if neither is RGB (gray frames are the luma
   * of YUV frames). There is one exception: if gray is converted to YUV and the range of the gray
   * frames is not the default range of YUV, the default range is used, below. */
  if (GST_VIDEO_INFO_IS_RGB (in) == GST_VIDEO_INFO_IS_RGB (out)
      && (!GST_VIDEO_INFO_IS_GRAY (in) || !GST_VIDEO_INFO_IS_YUV (out)
          || in->colorimetry.range == colours.range))
    return g_strdup (said);
  /* Combines the default matrix and range for the new format and size with the primaries and
   * transfer function of the input frames. */
  colours.primaries = in->colorimetry.primaries;
  colours.transfer = in->colorimetry.transfer;
  return gst_video_colorimetry_to_string (&colours);
}

/* Copies the luminances of high dynamic range from the caps structure @from to the structure @s, if
 * the frames of both have the same transfer function. After tone mapping, the luminances would be
 * wrong. */
static void
keep_luminances (GstStructure * s, const GstStructure * from,
    const GstVideoInfo * in)
{
  static const gchar *const fields[] = {
    "mastering-display-info", "content-light-level"
  };
  const gchar *text = gst_structure_get_string (s, "colorimetry");
  GstVideoColorimetry out;

  if (text == NULL || !gst_video_colorimetry_from_string (&out, text)
      || out.transfer != in->colorimetry.transfer)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (!gst_structure_has_field (s, fields[i]))
      prefer_string (s, fields[i], gst_structure_get_string (from, fields[i]));
}

/* Copies colorimetry and chroma site from the caps structure @from to the structure @s, as far as
 * the video format @to of @s allows it. @in is the format that @from describes. Sets no field
 * that @from does not have. */
static void
keep_colours (GstStructure * s, GstVideoFormat to, const GstStructure * from,
    const GstVideoInfo * in)
{
  const gchar *said = gst_structure_get_string (from, "colorimetry");
  gint width, height;
  gchar *colorimetry;
  GstVideoInfo out;

  gst_structure_get (s, "width", G_TYPE_INT, &width, "height", G_TYPE_INT,
      &height, NULL);
  if (!gst_video_info_set_format (&out, to, width, height))
    return;
  if (said != NULL) {
    colorimetry = find_colorimetry (said, in, &out);
    prefer_string (s, "colorimetry", colorimetry);
    g_free (colorimetry);
  } else if (GST_VIDEO_INFO_IS_YUV (in) && !GST_VIDEO_INFO_IS_RGB (&out)) {
    /* The default colorimetry of YUV frames depends on the size. The default colorimetry of gray
     * frames, which are the luma of YUV frames, has another range. */
    gst_mgpu_caps_name_colorimetry (s, in);
  }
  if (GST_VIDEO_INFO_IS_YUV (in) && GST_VIDEO_INFO_IS_YUV (&out)
      && in->finfo->w_sub[1] == out.finfo->w_sub[1]
      && in->finfo->h_sub[1] == out.finfo->h_sub[1])
    prefer_string (s, "chroma-site", gst_structure_get_string (from,
            "chroma-site"));
}

GstCaps *
gst_mgpu_convert_caps_fixate (GstCaps * in_caps, GstCaps * others,
    gboolean transposed)
{
  Choice choice = { NULL };
  GstVideoInfo in;
  GstCaps *result;
  Size size;

  if (!gst_video_info_from_caps (&in, in_caps) || in.par_n < 1 || in.par_d < 1)
    return gst_caps_fixate (others);
  choice.from = in.finfo;
  for (guint i = 0; i < gst_caps_get_size (others); i++) {
    const GValue *format = gst_structure_get_value (gst_caps_get_structure
        (others, i), "format");

    if (format != NULL)
      choose_format (&choice, format, i);
  }
  result = gst_caps_copy_nth (others, choice.structure);
  gst_caps_unref (others);
  size = transposed ? make_size (in.height, in.width, in.par_d, in.par_n)
      : make_size (in.width, in.height, in.par_n, in.par_d);
  result = fixate_size (result, &size);
  if (choice.to != GST_VIDEO_FORMAT_UNKNOWN) {
    gst_caps_set_simple (result, "format", G_TYPE_STRING,
        gst_video_format_to_string (choice.to), NULL);
    keep_colours (gst_caps_get_structure (result, 0), choice.to,
        gst_caps_get_structure (in_caps, 0), &in);
    keep_luminances (gst_caps_get_structure (result, 0),
        gst_caps_get_structure (in_caps, 0), &in);
  }
  return gst_caps_fixate (result);
}
