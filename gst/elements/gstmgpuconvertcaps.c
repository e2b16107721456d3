/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses the caps of mgpuconvert. */
#include "gstmgpuconvertcaps.h"

#include <math.h>

GstCaps *
gst_mgpu_convert_caps_relax (GstCaps * caps, GstPadDirection direction)
{
  GstCaps *relaxed = gst_caps_new_empty (), *result;

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *s = gst_structure_copy (gst_caps_get_structure (caps, i));

    gst_structure_remove_fields (s, "format", "colorimetry", "chroma-site",
        NULL);
    gst_structure_set (s, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
        "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
    /* Leaves the pixel aspect ratio out of caps for upstream: an element that puts none
     * into its own caps would take the first of a range, 1/2147483647. */
    if (direction == GST_PAD_SRC)
      gst_structure_remove_field (s, "pixel-aspect-ratio");
    else if (gst_structure_has_field (s, "pixel-aspect-ratio"))
      gst_structure_set (s, "pixel-aspect-ratio", GST_TYPE_FRACTION_RANGE,
          1, G_MAXINT, G_MAXINT, 1, NULL);
    /* Merges the structure: without those fields it may equal an earlier one. */
    relaxed = gst_caps_merge_structure (relaxed, s);
  }
  result = gst_mgpu_caps_in_memory (relaxed, GST_CAPS_FEATURE_MEMORY_OPENCL);
  result = gst_caps_merge (result, gst_mgpu_caps_in_memory (relaxed, NULL));
  gst_caps_unref (relaxed);
  return result;
}

/* --- Format --- */

/* Returns: the description of the video format in a caps structure; the one of
 * GST_VIDEO_FORMAT_UNKNOWN where the structure has no format, or a list of formats */
static const GstVideoFormatInfo *
get_format (const GstStructure * s)
{
  const gchar *name = gst_structure_get_string (s, "format");

  return gst_video_format_get_info (name != NULL
      ? gst_video_format_from_string (name) : GST_VIDEO_FORMAT_UNKNOWN);
}

/* Returns: a penalty for converting one video format to another; 0 where they are equal.
 * Each kind of loss weighs more than all lesser ones together; samples that are only
 * added, such as alpha, weigh least. */
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
  /* Adds for padding bytes, or chroma that the old format does not have. */
  loss += to->pixel_stride[0] > from->pixel_stride[0]
      || to->n_components > from->n_components ? 1 : 0;
  return loss + 1;
}

typedef struct
{
  const GstVideoFormatInfo *from;
  const gchar *name;            /* best format so far */
  guint loss, structure;        /* its penalty, and the index of its caps structure */
} Choice;

static void
choose_format (Choice * choice, const GValue * value, guint structure)
{
  if (GST_VALUE_HOLDS_LIST (value)) {
    for (guint i = 0; i < gst_value_list_get_size (value); i++)
      choose_format (choice, gst_value_list_get_value (value, i), structure);
  } else if (G_VALUE_HOLDS_STRING (value)) {
    const gchar *name = g_value_get_string (value);
    guint loss = format_loss (choice->from,
        gst_video_format_get_info (gst_video_format_from_string (name)));

    if (choice->name == NULL || loss < choice->loss) {
      choice->name = name;
      choice->loss = loss;
      choice->structure = structure;
    }
  }
}

/* --- Size --- */

typedef struct
{
  gint width, height, par_n, par_d;
  gdouble ratio;                /* display aspect ratio: width to height */
} Size;

static gboolean
size_from_structure (Size * size, const GstStructure * s, gboolean transposed)
{
  gint swap;

  size->par_n = size->par_d = 1;
  gst_structure_get_fraction (s, "pixel-aspect-ratio", &size->par_n,
      &size->par_d);
  if (!gst_structure_get_int (s, "width", &size->width)
      || !gst_structure_get_int (s, "height", &size->height)
      || size->par_n < 1 || size->par_d < 1)
    return FALSE;
  if (transposed) {
    swap = size->width;
    size->width = size->height;
    size->height = swap;
    swap = size->par_n;
    size->par_n = size->par_d;
    size->par_d = swap;
  }
  size->ratio = (gdouble) size->width * size->par_n
      / ((gdouble) size->height * size->par_d);
  return TRUE;
}

/* Fixes a field of a caps structure to the allowed value that is nearest to wanted.
 * Returns: that value */
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

/* Fixes width, height and pixel aspect ratio in the caps structure @s: first the two that
 * @keep chooses, near to those of the size @in; then the third one, to keep the display
 * aspect ratio of @in. */
static void
fix_size (GstStructure * s, const Size * in, Keep keep)
{
  gint width, height, n, d;
  gdouble par;

  switch (keep) {
    case KEEP_HEIGHT:
      height = fix_int (s, "height", in->height);
      par = fix_par (s, in->par_n, in->par_d);
      fix_int (s, "width", in->ratio * height / par);
      break;
    case KEEP_WIDTH:
      width = fix_int (s, "width", in->width);
      par = fix_par (s, in->par_n, in->par_d);
      fix_int (s, "height", width * par / in->ratio);
      break;
    default:
      width = fix_int (s, "width", in->width);
      height = fix_int (s, "height", in->height);
      gst_util_double_to_fraction (in->ratio * height / width, &n, &d);
      fix_par (s, MAX (n, 1), MAX (d, 1));
      break;
  }
}

/* Returns: a penalty for changing a width or height; lost pixels weigh twice as much as
 * added ones */
static gdouble
length_loss (gint from, gint to)
{
  gdouble change = log ((gdouble) to / from);

  return change < 0 ? -2 * change : change;
}

/* Returns: a penalty for scaling frames from the size @in to the size in the caps structure
 * @s. A display aspect ratio that changes by more than rounding to whole pixels explains
 * weighs most, then another pixel aspect ratio, then another size. */
static gdouble
size_loss (const GstStructure * s, const Size * in)
{
  gdouble error;
  Size out;

  if (!size_from_structure (&out, s, FALSE))
    return INFINITY;
  error = fabs (log (out.ratio / in->ratio))
      - 0.6 / out.width - 0.6 / out.height;
  return 1000 * MAX (error, 0)
      + 10 * fabs (log ((gdouble) out.par_n * in->par_d
          / ((gdouble) out.par_d * in->par_n)))
      + length_loss (in->width, out.width)
      + length_loss (in->height, out.height);
}

static void
fixate_size (GstCaps * caps, const GstStructure * in, gboolean transposed)
{
  GstStructure *s = gst_caps_get_structure (caps, 0), *best = NULL;
  gboolean had_par = gst_structure_has_field (s, "pixel-aspect-ratio");
  const gchar *fields[] = { "width", "height", "pixel-aspect-ratio" };
  gdouble least = 0;
  Size size;

  if (!size_from_structure (&size, in, transposed))
    return;
  if (!had_par)
    gst_structure_set (s, "pixel-aspect-ratio", GST_TYPE_FRACTION_RANGE,
        1, G_MAXINT, G_MAXINT, 1, NULL);
  for (Keep keep = 0; keep < N_KEEPS; keep++) {
    GstStructure *candidate = gst_structure_copy (s);
    gdouble loss;

    fix_size (candidate, &size, keep);
    loss = size_loss (candidate, &size);
    if (best == NULL || loss < least) {
      g_clear_pointer (&best, gst_structure_free);
      best = g_steal_pointer (&candidate);
      least = loss;
    }
    g_clear_pointer (&candidate, gst_structure_free);
  }
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    gst_structure_set_value (s, fields[i],
        gst_structure_get_value (best, fields[i]));
  gst_structure_free (best);

  /* Removes a pixel aspect ratio of 1/1 where the caps had none before. */
  size_from_structure (&size, s, FALSE);
  if (!had_par && size.par_n == size.par_d)
    gst_structure_remove_field (s, "pixel-aspect-ratio");
}

/* --- Colours --- */

/* Sets a field of a caps structure to value, if the structure allows that value or lacks
 * the field. */
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

/* Returns: (transfer full) (nullable): the colorimetry that the caps structure @s, of the
 * format @to, has to name so that frames keep the colours that they have with the caps
 * structure @in, of the format @from; NULL where none has to be named */
static gchar *
find_colorimetry (const GstStructure * in, const GstVideoFormatInfo * from,
    const GstStructure * s, const GstVideoFormatInfo * to)
{
  const gchar *said = gst_structure_get_string (in, "colorimetry");
  GstVideoColorimetry old;
  GstVideoInfo before, after;
  gint size[4] = { 1, 1, 1, 1 };

  gst_structure_get (in, "width", G_TYPE_INT, &size[0], "height", G_TYPE_INT,
      &size[1], NULL);
  gst_structure_get (s, "width", G_TYPE_INT, &size[2], "height", G_TYPE_INT,
      &size[3], NULL);
  if (!gst_video_info_set_format (&before, GST_VIDEO_FORMAT_INFO_FORMAT (from),
          size[0], size[1])
      || !gst_video_info_set_format (&after, GST_VIDEO_FORMAT_INFO_FORMAT (to),
          size[2], size[3]))
    return NULL;

  if (said == NULL) {
    /* Names the old colorimetry where the default one changes with the size. */
    return GST_VIDEO_FORMAT_INFO_IS_YUV (from)
        && GST_VIDEO_FORMAT_INFO_IS_YUV (to)
        && before.colorimetry.matrix != after.colorimetry.matrix
        ? gst_video_colorimetry_to_string (&before.colorimetry) : NULL;
  }
  /* Keeps the colorimetry between YUV and grey, which is luma, or within RGB. */
  if (GST_VIDEO_FORMAT_INFO_IS_RGB (from) == GST_VIDEO_FORMAT_INFO_IS_RGB (to))
    return g_strdup (said);
  /* Takes the default matrix of the new format and size, and the old primaries. */
  if (!gst_video_colorimetry_from_string (&old, said))
    return NULL;
  after.colorimetry.primaries = old.primaries;
  after.colorimetry.transfer = old.transfer;
  return gst_video_colorimetry_to_string (&after.colorimetry);
}

/* Copies colorimetry and chroma site from the caps structure @in to @caps, as far as the
 * format of @caps allows it; leaves open what @in leaves open. */
static void
keep_colours (GstCaps * caps, const GstStructure * in)
{
  GstStructure *s = gst_caps_get_structure (caps, 0);
  const GstVideoFormatInfo *from = get_format (in), *to = get_format (s);
  gchar *colorimetry = find_colorimetry (in, from, s, to);

  prefer_string (s, "colorimetry", colorimetry);
  g_free (colorimetry);
  if (GST_VIDEO_FORMAT_INFO_IS_YUV (from) && GST_VIDEO_FORMAT_INFO_IS_YUV (to)
      && from->w_sub[1] == to->w_sub[1] && from->h_sub[1] == to->h_sub[1])
    prefer_string (s, "chroma-site", gst_structure_get_string (in,
            "chroma-site"));
}

GstCaps *
gst_mgpu_convert_caps_fixate (GstCaps * in, GstCaps * others,
    gboolean transposed)
{
  const GstStructure *from = gst_caps_get_structure (in, 0);
  Choice choice = { get_format (from), NULL, 0, 0 };
  GstCaps *result;

  for (guint i = 0; i < gst_caps_get_size (others); i++) {
    const GValue *format = gst_structure_get_value (gst_caps_get_structure
        (others, i), "format");

    if (format != NULL)
      choose_format (&choice, format, i);
  }
  result = gst_caps_copy_nth (others, choice.structure);
  if (choice.name != NULL)
    gst_caps_set_simple (result, "format", G_TYPE_STRING, choice.name, NULL);
  gst_caps_unref (others);
  fixate_size (result, from, transposed);
  if (choice.name != NULL)
    keep_colours (result, from);
  return gst_caps_fixate (result);
}
