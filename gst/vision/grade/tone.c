/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes the tables of tone mapping. All functions are computed by additions, multiplications and
 * divisions here, so that every C library gives the same tables. */
#include "grade.h"

#include <math.h>

#include <gst/vision/base/words.h>
#include <kernels/grade/grade-shared.h>

/* Luminance of the highest PQ code, and of white of the result (BT.2408), in nits */
#define PQ_PEAK 10000.0
#define WHITE 203.0

/* Nominal peak luminance of HLG, in nits, and the exponent of its system gamma less 1 */
#define HLG_PEAK 1000.0
#define HLG_SYSTEM 0.2

#define TWO_26 67108864.0
#define TWO_28 268435456.0
#define TWO_30 1073741824.0
#define TWO_32 4294967296.0

/* Returns: the natural logarithm of @x > 0 */
static gdouble
logarithm (gdouble x)
{
  gdouble sum = 0, z, power;
  gint exponent;

  x = frexp (x, &exponent);
  if (x < G_SQRT2 / 2) {
    x *= 2;
    exponent--;
  }
  z = (x - 1) / (x + 1);
  power = z;
  for (gint i = 1; i < 30; i += 2) {
    sum += power / i;
    power *= z * z;
  }
  return exponent * G_LN2 + 2 * sum;
}

static gdouble
exponential (gdouble x)
{
  gdouble n = floor (x / G_LN2 + 0.5), rest = x - n * G_LN2;
  gdouble sum = 1, term = 1;

  for (gint i = 1; i < 20; i++) {
    term *= rest / i;
    sum += term;
  }
  return ldexp (sum, (gint) n);
}

static gdouble
power (gdouble x, gdouble y)
{
  return x > 0 ? exponential (y * logarithm (x)) : 0;
}

/* ---- Transfer functions ------------------------------------------------------------- */

/* Constants of SMPTE ST 2084 */
#define M1 (2610.0 / 16384)
#define M2 (2523.0 / 32)
#define C1 (3424.0 / 4096)
#define C2 (2413.0 / 128)
#define C3 (2392.0 / 128)

/* Returns: the luminance of the PQ signal @v, in nits */
static gdouble
decode_pq (gdouble v)
{
  gdouble x = power (v, 1 / M2);

  return PQ_PEAK * power (MAX (x - C1, 0) / (C2 - C3 * x), 1 / M1);
}

/* Returns: the PQ signal of the luminance @nits */
static gdouble
encode_pq (gdouble nits)
{
  gdouble x = power (nits / PQ_PEAK, M1);

  return power ((C1 + C2 * x) / (1 + C3 * x), M2);
}

/* Returns: the light of the scene, from 0 to 1, of the HLG signal @v (ARIB STD-B67) */
static gdouble
decode_hlg (gdouble v)
{
  const gdouble a = 0.17883277, b = 0.28466892, c = 0.55991073;

  return v <= 0.5 ? v * v / 3 : (exponential ((v - c) / a) + b) / 12;
}

/* Returns: the signal of the light @v, from 0 to 1, of a display of standard dynamic range */
static gdouble
encode_sdr (const MgpuTone * tone, gdouble v)
{
  if (!tone->is_srgb)
    return power (v, 1 / 2.4);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * power (v, 1 / 2.4) - 0.055;
}

/* ---- The curve of BT.2390 ----------------------------------------------------------- */

/* Returns: the luminance to which BT.2390 maps @nits, for a source with the peak luminance @peak and a
 * display with the peak WHITE; black is 0 in both */
static gdouble
map_luminance (gdouble nits, gdouble peak)
{
  gdouble top = encode_pq (peak), v = MIN (encode_pq (nits) / top, 1);
  gdouble most = encode_pq (WHITE) / top, knee = 1.5 * most - 0.5;
  gdouble t;

  if (peak <= WHITE || v < knee)
    return MIN (nits, WHITE);
  t = (v - knee) / (1 - knee);
  v = (2 * t * t * t - 3 * t * t + 1) * knee
      + (t * t * t - 2 * t * t + t) * (1 - knee)
      + (-2 * t * t * t + 3 * t * t) * most;
  return decode_pq (v * top);
}

/* ---- Tables ----------------------------------------------------------------------------- */

static void
add (GArray * words, gdouble v)
{
  mgpu_words_add (words, (gint) (guint) CLAMP (floor (v + 0.5), 0, TWO_32 - 1));
}

/* Computes the argument of entry @i of a curve: see GRADE_CURVE. */
static gdouble
get_argument (gint i)
{
  return ldexp (64 + i % 64, i / 64 - 6);
}

/* Adds the matrix that converts the primaries, with 30 fraction bits, and the luminance of BT.2020. Rows of
 * the matrix from BT.2020 to BT.709 add up to 2^30: gray stays gray. */
static void
add_matrix (GArray * words, gboolean changes_primaries)
{
  static const gdouble to_709[9] = {
    1.660491, -0.587641, -0.072850,
    -0.124550, 1.132900, -0.008350,
    -0.018151, -0.100579, 1.118730
  };
  static const gdouble luminance[3] = { 0.2627, 0.6780, 0.0593 };

  for (gint i = 0; i < 9; i++)
    mgpu_words_add (words, (gint) floor ((changes_primaries ? to_709[i]
                : i % 4 == 0) * TWO_30 + 0.5));
  for (gint i = 0; i < 3; i++)
    add (words, luminance[i] * TWO_32);
}

GArray *
mgpu_tone_make_table (const MgpuTone * tone)
{
  gboolean is_hlg = tone->source == MGPU_TONE_HLG;
  gdouble peak = is_hlg ? HLG_PEAK : CLAMP (tone->peak, WHITE, PQ_PEAK);
  GArray *words = mgpu_words_new ();

  add_matrix (words, tone->changes_primaries);
  for (gint i = 0; i < GRADE_CODES; i++) {
    gdouble v = (gdouble) i / (GRADE_CODES - 1);

    add (words, (is_hlg ? decode_hlg (v) : decode_pq (v) / PQ_PEAK) * TWO_32);
  }
  for (gint i = 0; i < GRADE_CURVE; i++)
    add (words, HLG_PEAK / PQ_PEAK * power (get_argument (i) / TWO_32,
            HLG_SYSTEM) * TWO_32);
  for (gint i = 0; i < GRADE_CURVE; i++) {
    gdouble nits = get_argument (i) / TWO_32 * PQ_PEAK;

    add (words, map_luminance (nits, peak) / nits * PQ_PEAK / WHITE * TWO_26);
  }
  for (gint i = 0; i < GRADE_CURVE; i++)
    add (words, encode_sdr (tone, MIN (get_argument (i) / TWO_28, 1))
        * (GRADE_CODES - 1) * 65536);
  return words;
}

/* Returns: the source of tone mapping with the transfer function @transfer */
static MgpuToneSource
get_source (GstVideoTransferFunction transfer)
{
  return transfer == GST_VIDEO_TRANSFER_SMPTE2084 ? MGPU_TONE_PQ
      : transfer == GST_VIDEO_TRANSFER_ARIB_STD_B67 ? MGPU_TONE_HLG
      : MGPU_TONE_NONE;
}

void
mgpu_tone_init (MgpuTone * tone, const GstVideoInfo * in,
    const GstVideoInfo * out, gdouble peak)
{
  const GstVideoColorimetry *from = &in->colorimetry, *to = &out->colorimetry;

  *tone = (MgpuTone) {
  get_source (from->transfer), peak,
        to->transfer == GST_VIDEO_TRANSFER_SRGB,
        from->primaries == GST_VIDEO_COLOR_PRIMARIES_BT2020
        && to->primaries != GST_VIDEO_COLOR_PRIMARIES_BT2020};
  if (to->transfer == GST_VIDEO_TRANSFER_UNKNOWN
      || get_source (to->transfer) != MGPU_TONE_NONE)
    tone->source = MGPU_TONE_NONE;
}
