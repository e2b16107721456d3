/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares conversions that several files of the check of mgpu_convert use. */
#pragma once

#include <gst/vision/convert/convert.h>

#include "kernelcheck.h"

/* All formats, and GST_VIDEO_FORMAT_UNKNOWN */
extern const GstVideoFormat kc_convert_formats[];

/* Describes a conversion, for inputs of several formats and sizes. */
typedef struct
{
  MgpuConvertParams params;
  GstVideoFormat from;          /* format of the input, whose size is LARGE; UNKNOWN: any format */
  GstVideoFormat format;        /* format of the output; UNKNOWN: determined by @rotation */
  guint rotation;               /* distance of the output's format from the input's in the list of
                                 * formats */
  gint width, height;           /* size of the output; 0: the input's size; negative: twice the
                                 * input's size divided by this number */
  gboolean crop, borders;       /* whether the source or the destination rectangle lies away from
                                 * the edges */
  const gchar *in_colorimetry, *out_colorimetry;
  GstVideoChromaSite in_site, out_site;
} Conversion;

/* Sets @in and @out to the formats and sizes of the Conversion @params. The input keeps the format
 * and size of @in if @params specify none. Returns: FALSE if the conversion is for another input
 * format */
gboolean kc_convert_prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out);

/* Converts @in to @out by the reference. */
void kc_convert_reference (gconstpointer params, const KcPicture * in, KcPicture * out);

/* Compares the reference with GStreamer and OpenCV. */
void kc_convert_check_peers (KcRun * run);
