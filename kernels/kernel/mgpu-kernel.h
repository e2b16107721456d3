/* Kernels of the GStreamer element mgpukernel
 *
 * SPDX-License-Identifier: 0BSD
 */
/* What kernel files of mgpukernel can use. The element puts this file in front of each of them, so
 * they need not include it; an #include "mgpu-kernel.h" for editors does no harm.
 *
 * A kernel has one of three forms:
 *
 *   PIXEL (name) { ... }    is called for each pixel (x, y) of the frame and returns its
 *                           components as an int4. Chroma that several pixels share is the
 *                           rounded mean of what their calls return.
 *   SAMPLE (name) { ... }   is called for each sample (x, y) of each component but alpha, which is
 *                           copied, and returns it as an int. There, LOAD returns an int, x, y,
 *                           WIDTH and HEIGHT are those of the component, and "component" is its
 *                           number: 0 is Y, gray or R, 1 is U or G, 2 is V or B.
 *   WORK (name) { ... }     is a bare kernel: get_global_id(), local memory and barriers are its
 *                           own. It writes OUT_DATA or calls OUT_STORE; otherwise the frame stays
 *                           as it is. Samples that it does not write are those of the frame.
 *
 * Components of an int4: Y, U, V, alpha or R, G, B, alpha, from 0 to MAX; results are limited to
 * this range. Alpha is MAX in formats without alpha; U and V are (MAX + 1) / 2 in gray ones.
 * Coordinates outside of the frame are clamped to its edges. */

/* ---- Samples ------------------------------------------------------------------
 *
 *   LOAD (x, y)        the pixel as int4; in SAMPLE the sample as int
 *   LOADF (x, y)       the same as float4 or float, 0 to 1 of the nominal range (limited luma of 8
 *                      bits: 16 is 0 and 235 is 1)
 *   LOAD_RGB (x, y)    red, green, blue, alpha as int4, 0 to MAX in full range
 *   AT (u, v)          LOAD between pixels, bilinear: u and v in 1/256 pixel
 *
 * of the frame that the pass before made, or of the frame that arrived for the first one. With
 * SOURCE_ before these names it is always the frame that arrived; with SECOND_ the frame of
 * the pad "second", with PREVIOUS_ the frame before (needs //! previous), and with FEEDBACK_ the
 * result for the frame before (needs //! feedback). Where there is no such frame, it is the frame
 * that arrived; HAS_SECOND, HAS_PREVIOUS and HAS_FEEDBACK tell. */
#define LOAD(x, y) MGPU_FORM (in, load, x, y)
#define LOADF(x, y) MGPU_FORM (in, loadf, x, y)
#define LOAD_RGB(x, y) MGPU_FORM (in, load_rgb, x, y)
#define AT(u, v) MGPU_FORM (in, at, u, v)
#define SOURCE_LOAD(x, y) MGPU_FORM (source, load, x, y)
#define SOURCE_LOADF(x, y) MGPU_FORM (source, loadf, x, y)
#define SOURCE_LOAD_RGB(x, y) MGPU_FORM (source, load_rgb, x, y)
#define SOURCE_AT(u, v) MGPU_FORM (source, at, u, v)
#define SECOND_LOAD(x, y) MGPU_FORM (second, load, x, y)
#define SECOND_LOADF(x, y) MGPU_FORM (second, loadf, x, y)
#define SECOND_LOAD_RGB(x, y) MGPU_FORM (second, load_rgb, x, y)
#define SECOND_AT(u, v) MGPU_FORM (second, at, u, v)
#define PREVIOUS_LOAD(x, y) MGPU_FORM (previous, load, x, y)
#define PREVIOUS_LOADF(x, y) MGPU_FORM (previous, loadf, x, y)
#define PREVIOUS_LOAD_RGB(x, y) MGPU_FORM (previous, load_rgb, x, y)
#define PREVIOUS_AT(u, v) MGPU_FORM (previous, at, u, v)
#define FEEDBACK_LOAD(x, y) MGPU_FORM (feedback, load, x, y)
#define FEEDBACK_LOADF(x, y) MGPU_FORM (feedback, loadf, x, y)
#define FEEDBACK_LOAD_RGB(x, y) MGPU_FORM (feedback, load_rgb, x, y)
#define FEEDBACK_AT(u, v) MGPU_FORM (feedback, at, u, v)
#define HAS_SECOND ((mgpu_has & 1) != 0)
#define HAS_PREVIOUS ((mgpu_has & 2) != 0)
#define HAS_FEEDBACK ((mgpu_has & 4) != 0)

/* Colors by the matrix and range of the caps, in integers:
 *   RGB (v), SECOND_RGB (v)   the int4 v of LOAD or SECOND_LOAD as LOAD_RGB gives it
 *   FROM_RGB (v)              the other way round: what a PIXEL kernel returns
 *   FROM_FLOAT (v)            the float4 v of LOADF, rounded, as a PIXEL kernel returns it
 * SECOND_MAX and OUT_MAX are the largest samples of the second frame and of the result. */
#define RGB(v) MGPU_F (MGPU_CLASS_in, to_rgb) (v)
#define SECOND_RGB(v) MGPU_F (MGPU_CLASS_second, to_rgb) (v)
#define FROM_RGB(v) mgpu_from_rgb (v)
#define FROM_FLOAT(v) MGPU_F (MGPU_CLASS_out, from_float) (v)

/* ---- The frame ----------------------------------------------------------------
 *
 *   MAX                largest sample: 255, 1023 or 65535
 *   FORMAT_NV12 ...    1 for the frame's format, 0 for the others: also for #if
 *   FORMAT_IS_YUV, FORMAT_IS_RGB, FORMAT_IS_GRAY, FORMAT_HAS_ALPHA   1 or 0
 *   WIDTH, HEIGHT      size of the frame in pixels
 *   FRAME              ulong, number of the frame, from 0 at a start and a flushing seek
 *   TIME, TIME_NS      time of the frame: float in seconds, ulong in ns
 *
 * Parameters (//! param), results and buffers have their own names: numbers, and pointers to
 * global memory. RESULTS is the first list of results. */
#define OUT_MAX MGPU_MAX_out
#define SECOND_MAX MGPU_MAX_second
#define WIDTH mgpu_width
#define HEIGHT mgpu_height
#define FRAME mgpu_frame
#define TIME mgpu_time
#define TIME_NS mgpu_time_ns

/* Boxes (//! boxes NAME), which the element attaches to the frame as regions of interest:
 *   BOX (NAME, x, y, width, height, score)   adds one, in pixels of the frame; score is a float.
 *                                            Nothing is added outside of the frame.
 * Work-items may call it in any order, because the element sorts boxes by score and position. */
#define BOX(list, x, y, width, height, score) \
    mgpu_box (MGPU_BOXES_##list, mgpu_full_width, mgpu_full_height, x, y, width, \
    height, score)

/* ---- Kernels and functions ------------------------------------------------------
 *
 * A function that uses these names gets them from the kernel that calls it:
 *   int luma (KERNEL_PARAMS, int x, int y) { return LOAD (x, y).s0; }
 *   ... luma (KERNEL_ARGS, x + 1, y) ...
 * Functions behind a kernel are of the form of the next one. */
#define PIXEL(name) \
    static inline int4 mgpu_pixel_##name (KERNEL_PARAMS, int x, int y)
#define SAMPLE(name) \
    static inline int mgpu_sample_##name (KERNEL_PARAMS, int x, int y)
#define WORK(name) \
    kernel __attribute__ ((reqd_work_group_size (GROUP_X, GROUP_Y, 1))) \
    void mgpu_kernel_##name (KERNEL_PARAMS)
#define KERNEL_PARAMS MGPU_JOIN (MGPU_FORM, _PARAMS)
#define KERNEL_ARGS MGPU_JOIN (MGPU_FORM, _ARGS)

/* ---- WORK kernels ---------------------------------------------------------------
 *
 * n is the number of a component: 0 to 2, or 3 for alpha. GROUP_X and GROUP_Y are the size of a
 * work-group.
 *   IN_DATA, OUT_DATA         global uchar *: all planes
 *   IN_OFFSET (n), IN_STRIDE (n), IN_STEP (n)   bytes to its first sample, from row to row, and
 *                             from sample to sample
 *   IN_COMPONENT (n)          global uchar *: its first sample
 *   IN_WIDTH (n), IN_HEIGHT (n)                 its size in samples
 *   IN_LOAD (n, x, y)         its sample as int
 *   OUT_STORE (n, x, y, v)    writes the int v, limited to OUT_MAX; nothing outside of the frame
 * and OUT_OFFSET (n) ... OUT_HEIGHT (n) in the same way. A sample is a word of IN_BYTES bytes,
 * shifted left by IN_SHIFT bits; for results, by OUT_BYTES and OUT_SHIFT. */
#define IN_BYTES MGPU_K (MGPU_CLASS_in, BYTES)
#define IN_SHIFT MGPU_K (MGPU_CLASS_in, SHIFT)
#define IN_DATA mgpu_in_data
#define IN_OFFSET(n) MGPU_OFFSET (in, n)
#define IN_STRIDE(n) MGPU_STRIDE (in, n)
#define IN_STEP(n) MGPU_STEP (MGPU_CLASS_in, n)
#define IN_COMPONENT(n) (IN_DATA + IN_OFFSET (n))
#define IN_WIDTH(n) MGPU_WIDTH (MGPU_CLASS_in, n)
#define IN_HEIGHT(n) MGPU_HEIGHT (MGPU_CLASS_in, n)
#define IN_LOAD(n, x, y) MGPU_F (MGPU_CLASS_in, load_sample) (IN_DATA, \
    IN_OFFSET (n), IN_STRIDE (n), IN_STEP (n), IN_WIDTH (n), IN_HEIGHT (n), n, \
    x, y)
#define OUT_BYTES MGPU_K (MGPU_CLASS_out, BYTES)
#define OUT_SHIFT MGPU_K (MGPU_CLASS_out, SHIFT)
#define OUT_DATA mgpu_out_data
#define OUT_OFFSET(n) MGPU_OFFSET (out, n)
#define OUT_STRIDE(n) MGPU_STRIDE (out, n)
#define OUT_STEP(n) MGPU_STEP (MGPU_CLASS_out, n)
#define OUT_COMPONENT(n) (OUT_DATA + OUT_OFFSET (n))
#define OUT_WIDTH(n) MGPU_WIDTH (MGPU_CLASS_out, n)
#define OUT_HEIGHT(n) MGPU_HEIGHT (MGPU_CLASS_out, n)
#define OUT_STORE(n, x, y, v) MGPU_F (MGPU_CLASS_out, store_sample) (OUT_DATA, \
    OUT_OFFSET (n), OUT_STRIDE (n), OUT_STEP (n), OUT_WIDTH (n), \
    OUT_HEIGHT (n), x, y, v)

/* ---- Arithmetic -----------------------------------------------------------------
 *
 * Kernels that keep to + - * fma() of floats, to integers and integer atomics, and to the functions
 * below give the same bytes on every device. Division of floats, sqrt(), exp(), native_...,
 * the order in which work-items reach an atomic, and races do not. */
#pragma OPENCL FP_CONTRACT OFF

/* Returns 1 / x, within 2^-23, for x from 2^-100 to 2^100. */
static inline float
reciprocal (float x)
{
  float y = as_float (0x7ef311c7u - as_uint (x));

  y = fma (fma (-x, y, 1.0f), y, y);
  y = fma (fma (-x, y, 1.0f), y, y);
  return fma (fma (-x, y, 1.0f), y, y);
}

/* Returns the square root of x, within 2^-23, for x from 2^-100 to 2^100, and 0 for 0. */
static inline float
root (float x)
{
  float y = as_float (0x5f3759dfu - (as_uint (x) >> 1)), h = 0.5f * x, r;

  y = y * fma (-(h * y), y, 1.5f);
  y = y * fma (-(h * y), y, 1.5f);
  y = y * fma (-(h * y), y, 1.5f);
  r = x * y;
  return fma (fma (-r, r, x), 0.5f * y, r);
}

/* Returns 2^t, within 2.7e-6 of the result, for t from -126 to 0. */
static inline float
exp2_ (float t)
{
  uint line = as_uint (t + 488.5f) << 8;
  float m = as_float ((line & 0x007fffffu) ^ 0x3fc00000u);
  float curve = fma (113532.828f, m, -17827.5703f);

  curve = fma (curve, m, 1397654.38f);
  curve = fma (curve, m, -5771228.0f);
  curve = fma (curve, m, 16860802.0f);
  return as_float (line + as_uint (curve));
}
