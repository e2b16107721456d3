/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/convert/convert.h>

#include "lut.h"

G_BEGIN_DECLS

/* Source transfer functions of tone mapping */
typedef enum
{
  MGPU_TONE_NONE,               /* no tone mapping */
  MGPU_TONE_PQ,
  MGPU_TONE_HLG
} MgpuToneSource;

/* Tone mapping of high to standard dynamic range.
 * @peak: luminance of the brightest pixels of a PQ stream, in nits.
 * @is_srgb: whether the result has the transfer function of sRGB, otherwise that of BT.1886.
 * @changes_primaries: whether BT.2020 primaries become those of BT.709. */
typedef struct
{
  MgpuToneSource source;
  gdouble peak;
  gboolean is_srgb, changes_primaries;
} MgpuTone;

/* Parameters of mgpu_grade. @lut: (nullable): lookup table, applied after tone mapping; the caller owns
 * it. */
typedef struct
{
  MgpuTone tone;
  MgpuLut *lut;
} MgpuGradeParams;

/* Parameters of mgpu_graded */
typedef struct
{
  MgpuConvertParams convert;
  MgpuGradeParams grade;
} MgpuGradedParams;

/* Sets @tone to the tone mapping of frames @in that become frames @out: MGPU_TONE_NONE unless the
 * transfer function of @in is PQ or HLG, and @out has a transfer function of standard dynamic
 * range. @peak: see MgpuTone. */
void mgpu_tone_init (MgpuTone * tone, const GstVideoInfo * in, const GstVideoInfo * out, gdouble peak);

/* Returns: (transfer full): the table that the kernel reads for @tone: see
 * kernels/grade/grade-shared.h */
GArray *mgpu_tone_make_table (const MgpuTone * tone);

/* Maps the colors of a frame, by tone mapping and by a lookup table. Both images have the same format and
 * size: GBR_12LE, or RGBA, whose alpha is copied. Parameters may change from frame to frame. */
extern const MgpuAlgorithm mgpu_grade;

/* Converts a frame as mgpu_convert does, and maps the colors of the converted frame with mgpu_grade
 * before its samples are converted to the output format. x and y of the destination are whole
 * chroma samples of the output. */
extern const MgpuAlgorithm mgpu_graded;

G_END_DECLS
