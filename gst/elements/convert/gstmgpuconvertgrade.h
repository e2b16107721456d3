/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>
#include <gst/vision/grade/grade.h>

G_BEGIN_DECLS

/* Values of the property "tone-map" */
typedef enum
{
  GST_MGPU_TONE_MAP_NONE,
  GST_MGPU_TONE_MAP_BT2390
} GstMgpuToneMap;

/* Describes how mgpuconvert maps colors. Only the streaming thread, start() and stop() use it. All
 * bytes are 0 at first. @location (nullable), @n_set: file that was last read as a lookup table,
 * even without success, and the number of times that "lut-location" had been set at that time. */
typedef struct
{
  gdouble peak;                 /* luminance of the brightest pixels of PQ frames, in nits */
  const gchar *peak_source;     /* origin of @peak, for log messages */
  MgpuLut *lut;                 /* lookup table in use, or NULL */
  gchar *location;
  guint n_set;
} GstMgpuConvertGrade;

/* Finds the peak luminance in the caps of input frames. */
void gst_mgpu_convert_grade_set_caps (GstMgpuConvertGrade * self, GstCaps * caps);

/* Reads the lookup table of the file @location (nullable), unless this was done before. Returns:
 * FALSE with the error set; the last table then remains in use */
gboolean gst_mgpu_convert_grade_load (GstMgpuConvertGrade * self, GstElement * element, const gchar * location,
    guint n_set, GError ** error);

/* Reads the lookup table as gst_mgpu_convert_grade_load() does, between two frames. After an error,
 * posts it as a warning of @element. */
void gst_mgpu_convert_grade_follow (GstMgpuConvertGrade * self, GstElement * element, const gchar * location,
    guint n_set);

void gst_mgpu_convert_grade_clear (GstMgpuConvertGrade * self);

G_END_DECLS
