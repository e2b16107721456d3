/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares the kernels of algorithms with their scalar references, byte for byte.
 *
 * An algorithm that makes one frame from one frame of the same caps has a file in tests/cases. It
 * requires a file in this folder only if more than these cases is checked or timed. An algorithm
 * that makes another frame from a frame describes itself in a KcFilter and calls kc_check_filter()
 * and kc_bench_filter(). An algorithm with other outputs (keypoints, tables, several frames)
 * contains the loop itself:
 *
 *   for each case:
 *     kc_case_begin (run, KC_FIXED, "size=%dx%d sigma=%g", ...);
 *     picture = kc_picture_new (...); kc_picture_fill (...);
 *     frame = kc_frame_new (run, picture); memory = kc_memory_new (run, ...);
 *     enqueue; kc_memory_read (run, memory, got);
 *     kc_compare_array (run, &want, &got);
 *     kc_case_end (run);
 */
#pragma once

#include <gst/mgpu/mgpu.h>

#include "../cases/cases.h"

G_BEGIN_DECLS

/* State of a pseudo-random sequence, which is the same on every machine for the same seed */
typedef struct
{
  guint64 state;
} KcRandom;

void kc_random_init (KcRandom * random, guint64 seed);
guint32 kc_random (KcRandom * random);

/* Returns: a random number from 0 to @n - 1 */
guint32 kc_random_below (KcRandom * random, guint32 n);

/* Check of one function on one device with the tuning parameters of one device class */
typedef struct _KcRun KcRun;
typedef struct _KcRunPrivate KcRunPrivate;
struct _KcRun
{
  GstMgpuContext *context;
  GstMgpuQueue *queue;
  GstMgpuStats *stats;
  guint64 seed;                 /* seed of the random cases, printed with every report */
  gboolean quick;               /* whether only few and small cases run, because emulators are
                                 * slow */
  gboolean peers;               /* whether the peers (other libraries) are also timed and
                                 * compared */
  gboolean processor_time;      /* whether processor time, summed over all processors, is measured
                                 * instead of wall-clock time */
  gboolean kernels;             /* whether the time of each kernel is also listed */
  gboolean tunes;               /* whether this project's kernels are timed for --tune, and
                                 * everything else is left out */
  const gchar *only;            /* only benchmarks with this text in their names run; NULL: all */

  /*< private >*/
  KcRunPrivate *priv;
};

/* Opens a device. @device_class: the GstMgpuDeviceClass whose tuning parameters are used; -1:
 * the device's own class. Returns NULL after an error. */
KcRun *kc_run_new (const gchar * device, gint device_class, GError ** error);
void kc_run_free (KcRun * run);

/* Returns: the number of cases that failed since the run began */
guint kc_run_get_failed (const KcRun * run);

/* Returns: whether the device is Oclgrind, an emulator that finds races and invalid accesses. It
 * takes a thousand times as long as the other devices, on which values are compared. */
gboolean kc_is_oclgrind (const KcRun * run);

/* ---- Cases -------------------------------------------------------------- */

/* Kinds of cases: KC_FIXED cases are the same in every run and make up the digest, which has to be
 * equal on all devices; KC_RANDOM cases depend on the seed. */
typedef enum
{
  KC_FIXED,
  KC_RANDOM
} KcKind;

/* Begins a case. The text contains everything that is needed to reproduce a failure: format, size,
 * strides, parameters, content. */
void kc_case_begin (KcRun * run, KcKind kind, const gchar * format, ...) G_GNUC_PRINTF (3, 4);
void kc_case_end (KcRun * run);

/* Reports a failure of the current case in words. */
void kc_case_fail (KcRun * run, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* Reports a failure of the current case with the message of @error, which is freed. */
void kc_case_fail_error (KcRun * run, GError * error);

/* Returns FALSE once so many cases have failed that further failures would not add information. */
gboolean kc_goes_on (KcRun * run);

/* Calls @check @n times, with random numbers that depend on @seed, unless kc_goes_on() returns
 * FALSE. */
void kc_check_random (KcRun * run, guint64 seed, guint n, void (*check) (KcRun * run, KcRandom * random));

/* ---- Jobs --------------------------------------------------------------- */

/* Ends the job. Returns FALSE after an error, which is reported as a failure of the current
 * case. */
gboolean kc_end_job (KcRun * run, GstMgpuJob * job);

/* Returns: the time in ns for which the device has worked on the jobs of @run */
guint64 kc_device_time (KcRun * run);

/* Returns: the time in ms for which the device has worked since kc_device_time() returned
 * @before */
gdouble kc_device_time_since (KcRun * run, guint64 before);

/* Waits until the device has written @memory; an error is reported. Returns: the time as
 * kc_device_time_since() does */
gdouble kc_wait (KcRun * run, GstMgpuMemory * memory, guint64 before);

/* Ends the job, and waits as kc_wait() does for @last, the memory that the job writes last. */
gdouble kc_finish (KcRun * run, GstMgpuJob * job, GstMgpuMemory * last, guint64 before);

/* Makes an object of an algorithm that does not depend on the format of frames. Returns NULL after
 * an error, which is reported as a failure of a case. */
MgpuObject *kc_object_new (KcRun * run, const MgpuAlgorithm * algorithm);

/* ---- Pictures: frames in host memory ------------------------------------ */

typedef enum
{
  KC_CONTENT_RANDOM,
  KC_CONTENT_FLAT,
  KC_CONTENT_NEAR_BLACK,
  KC_CONTENT_NEAR_WHITE,
  KC_CONTENT_NOISY_GRADIENT,
  KC_N_CONTENTS,
  KC_CONTENT_NATURAL = KC_N_CONTENTS,   /* a photograph if one is installed, otherwise a noisy
                                         * gradient; not for KC_FIXED cases */
  KC_CONTENT_EXCESS,            /* random words; in 10-bit samples in 16 bits, most are above the
                                 * largest value of a sample */
  KC_CONTENT_OWN                /* number of the first content that an algorithm's own check draws
                                 * itself */
} KcContent;

typedef enum
{
  KC_LAYOUT_DEFAULT,            /* strides of gst_video_info_set_format() */
  KC_LAYOUT_TIGHT,              /* layout without bytes between rows, so that strides may be odd */
  KC_LAYOUT_PADDED,             /* layout with random strides, offsets and gaps */
  KC_N_LAYOUTS
} KcLayout;

/* A frame in host memory. Every byte that does not belong to a pixel (before, between and after
 * the planes, and between the rows) is poison: its value depends on its position, and must not
 * change. */
typedef struct
{
  GstVideoInfo info;            /* format and size, with the strides and offsets of @data */
  guint8 *data;
  gsize size;
} KcPicture;

/* Makes a picture. @info: format, size and colorimetry. All bytes are poison: they have values
 * that depend on their positions. */
KcPicture *kc_picture_new (const GstVideoInfo * info, KcLayout layout, KcRandom * random);
KcPicture *kc_picture_copy (const KcPicture * picture);
void kc_picture_free (KcPicture * picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KcPicture, kc_picture_free)
void kc_picture_fill (KcPicture * picture, KcContent content, KcRandom * random);

/* Calls kc_picture_new() and kc_picture_fill(). */
KcPicture *kc_picture_make (const GstVideoInfo * info, KcLayout layout, KcContent content, KcRandom * random);

/* Makes the picture that benchmarks use: a photograph if one is installed. */
KcPicture *kc_picture_bench (GstVideoFormat format, gint width, gint height);

/* Scales the photograph @name of opencv-doc, such as "fruits", to the picture. Returns FALSE if
 * there is no such photograph, or no element that reads it. */
gboolean kc_picture_load (KcPicture * picture, const gchar * name);

/* Loads up to @most frames of a video of opencv-doc, every @step-th, in a format of one plane.
 * @width, @height: 0 for the video's size. Returns: an array of KcPicture, which is empty if there
 * is no video, or no element that reads it */
GPtrArray *kc_video_load (const gchar * name, GstVideoFormat format, gint width, gint height, guint step, guint most);
const gchar *kc_content_name (KcContent content);

/* Returns the strides as text for kc_case_begin(), such as "64,32". Valid until the next call. */
const gchar *kc_picture_strides (const KcPicture * picture);

/* Describes a component for the references. @component: as in GST_VIDEO_INFO_COMP_OFFSET: 0 is
 * luma, gray or red */
RefPlane kc_picture_plane (const KcPicture * picture, guint component);

/* Fills @planes with all components of @picture. */
void kc_picture_planes (const KcPicture * picture, RefPlane planes[GST_VIDEO_MAX_COMPONENTS]);

/* Returns the number of bytes of a row of a plane, including padding of pixels, without padding of
 * strides. */
gsize kc_picture_row_bytes (const KcPicture * picture, guint plane);

/* Copies planes as mgpu_image_copy_planes() does, for references that do not write them. @planes:
 * bit i stands for plane i */
void kc_picture_copy_planes (const KcPicture * in, KcPicture * out, guint planes);

/* ---- Frames and arrays on the device ------------------------------------ */

typedef struct
{
  GstBuffer *buffer;            /* buffer with one GstMgpuMemory and a GstVideoMeta */
  MgpuImage image;
} KcFrame;

/* Makes a frame on the device with all bytes of @picture, including the poison. Returns NULL after
 * an error, which is reported. */
KcFrame *kc_frame_new (KcRun * run, const KcPicture * picture);
void kc_frame_free (KcFrame * frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KcFrame, kc_frame_free)

/* Waits, and copies all bytes to @picture, which must have the layout of the frame. */
gboolean kc_frame_read (KcRun * run, KcFrame * frame, KcPicture * picture);

/* Makes device memory for other data than frames. @data: @size bytes. Returns NULL after an error,
 * which is reported. */
GstMgpuMemory *kc_memory_new (KcRun * run, gconstpointer data, gsize size);
void kc_memory_free (GstMgpuMemory * memory);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuMemory, kc_memory_free)
gboolean kc_memory_read (KcRun * run, GstMgpuMemory * memory, gpointer data);

/* ---- Comparing ---------------------------------------------------------- */

typedef enum
{
  KC_U8, KC_U16, KC_U32, KC_U64, KC_I16, KC_I32, KC_F32
} KcType;

/* Describes an array. Element (x, y) is at data + y * stride + x * pixel_stride bytes. A list is an
 * array of height 1. */
typedef struct
{
  const gchar *name;            /* "Y", "sum", "descriptor" */
  KcType type;
  gconstpointer data;
  gsize stride, pixel_stride;
  gint width, height;
} KcArray;

/* Adds @got to the digest. If bytes differ, reports the first difference, the number of differences
 * and their positions. */
gboolean kc_compare_array (KcRun * run, const KcArray * want, const KcArray * got);

/* Compares all bytes: the samples of every component, then padding of pixels, then the poison. Both
 * pictures have the same layout. */
gboolean kc_compare_picture (KcRun * run, const KcPicture * want, const KcPicture * got);

/* ---- Timing ------------------------------------------------------------- */

/* Runs the function once and waits for it. Returns the milliseconds that the device took, or a
 * negative number if the device cannot measure it. */
typedef gdouble (*KcTimed) (gpointer data);

/* A call of the OpenCV or pybgs of the Python interpreter MGPU_PEER_PYTHON: see peers-python.py. */
typedef struct
{
  gchar *prepare;               /* statements that run once; they set name to the name of a library
                                 * other than OpenCV */
  gchar *call;                  /* the Python expression that is timed; NULL: there is none. It
                                 * knows its previous result, or None, as o. */
  KcArray a, b;                 /* arrays that @prepare and @call know by the names a and b; data is
                                 * NULL for an array that is not used */
  gchar name[32];               /* name of the contestant: "cv2" with the version of OpenCV, or that
                                 * of another library */
} KcPython;

/* Python statement that gives the bytes of a BGR frame three channels */
#define KC_PYTHON_BGR "a = a.reshape(len(a), -1, 3); "

/* Copies the texts. */
void kc_python_set (KcPython * python, const gchar * prepare, const gchar * call);

/* Frees the texts. */
void kc_python_clear (KcPython * python);

/* Returns all bytes or words of a plane as an array. */
KcArray kc_python_plane (const KcPicture * picture, guint plane);

typedef struct
{
  const gchar *name;
  KcTimed run;                  /* function to time; NULL: not built in, though python may be
                                 * available */
  gpointer data;
  KcPython *python;             /* call of the same function in Python; or NULL */
  GstMgpuMemory *out[2];        /* memories whose bytes are the same with all values of tuning
                                 * parameters; may be NULL */
} KcContestant;

/* Median; sorts values. */
gdouble kc_median (gdouble * values, guint n);

#define KC_MAX_CONTESTANTS 16

/* Limits of the number of rounds: @warm rounds first, which do not count, unless they take half of
 * @most; then at least @min rounds, and more until @enough has passed; only @few rounds if those
 * take @most. Times are in microseconds. */
typedef struct
{
  guint warm, min;
  gint64 enough;
  guint few;
  gint64 most;
} KcRounds;

/* Medians in milliseconds. @device: time of the kernels, negative if the device cannot measure it.
 * @device_wall: wall-clock time of the rounds in which @device was measured, which differ from
 * those of @wall on a graphics card */
typedef struct
{
  gdouble wall, device, device_wall;
  guint rounds;
} KcTiming;

/* Runs all contestants alternately, after some rounds that fill the caches. Contestants without a
 * function are left out. Returns FALSE after an error, which is reported. */
gboolean kc_time (KcRun * run, const KcContestant * contestants, guint n, const KcRounds * limits,
    KcTiming * timings);

/* Returns FALSE if kc_bench() would not measure a benchmark of the name @what. */
gboolean kc_bench_wants (KcRun * run, const gchar * what);

/* Runs all contestants alternately, after some rounds that fill the caches. Prints the medians of
 * their times, and the ratio of each to the first contestant, which is this project's. Python's
 * contestants come last. */
void kc_bench (KcRun * run, const gchar * what, const KcContestant * contestants, guint n_contestants);

/* Calls @bench for the usual sizes of frames, from 512x512 to 3840x2160. */
void kc_bench_sizes (KcRun * run, void (*bench) (KcRun * run, gint width, gint height));

/* ---- Filters, which make a frame from a frame ---------------------------- */

typedef struct
{
  const gchar *text;            /* the parameters, for reports */
  gconstpointer params;
  guint max_pixels;             /* number of pixels of the largest frame for which the reference is
                                 * fast enough; 0: any */
} KcVariant;

typedef struct
{
  /* Cases that define formats, variants, algorithm and reference. If NULL, the members below define
   * them, and none of these is NULL except prepare. */
  const TestCases *cases;

  const GstVideoFormat *formats;        /* formats of the input, up to GST_VIDEO_FORMAT_UNKNOWN */
  const KcVariant *variants;
  guint n_variants;
  guint n_sizes;                /* number of sizes that are tried with each format and variant; 0:
                                 * all */

  /* Changes size, format or colorimetry of @in and @out, which are equal at first. Returns FALSE if
   * the variant is not checked in this format. May be NULL. */
  gboolean (*prepare) (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out);

  gpointer (*create) (GstMgpuContext * context, const GstVideoInfo * in, const GstVideoInfo * out, gconstpointer params,
      GError ** error);
  void (*enqueue) (gpointer self, GstMgpuJob * job, const MgpuWork * work);
  void (*free) (gpointer self);

  /* Writes the pixels of @out with the reference. */
  void (*reference) (gconstpointer params, const KcPicture * in, KcPicture * out);
} KcFilter;

/* Creates the filter. Returns NULL after an error, which is reported as a failure of the current
 * case. */
gpointer kc_filter_create (KcRun * run, const KcFilter * filter, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params);
void kc_filter_enqueue (const KcFilter * filter, gpointer self, GstMgpuJob * job, gconstpointer params,
    const MgpuImage * in, const MgpuImage * out);
void kc_filter_free (const KcFilter * filter, gpointer self);

/* Computes @out with the reference. @params: the struct of parameters */
void kc_filter_refer (const KcFilter * filter, gconstpointer params, const KcPicture * in, KcPicture * out);

/* Filters @in with @self, and reads the output into @got. Returns FALSE after an error, which is
 * reported. */
gboolean kc_filter_process (KcRun * run, const KcFilter * filter, gpointer self, gconstpointer params,
    const KcPicture * in, KcPicture * got);

void kc_check_filter (KcRun * run, const KcFilter * filter);

/* Checks each variant with frames whose words are above the largest value of a sample, a mistake of
 * the frames' source that must do no harm. A part of kc_check_filter(). */
void kc_check_excess (KcRun * run, const KcFilter * filter);

/* A function of another library that does the same as an algorithm; see peers.h. */
typedef struct
{
  const gchar *name;

  /* Runs the function, as KcTimed does. NULL: not built in. */
  gdouble (*run) (gconstpointer params, const KcPicture * in, KcPicture * out);

  /* Limits of the differences between the peer's result and this project's: maximum difference of a
   * sample, and maximum fraction of samples (0 to 1) that differ at all. If max_difference is
   * negative, the peer computes something else, and nothing is compared. */
  gint max_difference;
  gdouble max_share;

  /* Fills @python with a call that does the same. May be NULL. */
  void (*python) (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
} KcPeer;

typedef struct
{
  const gchar *what;            /* "radius 4" */
  const gchar *text;            /* parameters of a filter with cases, as in a launch line; or
                                 * NULL */
  GstVideoFormat format;
  gint width, height;
  const KcPeer *peers;          /* peers, up to the one without a name; may be NULL */
  gconstpointer params;         /* the parameters if @text is NULL */
} KcFilterBench;

/* Runs @n benchmarks. Compares the results with the reference and the peers first, so that only
 * correct results are timed. */
void kc_bench_filter (KcRun * run, const KcFilter * filter, const KcFilterBench * benches, guint n);

/* Times each variant of @cases, in its first format. */
void kc_bench_cases (KcRun * run, const TestCases * cases);

/* Describes how an algorithm is checked and timed. @check reports through the functions above. */
typedef struct
{
  const gchar *name;            /* stem of the names of its files, such as "bilateral" */
  void (*check) (KcRun * run);  /* NULL: checks filter */
  void (*bench) (KcRun * run);  /* is called only if nothing has failed; may be NULL */
  void (*bench_size) (KcRun * run, gint width, gint height);    /* function for kc_bench_sizes();
                                                                 * may be NULL */
  const KcFilter *filter;       /* if NULL, and there is no @check, the cases of the algorithm are
                                 * checked and timed */
  const KcFilterBench *benches; /* benchmarks of @filter, up to the one without @what; may be
                                 * NULL */
} KcFunction;

void kc_check_function (KcRun * run, const KcFunction * function);

/* Returns: whether @function has benchmarks */
gboolean kc_has_bench (const KcFunction * function);
void kc_bench_function (KcRun * run, const KcFunction * function);

G_END_DECLS
