/* Kernels of the GStreamer element mgpukernel
 *
 * SPDX-License-Identifier: 0BSD
 */
/* Describes what kernel files of mgpukernel can use. The element puts this file in front of each
 * kernel file, so kernel files need not include it; an #include "mgpu-kernel.h" for the sake of
 * editors does no harm.
 *
 * A kernel has one of three forms:
 *
 *   PIXEL (name) { ... }    is called for each pixel (x, y) of the frame and returns its
 *                           components as an int4. A chroma sample that several pixels share
 *                           becomes the rounded mean of the chroma of these pixels.
 *   SAMPLE (name) { ... }   is called for each sample (x, y) of each component except alpha, which
 *                           is copied, and returns the sample as an int. In a SAMPLE kernel, LOAD
 *                           returns an int; x, y, WIDTH and HEIGHT are in samples of the component;
 *                           and "component" is the number of the component: 0 for Y, gray or R,
 *                           1 for U or G, 2 for V or B.
 *   WORK (name) { ... }     is a plain OpenCL kernel, which may use get_global_id(), local memory
 *                           and barriers. It writes to OUT_DATA or calls OUT_STORE. Samples that it
 *                           does not write keep the values of the input frame.
 *
 * The components of an int4 are Y, U, V and alpha, or R, G, B and alpha, from 0 to MAX; results are
 * limited to this range. Alpha is MAX in formats without alpha. In gray formats, U and V are
 * (MAX + 1) / 2. Coordinates outside of the frame are clamped to its edges. */

/* ---- Samples ------------------------------------------------------------------
 *
 *   LOAD (x, y)        returns the pixel as an int4; in a SAMPLE kernel, the sample as an int
 *   LOADF (x, y)       returns the pixel as a float4, or the sample as a float: the nominal range is
 *                      converted to 0 ... 1 (for limited luma of 8 bits, 16 to 0 and 235 to 1)
 *   LOAD_RGB (x, y)    returns red, green, blue and alpha as an int4, from 0 to MAX in full range
 *   AT (u, v)          returns what LOAD does, interpolated bilinearly; u and v are in 1/256 pixel
 *
 * LOAD and the names like it read the frame that the previous pass wrote; the first pass reads the
 * input frame. With SOURCE_ before the name they always read the input frame, with SECOND_ the frame
 * of the pad "second", with PREVIOUS_ the previous input frame (requires //! previous), and with
 * FEEDBACK_ the result for the previous frame (requires //! feedback). If there is no such frame,
 * they read the input frame instead; HAS_SECOND, HAS_PREVIOUS and HAS_FEEDBACK tell whether there is
 * one. */
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

/* Converts colors, by the matrix and range in the caps, in integers:
 *   RGB (v), SECOND_RGB (v)   converts the int4 v of LOAD or SECOND_LOAD to what LOAD_RGB returns
 *   FROM_RGB (v)              converts such an RGB color to what a PIXEL kernel returns
 *   FROM_FLOAT (v)            rounds the float4 v of LOADF to what a PIXEL kernel returns
 * SECOND_MAX and OUT_MAX are the largest samples of the second frame and of the result. */
#define RGB(v) MGPU_F (MGPU_CLASS_in, to_rgb) (v)
#define SECOND_RGB(v) MGPU_F (MGPU_CLASS_second, to_rgb) (v)
#define FROM_RGB(v) mgpu_from_rgb (v)
#define FROM_FLOAT(v) MGPU_F (MGPU_CLASS_out, from_float) (v)

/* ---- The frame ----------------------------------------------------------------
 *
 *   MAX                largest sample: 255, 1023 or 65535
 *   FORMAT_NV12 ...    1 for the frame's format, 0 for the other formats; can be used in #if
 *   FORMAT_IS_YUV, FORMAT_IS_RGB, FORMAT_IS_GRAY, FORMAT_HAS_ALPHA   1 or 0
 *   WIDTH, HEIGHT      size of the frame in pixels
 *   FRAME              ulong, number of the frame; 0 after a start and after a flushing seek
 *   TIME, TIME_NS      time of the frame: float in seconds, ulong in ns
 *
 * Parameters (//! param), results and buffers are used by the names that the kernel file gives them:
 * parameters are numbers; results and buffers are pointers to global memory. RESULTS is the first
 * list of results. */
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
 * Functions that use the names of mgpu-kernel.h get the arguments of the kernel that calls them:
 *   int luma (KERNEL_PARAMS, int x, int y) { return LOAD (x, y).s0; }
 *   ... luma (KERNEL_ARGS, x + 1, y) ...
 * A function has the form (PIXEL, SAMPLE or WORK) of the next kernel after it in the file. */
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
 * In the names below, n is the number of a component: 0 to 2, or 3 for alpha. GROUP_X and GROUP_Y are
 * the size of a work-group.
 *   IN_DATA, OUT_DATA         global uchar *: all planes
 *   IN_OFFSET (n), IN_STRIDE (n), IN_STEP (n)   bytes to the first sample of component n, from row
 *                             to row, and from sample to sample
 *   IN_COMPONENT (n)          global uchar *: the first sample of component n
 *   IN_WIDTH (n), IN_HEIGHT (n)                 size of component n in samples
 *   IN_LOAD (n, x, y)         returns sample (x, y) of component n as an int
 *   OUT_STORE (n, x, y, v)    writes the int v, limited to OUT_MAX; ignores positions outside of the
 *                             frame
 * OUT_OFFSET (n) to OUT_HEIGHT (n) describe the output in the same way. An input sample is a word of
 * IN_BYTES bytes, whose value is shifted left by IN_SHIFT bits; an output sample has OUT_BYTES and
 * OUT_SHIFT. */
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
 * Kernels give the same bytes on every device if they use only + - * and fma() of floats, integers,
 * integer atomics, and the functions below. Results that depend on a division of floats, on sqrt(),
 * exp() or native_...(), on the order in which work-items reach an atomic operation, or on a race,
 * may differ. */
#pragma OPENCL FP_CONTRACT OFF

/* Returns 1 / x with a relative error of at most 2^-23, for x from 2^-100 to 2^100. */
static inline float
reciprocal (float x)
{
  float y = as_float (0x7ef311c7u - as_uint (x));

  y = fma (fma (-x, y, 1.0f), y, y);
  y = fma (fma (-x, y, 1.0f), y, y);
  return fma (fma (-x, y, 1.0f), y, y);
}

/* Returns the square root of x with a relative error of at most 2^-23, for x from 2^-100 to
 * 2^100, and 0 for 0. */
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

/* Returns 2^t with a relative error of at most 2.7e-6, for t from -126 to 0. */
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
