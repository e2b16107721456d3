/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares algorithms with their scalar references, byte for byte.
 *
 * An algorithm that takes one frame and gives one of the same caps has a file in
 * tests/cases, and needs no file here unless more than these cases is checked or timed.
 * One that makes another frame from a frame describes itself in a KcFilter and calls
 * kc_check_filter() and kc_bench_filter(). One with other outputs (keypoints, tables,
 * several frames) writes the loop itself:
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

/* A sequence of numbers that is the same everywhere for the same seed. */
typedef struct
{
  guint64 state;
} KcRandom;

void kc_random_init (KcRandom * random, guint64 seed);
guint32 kc_random (KcRandom * random);

/* Returns: a random number from 0 to n - 1 */
guint32 kc_random_below (KcRandom * random, guint32 n);

/* One function on one device with the knobs of one device class. */
typedef struct _KcRun KcRun;
typedef struct _KcRunPrivate KcRunPrivate;
struct _KcRun
{
  GstMgpuContext *context;
  GstMgpuQueue *queue;
  GstMgpuStats *stats;
  guint64 seed;                 /* of the random part, printed with every report */
  gboolean quick;               /* few and small cases: emulators are slow */
  gboolean peers;               /* time and compare the peers too */
  gboolean processor_time;      /* time what all processors spend, not what the clock says */
  gboolean kernels;             /* then list the time of each kernel */
  gboolean tunes;               /* time ours for --tune, and leave out what is no timing */
  const gchar *only;            /* time what has this text in its name; NULL: everything */

  /*< private >*/
  KcRunPrivate *priv;
};

/* Opens a device. @device_class: the GstMgpuDeviceClass whose knobs are used; -1: that of the
 * device. Returns NULL after an error. */
KcRun *kc_run_new (const gchar * device, gint device_class, GError ** error);
void kc_run_free (KcRun * run);

/* Returns: the number of cases that failed since the run began */
guint kc_run_get_failed (const KcRun * run);

/* Returns: whether the device is Oclgrind. It looks for races and wrong accesses and takes a
 * thousand times as long as other devices, which compare values. */
gboolean kc_is_oclgrind (const KcRun * run);

/* ---- Cases -------------------------------------------------------------- */

/* KC_FIXED cases are the same in every run and make up the digest, which has
 * to be equal on all devices; KC_RANDOM ones follow the seed. */
typedef enum
{
  KC_FIXED,
  KC_RANDOM
} KcKind;

/* The text names everything that is needed to see a failure again: format,
 * size, strides, parameters, content. */
void kc_case_begin (KcRun * run, KcKind kind, const gchar * format, ...) G_GNUC_PRINTF (3, 4);
void kc_case_end (KcRun * run);

/* Reports a failure of the current case in words. */
void kc_case_fail (KcRun * run, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* Like kc_case_fail(), with the words of error, which it frees. */
void kc_case_fail_error (KcRun * run, GError * error);

/* FALSE once so much failed that more of the same tells nothing new. */
gboolean kc_goes_on (KcRun * run);

/* Calls check n times, with random numbers that follow from seed, unless kc_goes_on() returns FALSE. */
void kc_check_random (KcRun * run, guint64 seed, guint n, void (*check) (KcRun * run, KcRandom * random));

/* ---- Jobs --------------------------------------------------------------- */

/* Ends the job. FALSE: the error is reported as a failure of the current case. */
gboolean kc_end_job (KcRun * run, GstMgpuJob * job);

/* Returns: the time in ns that the device has worked on the jobs of run */
guint64 kc_device_time (KcRun * run);

/* Returns: the time in ms that the device has worked since kc_device_time() returned
 * before */
gdouble kc_device_time_since (KcRun * run, guint64 before);

/* Waits until the device has written memory; an error is reported. Returns: the same as
 * kc_device_time_since() */
gdouble kc_wait (KcRun * run, GstMgpuMemory * memory, guint64 before);

/* Ends the job, and does the same as kc_wait() with the memory that it writes last. */
gdouble kc_finish (KcRun * run, GstMgpuJob * job, GstMgpuMemory * last, guint64 before);

/* Makes an object of an algorithm that does not depend on the format of frames. NULL: the
 * error is reported as a failure of a case. */
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
  KC_CONTENT_NATURAL = KC_N_CONTENTS,   /* a photograph where one is found, else a noisy gradient; not for KC_FIXED */
  KC_CONTENT_EXCESS,            /* random words: of 10-bit samples in 16 bits, most are above the largest value */
  KC_CONTENT_OWN                /* the first content that a function draws itself */
} KcContent;

typedef enum
{
  KC_LAYOUT_DEFAULT,            /* strides of gst_video_info_set_format() */
  KC_LAYOUT_TIGHT,              /* no byte between rows: odd strides */
  KC_LAYOUT_PADDED,             /* random strides, offsets and gaps */
  KC_N_LAYOUTS
} KcLayout;

/* Every byte that belongs to no pixel is poison: before, between and behind
 * the planes and between the rows. */
typedef struct
{
  GstVideoInfo info;            /* strides and offsets as they are in data */
  guint8 *data;
  gsize size;
} KcPicture;

/* info: format, size and colorimetry. All bytes are poison. */
KcPicture *kc_picture_new (const GstVideoInfo * info, KcLayout layout, KcRandom * random);
KcPicture *kc_picture_copy (const KcPicture * picture);
void kc_picture_free (KcPicture * picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KcPicture, kc_picture_free)
void kc_picture_fill (KcPicture * picture, KcContent content, KcRandom * random);

/* Calls kc_picture_new() and kc_picture_fill(). */
KcPicture *kc_picture_make (const GstVideoInfo * info, KcLayout layout, KcContent content, KcRandom * random);

/* Makes the picture that benchmarks have: a photograph where one is found. */
KcPicture *kc_picture_bench (GstVideoFormat format, gint width, gint height);

/* Scales one of opencv-doc's photographs to the picture: "fruits". FALSE where there is none, or no element that reads
 * it. */
gboolean kc_picture_load (KcPicture * picture, const gchar * name);

/* Up to most frames of a video of opencv-doc, every step-th, in a format of one plane. width, height: 0 for its own.
 * Returns: KcPictures, none where there is no video, or no element that reads it. */
GPtrArray *kc_video_load (const gchar * name, GstVideoFormat format, gint width, gint height, guint step, guint most);
const gchar *kc_content_name (KcContent content);

/* "64,32": for kc_case_begin(). Valid until the next call. */
const gchar *kc_picture_strides (const KcPicture * picture);

/* component: as in GST_VIDEO_INFO_COMP_OFFSET: 0 is luma, gray or red. */
RefPlane kc_picture_plane (const KcPicture * picture, guint component);

/* Fills planes with all components of picture. */
void kc_picture_planes (const KcPicture * picture, RefPlane planes[GST_VIDEO_MAX_COMPONENTS]);

/* Bytes of a row of a plane, padding of pixels included, of strides not. */
gsize kc_picture_row_bytes (const KcPicture * picture, guint plane);

/* Copies planes as mgpu_image_copy_planes() does, for references that leave them alone.
 * planes: bit i is plane i. */
void kc_picture_copy_planes (const KcPicture * in, KcPicture * out, guint planes);

/* ---- Frames and arrays on the device ------------------------------------ */

typedef struct
{
  GstBuffer *buffer;            /* one GstMgpuMemory and a GstVideoMeta */
  MgpuImage image;
} KcFrame;

/* Holds all bytes of picture, poison too. NULL after an error, which is
 * reported. */
KcFrame *kc_frame_new (KcRun * run, const KcPicture * picture);
void kc_frame_free (KcFrame * frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KcFrame, kc_frame_free)

/* Waits and copies all bytes; picture must have the layout of the frame. */
gboolean kc_frame_read (KcRun * run, KcFrame * frame, KcPicture * picture);

/* Memory for anything but frames. data: size bytes. NULL after an error. */
GstMgpuMemory *kc_memory_new (KcRun * run, gconstpointer data, gsize size);
void kc_memory_free (GstMgpuMemory * memory);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuMemory, kc_memory_free)
gboolean kc_memory_read (KcRun * run, GstMgpuMemory * memory, gpointer data);

/* ---- Comparing ---------------------------------------------------------- */

typedef enum
{
  KC_U8, KC_U16, KC_U32, KC_U64, KC_I16, KC_I32, KC_F32
} KcType;

/* Element (x, y) is at data + y * stride + x * pixel_stride bytes. A list is
 * an array of height 1. */
typedef struct
{
  const gchar *name;            /* "Y", "sum", "descriptor" */
  KcType type;
  gconstpointer data;
  gsize stride, pixel_stride;
  gint width, height;
} KcArray;

/* Adds got to the digest and reports the first difference, how many there are
 * and where, when bytes differ. */
gboolean kc_compare_array (KcRun * run, const KcArray * want, const KcArray * got);

/* All bytes: the samples of every component, then padding of pixels, then the
 * poison. Both pictures have the same layout. */
gboolean kc_compare_picture (KcRun * run, const KcPicture * want, const KcPicture * got);

/* ---- Timing ------------------------------------------------------------- */

/* Does the work once and waits for it. Returns the milliseconds that the
 * device took, or a negative number when it cannot tell. */
typedef gdouble (*KcTimed) (gpointer data);

/* A call of the OpenCV that the Python of MGPU_PEER_PYTHON has: see peers-python.py. */
typedef struct
{
  gchar *prepare;               /* statements that run once */
  gchar *call;                  /* the expression that is timed; NULL: there is none. o is
                                 * what it gave the time before, or None */
  KcArray a, b;                 /* what both know by these names; data: NULL: not there */
  gchar name[32];               /* of the contestant, with the version */
} KcPython;

/* Makes three channels of the bytes of a BGR frame. */
#define KC_PYTHON_BGR "a = a.reshape(len(a), -1, 3); "

/* Copies the texts. */
void kc_python_set (KcPython * python, const gchar * prepare, const gchar * call);

/* Frees the texts. */
void kc_python_clear (KcPython * python);

/* All bytes or words of a plane. */
KcArray kc_python_plane (const KcPicture * picture, guint plane);

typedef struct
{
  const gchar *name;
  KcTimed run;                  /* NULL: not built in; python may be there all the same */
  gpointer data;
  KcPython *python;             /* does the same; or NULL */
  GstMgpuMemory *out[2];        /* memories whose bytes are the same with all knobs; may be NULL */
} KcContestant;

/* Median; sorts values. */
gdouble kc_median (gdouble * values, guint n);

#define KC_MAX_CONTESTANTS 16

/* How many rounds there are: warm ones, which do not count, unless they take half of most;
 * then min ones and more until enough has passed; few ones where those take most. In
 * microseconds. */
typedef struct
{
  guint warm, min;
  gint64 enough;
  guint few;
  gint64 most;
} KcRounds;

/* Medians in milliseconds. device: time of the kernels, negative where the device cannot tell; device_wall: time of the
 * clock in the rounds that it was measured in, which differ from those of wall on a card. */
typedef struct
{
  gdouble wall, device, device_wall;
  guint rounds;
} KcTiming;

/* Runs all contestants alternately, after some rounds for the caches. Those without a function
 * are left out. FALSE after an error, which is reported. */
gboolean kc_time (KcRun * run, const KcContestant * contestants, guint n, const KcRounds * limits,
    KcTiming * timings);

/* FALSE: kc_bench() would not measure what has this name. */
gboolean kc_bench_wants (KcRun * run, const gchar * what);

/* Runs all contestants alternately, after some rounds for the caches, and prints
 * the medians of the times and the ratio of each to the first, which is ours. Python's
 * contestants come last. */
void kc_bench (KcRun * run, const gchar * what, const KcContestant * contestants, guint n_contestants);

/* Calls bench for the usual sizes of frames, from 512x512 to 3840x2160. */
void kc_bench_sizes (KcRun * run, void (*bench) (KcRun * run, gint width, gint height));

/* ---- Filters: a frame in, a frame out ------------------------------------ */

typedef struct
{
  const gchar *text;            /* the parameters, for reports */
  gconstpointer params;
  guint max_pixels;             /* largest frame worth the reference's time; 0: any */
} KcVariant;

typedef struct
{
  /* Cases that say which formats, variants, algorithm and reference there are. NULL: all
   * that is below says so, and none of it is NULL but prepare. */
  const TestCases *cases;

  const GstVideoFormat *formats;        /* of the input, up to GST_VIDEO_FORMAT_UNKNOWN */
  const KcVariant *variants;
  guint n_variants;
  guint n_sizes;                /* sizes tried with each format and variant; 0: all */

  /* Changes size, format or colorimetry of in and out, which are equal at
   * first. FALSE: the variant is not checked in this format. May be NULL. */
  gboolean (*prepare) (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out);

  gpointer (*create) (GstMgpuContext * context, const GstVideoInfo * in, const GstVideoInfo * out, gconstpointer params,
      GError ** error);
  void (*enqueue) (gpointer self, GstMgpuJob * job, const MgpuWork * work);
  void (*free) (gpointer self);

  /* Writes the pixels of out. */
  void (*reference) (gconstpointer params, const KcPicture * in, KcPicture * out);
} KcFilter;

/* NULL: the error is reported as a failure of the current case. */
gpointer kc_filter_create (KcRun * run, const KcFilter * filter, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params);
void kc_filter_enqueue (const KcFilter * filter, gpointer self, GstMgpuJob * job, gconstpointer params,
    const MgpuImage * in, const MgpuImage * out);
void kc_filter_free (const KcFilter * filter, gpointer self);

/* Makes out with the reference. params: the struct of parameters */
void kc_filter_refer (const KcFilter * filter, gconstpointer params, const KcPicture * in, KcPicture * out);

/* Sends in through self and reads got from what comes out. FALSE after an error, which is
 * reported. */
gboolean kc_filter_process (KcRun * run, const KcFilter * filter, gpointer self, gconstpointer params,
    const KcPicture * in, KcPicture * got);

void kc_check_filter (KcRun * run, const KcFilter * filter);

/* Checks each variant with frames whose words are above the largest value of their samples:
 * a mistake of their source, which must not harm. A part of kc_check_filter(). */
void kc_check_excess (KcRun * run, const KcFilter * filter);

/* A library that does the same; see peers.h. */
typedef struct
{
  const gchar *name;

  /* As KcTimed. NULL: not built in. */
  gdouble (*run) (gconstpointer params, const KcPicture * in, KcPicture * out);

  /* What must hold between its result and ours: no sample differs by more,
   * and no larger share of them (0 to 1) differs at all. A max_difference
   * below 0: it computes something else, compare nothing. */
  gint max_difference;
  gdouble max_share;

  /* Fills python with a call that does the same. May be NULL. */
  void (*python) (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
} KcPeer;

typedef struct
{
  const gchar *what;            /* "radius 4" */
  const gchar *text;            /* parameters of a filter with cases, as in a launch line; or NULL */
  GstVideoFormat format;
  gint width, height;
  const KcPeer *peers;          /* up to the one without a name; may be NULL */
  gconstpointer params;         /* the parameters where there is no text */
} KcFilterBench;

/* Times n benches. Compares with the reference and the peers first: what is timed is right. */
void kc_bench_filter (KcRun * run, const KcFilter * filter, const KcFilterBench * benches, guint n);

/* Times each variant of cases, in its first format. */
void kc_bench_cases (KcRun * run, const TestCases * cases);

/* What is checked and timed of an algorithm. check reports through the calls above. */
typedef struct
{
  const gchar *name;            /* stem of its files: "bilateral" */
  void (*check) (KcRun * run);  /* NULL: checks filter */
  void (*bench) (KcRun * run);  /* is called only when nothing failed; may be NULL */
  void (*bench_size) (KcRun * run, gint width, gint height);    /* for kc_bench_sizes(); may be NULL */
  const KcFilter *filter;       /* NULL without a check: the cases of the algorithm are checked and timed */
  const KcFilterBench *benches; /* timed with filter; up to the one without what; may be NULL */
} KcFunction;

void kc_check_function (KcRun * run, const KcFunction * function);

/* Returns: whether @function has benchmarks */
gboolean kc_has_bench (const KcFunction * function);
void kc_bench_function (KcRun * run, const KcFunction * function);

G_END_DECLS
