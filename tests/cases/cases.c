/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the cases of an algorithm and parses the properties of their variants. */
#include "cases.h"

#define C(name) &cases_##name,
const TestCases *const test_cases[] = { TEST_CASES NULL };

const GstVideoFormat all_formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YV12,
  GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_UYVY,
  GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_xRGB,
  GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_xBGR,
  GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_ARGB,
  GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_ABGR,
  GST_VIDEO_FORMAT_UNKNOWN
};

void
test_get_range (const GstVideoInfo * info, guint component, gint * lo,
    gint * hi)
{
  gint offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  GstVideoColorRange range = info->colorimetry.range;
  GstVideoInfo usual;

  gst_video_info_set_format (&usual, GST_VIDEO_INFO_FORMAT (info), 8, 8);
  if (range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    range = usual.colorimetry.range;
  gst_video_color_range_offsets (range, info->finfo, offset, scale);
  *lo = offset[component];
  *hi = *lo + scale[component];
  if (component == GST_VIDEO_COMP_A || range == GST_VIDEO_COLOR_RANGE_0_255) {
    *lo = 0;
    *hi = (1 << GST_VIDEO_INFO_COMP_DEPTH (info, component)) - 1;
  } else if (GST_VIDEO_INFO_IS_YUV (info) && component > 0) {
    *lo -= scale[component] / 2;
    *hi -= scale[component] / 2;
  }
}

const TestCases *
test_cases_find (const gchar * name)
{
  for (guint i = 0; test_cases[i] != NULL; i++)
    if (g_str_equal (test_cases[i]->name, name))
      return test_cases[i];
  return NULL;
}

static const MgpuParam *
find_param (const MgpuAlgorithm * algorithm, const gchar * name)
{
  for (const MgpuParam * p = algorithm->params; p != NULL && p->name != NULL;
      p++)
    if (g_str_equal (p->name, name))
      return p;
  g_error ("no parameter %s", name);
}

static void
set_value (const MgpuParam * p, gpointer values, gdouble value)
{
  gpointer member = (guint8 *) values + p->offset;

  switch (p->type) {
    case MGPU_PARAM_DOUBLE:
      *(gdouble *) member = value;
      break;
    case MGPU_PARAM_INT:
    case MGPU_PARAM_BOOLEAN:
    case MGPU_PARAM_ENUM:
      *(gint *) member = (gint) value;
      break;
    case MGPU_PARAM_UINT:
      *(guint *) member = (guint) value;
      break;
    default:
      g_error ("%s is no number", p->name);
  }
}

static gdouble
read_value (const MgpuParam * p, const gchar * text)
{
  gchar *end;
  gdouble value;

  if (p->type == MGPU_PARAM_ENUM) {
    for (const MgpuEnumValue * v = p->values->values; v->nick != NULL; v++)
      if (g_str_equal (v->nick, text))
        return v->value;
    g_error ("%s has no value %s", p->name, text);
  }
  if (p->type == MGPU_PARAM_BOOLEAN)
    return g_str_equal (text, "true");
  value = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0')
    g_error ("%s=%s is no number", p->name, text);
  return value;
}

gpointer
test_params_new (const MgpuAlgorithm * algorithm, const gchar * text)
{
  gpointer values = g_malloc0 (MAX (algorithm->params_size, 1));
  gchar **words = g_strsplit (text, " ", -1);

  for (const MgpuParam * p = algorithm->params; p != NULL && p->name != NULL;
      p++)
    set_value (p, values, p->value);
  for (guint i = 0; words[i] != NULL; i++) {
    gchar *value = strchr (words[i], '=');
    const MgpuParam *p;

    if (value == NULL)
      g_error ("\"%s\" has a word without =", text);
    *value++ = '\0';
    p = find_param (algorithm, words[i]);
    set_value (p, values, read_value (p, value));
  }
  g_strfreev (words);
  return values;
}

gdouble
test_params_get (const TestParams * params, const gchar * name)
{
  const MgpuParam *p = find_param (params->algorithm, name);
  gconstpointer member = (const guint8 *) params->values + p->offset;

  switch (p->type) {
    case MGPU_PARAM_DOUBLE:
      return *(const gdouble *) member;
    case MGPU_PARAM_UINT:
      return *(const guint *) member;
    default:
      return *(const gint *) member;
  }
}
