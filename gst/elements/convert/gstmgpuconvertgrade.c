/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds how mgpuconvert maps colors: the peak luminance of frames, and the lookup table. */
#include "gstmgpuconvertgrade.h"

#include <gst/frame/gstmgpudevicebase.h>
#include <gst/models/cube-load.h>
#include <gst/video/video-hdr.h>

/* Peak luminance, in nits, of frames whose caps contain no peak luminance */
#define DEFAULT_PEAK 1000

/* Unit of luminances in GstVideoMasteringDisplayInfo, in nits */
#define MASTERING_UNIT 0.0001

void
gst_mgpu_convert_grade_set_caps (GstMgpuConvertGrade * self, GstCaps * caps)
{
  GstVideoMasteringDisplayInfo display;
  GstVideoContentLightLevel level;

  if (gst_video_content_light_level_from_caps (&level, caps)
      && level.max_content_light_level > 0) {
    self->peak = level.max_content_light_level;
    self->peak_source = "content light level";
  } else if (gst_video_mastering_display_info_from_caps (&display, caps)
      && display.max_display_mastering_luminance > 0) {
    self->peak = display.max_display_mastering_luminance * MASTERING_UNIT;
    self->peak_source = "mastering display";
  } else {
    self->peak = DEFAULT_PEAK;
    self->peak_source = "assumed, because the caps contain no peak luminance";
  }
}

/* Logs the lookup table in use. */
static void
log_table (const GstMgpuConvertGrade * self, GstElement * element)
{
  const MgpuLut *lut = self->lut;

  if (lut == NULL)
    GST_MGPU_INFO_OBJECT (element, "using no lookup table");
  else
    GST_MGPU_INFO_OBJECT (element, "loaded the lookup table %s: %s of %d "
        "entries%s, domain from (%g, %g, %g) to (%g, %g, %g)", self->location,
        lut->size > 1 ? "cube" : "curves", lut->n_entries,
        lut->size > 1 ? " an axis" : "", lut->min[0], lut->min[1], lut->min[2],
        lut->max[0], lut->max[1], lut->max[2]);
}

gboolean
gst_mgpu_convert_grade_load (GstMgpuConvertGrade * self,
    GstElement * element, const gchar * location, guint n_set, GError ** error)
{
  MgpuLut *lut = NULL;
  GError *cause = NULL;

  if (self->n_set == n_set && g_strcmp0 (self->location, location) == 0)
    return TRUE;
  g_free (self->location);
  self->location = g_strdup (location);
  self->n_set = n_set;
  if (location != NULL) {
    lut = mgpu_cube_load (location, &cause);
    if (lut == NULL) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
          "%s: correct the file or \"lut-location\"", cause->message);
      g_error_free (cause);
      return FALSE;
    }
  }
  g_clear_pointer (&self->lut, mgpu_lut_unref);
  self->lut = lut;
  log_table (self, element);
  return TRUE;
}

void
gst_mgpu_convert_grade_follow (GstMgpuConvertGrade * self,
    GstElement * element, const gchar * location, guint n_set)
{
  GError *error = NULL;
  gchar *text;

  if (gst_mgpu_convert_grade_load (self, element, location, n_set, &error))
    return;
  text = gst_mgpu_error_make_text (element, error);
  GST_ELEMENT_WARNING (element, RESOURCE, READ, ("%s", text),
      ("The element still uses the previous lookup table."));
  g_free (text);
  g_error_free (error);
}

void
gst_mgpu_convert_grade_clear (GstMgpuConvertGrade * self)
{
  g_clear_pointer (&self->lut, mgpu_lut_unref);
  g_clear_pointer (&self->location, g_free);
  self->n_set = 0;
}
