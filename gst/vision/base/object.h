/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/image.h>
#include <gst/vision/base/knobs.h>
#include <gst/vision/base/params.h>

G_BEGIN_DECLS

#define MGPU_MAX_SETS 8

/* Names an OpenCL kernel of an algorithm. */
typedef struct
{
  const gchar *file;            /* path of the .cl file below kernels/, without suffix:
                                 * "sharpen/direct" */
  const gchar *name;            /* name of the kernel function */
  guint set;                    /* number of the kernel's set, below MGPU_MAX_SETS; kernels
                                 * of one set are compiled together */
} MgpuKernel;

/* Holds the parameters of an algorithm for one frame, and the images that it reads and
 * writes. */
typedef struct
{
  gconstpointer params;
  const MgpuImage *in, *guide, *out;    /* images; guide and out may be NULL */
  const MgpuRect *part;         /* which part of a frame the images are; NULL where they
                                 * are a whole frame */
} MgpuWork;

/* Describes an algorithm. Its lists end with an element whose name is NULL. Functions
 * that an algorithm does not need are NULL. */
typedef struct
{
  gsize size;                   /* size of an object in bytes; it begins with a MgpuObject */
  gsize params_size;            /* size of the struct of parameters, in bytes */
  const MgpuParam *params;      /* list of the algorithm's parameters; may be NULL */
  const MgpuKnob *knobs;        /* list of the algorithm's tuning constants; may be NULL */
  const MgpuKernel *kernels;
  guint n_slots;                /* number of device memories (slots) that an object keeps */

  /* Initializes the members of a new object, and lowers knobs whose values are too high
   * for the device or the images. Called before the kernels of set 0 are built. The
   * parameter params is the one that mgpu_object_new() got. */
  gboolean (*init) (gpointer self, gconstpointer params, GError ** error);

  /* Appends to the compiler options further -D definitions for the kernels of
   * @set; those of the knobs are already there. */
  void (*define) (gpointer self, guint set, GString * options);

  /* Enqueues the kernels that process one frame; errors stay in job. */
  void (*enqueue) (gpointer self, GstMgpuJob * job, const MgpuWork * work);

  /* Tells whether the algorithm leaves frames unchanged with these parameters, so that
   * they may pass as they are. NULL when it never does. */
  gboolean (*passes) (gconstpointer params);

  /* Returns the largest distance in pixels between a pixel of the result and a pixel that
   * it is computed from, and sets *step to an even number of pixels: a part of a frame
   * that begins at a multiple of it gives the same result as the whole frame. Returns -1
   * where these parameters need the whole frame. An algorithm that has this function
   * takes parts of images of the size of mgpu_object_new(). NULL: it always needs the
   * whole frame. */
  gint (*reach) (gpointer self, gconstpointer params, gint * step);

  /* Tells whether results depend on what is found in whole frames, such as histograms.
   * Before enqueue() is called for parts of such a frame, it is called once for the whole
   * frame, with out NULL. */
  gboolean surveys;

  /* Tells whether results depend on earlier frames with these parameters. NULL when they
   * never do. */
  gboolean (*remembers) (gconstpointer params);

  /* Drops what the object remembers of earlier frames; called after a flush or a gap in
   * the stream. */
  void (*forget) (gpointer self);

  /* Frees what the object owns beside its kernels and slots, which the base frees. */
  void (*clear) (gpointer self);
} MgpuAlgorithm;

/* Base of the object of every algorithm, whose struct begins with it. mgpu_object_new()
 * fills it before it calls init(). */
typedef struct
{
  const MgpuAlgorithm *algorithm;
  GstMgpuContext *context;      /* context with the device that runs the kernels; not owned */
  const GstMgpuTraits *traits;  /* properties of the context's device, such as its class */
  /* Formats of the images that the object works on; format UNKNOWN for an image that is
   * not used */
  GstVideoInfo in, guide, out;
  gint *knobs;                  /* values of the knobs, in the order of algorithm->knobs */
  cl_kernel *kernels;           /* kernels in the order of algorithm->kernels; NULL until
                                 * built */
  GstMemory **slots;            /* array of n_slots device memories, each NULL until used */
  /* Compiler options of each set that mgpu_object_renew() built, otherwise NULL */
  gchar *renewed[MGPU_MAX_SETS];
} MgpuObject;

/* Makes an object of @algorithm for images with the format and size of in,
 * guide and out, each of which may be NULL, and builds the kernels of set 0.
 * The parameter params is handed to init() and may be NULL. Returns: (transfer
 * full): the object; NULL with the error set */
gpointer mgpu_object_new (const MgpuAlgorithm * algorithm, GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * guide, const GstVideoInfo * out, gconstpointer params, GError ** error);

/* Builds the kernels of @set, unless they were built before. FALSE: the error
 * is set. */
gboolean mgpu_object_build (gpointer self, guint set, GError ** error);

/* Builds the kernels of @set with the options that define() gives now, unless
 * an earlier call built them with the same options. FALSE: the error is set. */
gboolean mgpu_object_renew (gpointer self, guint set, GError ** error);

/* Builds the kernels of @set, unless they were built before. FALSE: the error
 * is in job. */
gboolean mgpu_object_ensure (gpointer self, guint set, GstMgpuJob * job);

/* Frees an object and all it owns; self may be NULL. */
void mgpu_object_free (gpointer self);

/* Serves as the function reach of an algorithm that computes each pixel from
 * the same pixel of the input and from numbers that describe the whole frame:
 * sets *step to its smallest value. Returns: 0 */
gint mgpu_reach_nothing (gpointer self, gconstpointer params, gint * step);

/* Tells whether a slot of the object holds a device memory of at least size bytes. */
gboolean mgpu_slot_has (gpointer self, guint slot, gsize size);

/* Makes sure that a slot of the object holds a device memory of at least size bytes. A
 * memory that is large enough stays, with its content; a smaller one is replaced. FALSE:
 * the error is in job. */
gboolean mgpu_slot_ensure (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Does the same as mgpu_slot_ensure(), and fills memory that it allocates with zeros. */
gboolean mgpu_slot_ensure_zeros (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Makes @image describe a frame of the format and size of @info in the memory
 * of a slot, which grows to that size. FALSE: the error is in job. */
gboolean mgpu_slot_image (gpointer self, guint slot, GstMgpuJob * job, const GstVideoInfo * info, MgpuImage * image);

/* Writes the size bytes at data to the memory of a slot, and zeros behind them. Allocates
 * size + margin bytes where the slot has less memory. FALSE: the error is in job. */
gboolean mgpu_slot_upload (gpointer self, guint slot, GstMgpuJob * job, gconstpointer data, gsize size, gsize margin);

/* Waits for the commands that write to the memory of a slot, and copies its first size
 * bytes to data. FALSE: the error is in job. */
gboolean mgpu_slot_download (gpointer self, guint slot, GstMgpuJob * job, gpointer data, gsize size);

/* Lets kernels of @job write to the memory of a slot. Allocates size bytes
 * where the slot has less; with a size of 0 the memory must exist. Returns: the
 * memory for gst_mgpu_job_set_args(); NULL after an error, which is in @job */
cl_mem mgpu_slot_write (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Lets kernels of @job read the memory of a slot, which must exist. Returns:
 * the memory for gst_mgpu_job_set_args() */
cl_mem mgpu_slot_read (gpointer self, guint slot, GstMgpuJob * job);

/* Replaces the memory of a slot by a new one with a copy of words, a table that words.h
 * describes. Kernels may still be reading the old memory. FALSE: the error is in job. */
gboolean mgpu_slot_set_words (gpointer self, guint slot, GstMgpuJob * job, const GArray * words);

/* Lets kernels of @job read the memory of a slot. When the slot has none yet,
 * allocates it and copies the table words to it. */
cl_mem mgpu_slot_read_words (gpointer self, guint slot, GstMgpuJob * job, const GArray * words);

/* Sets group to the size of a work-group: width x height work-items, or fewer if the
 * device does not allow so many. */
void mgpu_group (GstMgpuContext * context, gsize width, gsize height, gsize group[2]);

/* Launches a kernel on width x height samples, of which each work-item processes columns
 * x rows. The work-groups have local[0] x local[1] work-items. */
void mgpu_launch (GstMgpuJob * job, cl_kernel kernel, gint width, gint height, gint columns, gint rows,
    const gsize local[2]);

/* Launches a kernel with n work-items in one dimension, rounded up to whole
 * work-groups of @group work-items. Launches nothing when n is 0. */
void mgpu_launch_items (GstMgpuJob * job, cl_kernel kernel, gsize n, gsize group);

/* Launches a kernel like mgpu_launch(), on each of n planes at once: the third dimension
 * of the work-items is the number of the plane. */
void mgpu_launch_planes (GstMgpuJob * job, cl_kernel kernel, guint n, gint width, gint height, gint columns,
    gint rows, const gsize local[2]);

/* Launches a kernel on n planes of columns x rows samples. Each work-item processes lanes
 * columns of one row; a work-group has group work-items, side by side. */
void mgpu_launch_rows (GstMgpuJob * job, cl_kernel kernel, guint n, gint columns, gint rows, gint lanes, gint group);

G_END_DECLS
