/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpujob-private.h>
#include <gst/vision/base/image.h>
#include <gst/vision/base/knobs.h>
#include <gst/vision/base/params.h>

G_BEGIN_DECLS

#define MGPU_MAX_SETS 8

/* An OpenCL kernel of an algorithm. */
typedef struct
{
  const gchar *file;            /* path of the .cl file below kernels/, without suffix:
                                 * "sharpen/direct" */
  const gchar *name;            /* name of the kernel function */
  guint set;                    /* number of the kernel's set, below MGPU_MAX_SETS. The kernels
                                 * of a set are compiled together */
  gboolean is_fixed;            /* whether results depend on the size of work-groups, although
                                 * the kernel does not declare a required size */
} MgpuKernel;

/* The parameters of an algorithm for one frame, and the images that it reads and writes. */
typedef struct
{
  gconstpointer params;
  const MgpuImage *in, *guide, *out;    /* images that are read (@in, @guide) and written
                                         * (@out); @guide and @out may be NULL */
  const MgpuRect *part;         /* part of the frame that the images show; NULL if they show the
                                 * whole frame */
} MgpuWork;

/* Description of an algorithm. Its lists end with an element whose name is NULL. A pointer to a
 * function that the algorithm does not need is NULL. */
typedef struct
{
  gsize size;                   /* size of an object in bytes; the struct of an object begins
                                 * with a MgpuObject */
  gsize params_size;            /* size of the struct of parameters, in bytes */
  const MgpuParam *params;      /* list of the algorithm's parameters, or NULL */
  const MgpuKnob *knobs;        /* list of the algorithm's tuning constants, or NULL */
  const MgpuKernel *kernels;
  guint n_slots;                /* number of slots (scratch buffers in device memory) that
                                 * an object keeps */

  /* Initializes the members of a new object, before the kernels of set 0 are built. Lowers the
   * values of tuning parameters that are too high for the device or the images. @params are the
   * parameters that were passed to mgpu_object_new(). */
  gboolean (*init) (gpointer self, gconstpointer params, GError ** error);

  /* Appends further -D definitions for the kernels of set number @set to the OpenCL compiler
   * options @options. The definitions of the tuning parameters are already there. */
  void (*define) (gpointer self, guint set, GString * options);

  /* Enqueues the kernels that process one frame; errors stay in @job. */
  void (*enqueue) (gpointer self, GstMgpuJob * job, const MgpuWork * work);

  /* Returns: TRUE if the algorithm leaves frames unchanged with the parameters @params: such
   * frames need no processing. NULL: all frames need processing. */
  gboolean (*passes) (gconstpointer params);

  /* Called with each frame before enqueue(), and also with frames that are not processed because
   * passes() returns TRUE: reads the metas of the buffer @in that the algorithm uses. NULL if it
   * uses none. */
  void (*look) (gpointer self, gconstpointer params, GstBuffer * in);

  /* Used to process parts of a frame. If the function is NULL, the algorithm can only process
   * whole frames; otherwise an object can process whole frames and parts of such frames.
   * *step: set to an even number of pixels. A part whose left and top edges lie at multiples of
   * *step gives the same result as the whole frame.
   * Returns: the largest distance, in pixels, between an output pixel and the input pixels from
   * which it is computed; -1 if an output pixel depends on the whole frame */
  gint (*reach) (gpointer self, gconstpointer params, gint * step);

  /* Whether results depend on data of the whole frame, such as histograms. If so, enqueue() is
   * first called for the whole frame, with a NULL image @out, to compute these data. It is then
   * called for parts of the frame. */
  gboolean surveys;

  /* Returns: whether results depend on earlier frames, with the parameters @params. NULL if
   * they never do. */
  gboolean (*remembers) (gconstpointer params);

  /* Drops all data of earlier frames that the object keeps. Called after a flush or a gap in
   * the stream. */
  void (*forget) (gpointer self);

  /* Frees the members of the object that only this algorithm has. The members that all objects
   * have, such as kernels and scratch buffers, are freed by mgpu_object_free(). */
  void (*clear) (gpointer self);
} MgpuAlgorithm;

/* The members that the objects of all algorithms have; the struct of every object begins with a
 * MgpuObject. mgpu_object_new() fills these members before it calls the algorithm's function
 * init(). */
typedef struct
{
  const MgpuAlgorithm *algorithm;
  GstMgpuContext *context;      /* context with the device that runs the kernels; not owned */
  const GstMgpuTraits *traits;  /* properties of the context's device, such as its class */
  /* Formats of the images that the object processes; the format of an image that is not used is
   * UNKNOWN */
  GstVideoInfo in, guide, out;
  gint *knobs;                  /* values of the tuning parameters, in the order of
                                 * algorithm->knobs */
  cl_kernel *kernels;           /* kernels in the order of algorithm->kernels; NULL for a kernel
                                 * that is not built yet */
  GstMemory **slots;            /* array of algorithm->n_slots scratch buffers in device memory;
                                 * NULL for one that was not used yet */
  /* For each set of kernels (those that are compiled together): the compiler options with which
   * mgpu_object_renew() built the set; NULL if it did not build the set */
  gchar *renewed[MGPU_MAX_SETS];
} MgpuObject;

/* Creates an object of @algorithm and builds the kernels of set 0.
 * @in, @guide, @out: format and size of the images; each may be NULL.
 * @params: parameters for the function init() of the algorithm; may be NULL.
 * Returns: (transfer full): the object; NULL with the error set */
gpointer mgpu_object_new (const MgpuAlgorithm * algorithm, GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * guide, const GstVideoInfo * out, gconstpointer params, GError ** error);

/* mgpu_build_begin() delays the building of kernels: objects that the thread creates afterwards
 * only note which kernels they need. The matching mgpu_build_end() builds them all at once; the
 * signal "building" then counts all programs together. Of nested pairs, the outermost
 * mgpu_build_end() builds. Nothing can be enqueued before. @ok: FALSE if creating the objects
 * failed; then nothing is built.
 * Returns: @ok, or FALSE with the error set if building failed; the caller still has to free
 * the objects */
void mgpu_build_begin (void);
gboolean mgpu_build_end (gboolean ok, GError ** error);

/* Call this function before the thread itself builds a program that does not belong to an object's
 * sets. After mgpu_build_begin(), the signal "building" then counts the program together with
 * those of the objects that were created before. @n: number of such programs that are still to be
 * built, with this one */
void mgpu_build_program (guint n);

/* Calls gst_mgpu_job_watch(), for elements: lets @watch (nullable) see the first launches of kernels
 * by the calling thread. */
void mgpu_watch_launches (GstMgpuFirstLaunches * watch);

/* Builds set number @set of the algorithm's OpenCL kernels (those that are compiled together),
 * unless it was built before. After mgpu_build_begin(), only notes that the set has to be
 * built.
 * Returns: FALSE with the error set */
gboolean mgpu_object_build (gpointer self, guint set, GError ** error);

/* Builds set number @set of the algorithm's OpenCL kernels (those that are compiled together)
 * again, with the compiler options that the algorithm's function define() gives now. Does
 * nothing if an earlier call built the set with the same options.
 * Returns: FALSE with the error set */
gboolean mgpu_object_renew (gpointer self, guint set, GError ** error);

/* Builds set number @set of the algorithm's OpenCL kernels (those that are compiled together),
 * unless it was built before.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_object_ensure (gpointer self, guint set, GstMgpuJob * job);

/* Frees the object @self and all it owns; @self may be NULL. */
void mgpu_object_free (gpointer self);

/* The function reach() for algorithms that compute an output pixel only from the input pixel at
 * the same position and from numbers that describe the whole frame. Sets *step to 2, the
 * smallest allowed value. Returns: 0 */
gint mgpu_reach_nothing (gpointer self, gconstpointer params, gint * step);

/* Returns: whether a slot (scratch buffer) of the object holds a device memory of at least
 * @size bytes. */
gboolean mgpu_slot_has (gpointer self, guint slot, gsize size);

/* Makes sure that a slot (scratch buffer) of the object holds a device memory of at least @size
 * bytes. If the memory is large enough, it keeps its content; otherwise it is replaced.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_slot_ensure (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Like mgpu_slot_ensure(), but fills newly allocated memory with zeros. */
gboolean mgpu_slot_ensure_zeros (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Describes a frame in the memory of a slot (scratch buffer) in @image. The frame has the
 * format and size of @info; the memory is enlarged if it is too small.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_slot_image (gpointer self, guint slot, GstMgpuJob * job, const GstVideoInfo * info, MgpuImage * image);

/* Writes the @size bytes at @data to the memory of a slot (scratch buffer), and zeros to the
 * rest of the memory. Allocates @size + @margin bytes if the slot has less memory.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_slot_upload (gpointer self, guint slot, GstMgpuJob * job, gconstpointer data, gsize size, gsize margin);

/* Waits for the commands that write to the memory of a slot (scratch buffer). Then copies its
 * first @size bytes to @data.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_slot_download (gpointer self, guint slot, GstMgpuJob * job, gpointer data, gsize size);

/* Lets kernels of @job write to the memory of a slot (scratch buffer). Allocates @size bytes if
 * the slot has less memory; if @size is 0, the memory must exist. Returns: the memory, an
 * argument for gst_mgpu_job_set_args(); NULL after an error, which is in @job */
cl_mem mgpu_slot_write (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Lets kernels of @job read the memory of a slot (scratch buffer), which must exist. Returns:
 * the memory, an argument for gst_mgpu_job_set_args() */
cl_mem mgpu_slot_read (gpointer self, guint slot, GstMgpuJob * job);

/* Gives a slot (scratch buffer) new memory with a copy of @words, a table of 4-byte words (see
 * words.h). The old memory is not overwritten, since kernels may still be reading it.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_slot_set_words (gpointer self, guint slot, GstMgpuJob * job, const GArray * words);

/* Lets kernels of @job read the memory of a slot (scratch buffer). If the slot has no memory
 * yet, allocates it and copies @words, a table of 4-byte words, to it. */
cl_mem mgpu_slot_read_words (gpointer self, guint slot, GstMgpuJob * job, const GArray * words);

/* Sets @group to the size of a work-group: @width x @height work-items, or fewer if the device
 * does not allow so many. */
void mgpu_group (GstMgpuContext * context, gsize width, gsize height, gsize group[2]);

/* Launches a kernel on @width x @height samples. Each work-item processes @columns x @rows
 * samples; each work-group has @local[0] x @local[1] work-items. */
void mgpu_launch (GstMgpuJob * job, cl_kernel kernel, gint width, gint height, gint columns, gint rows,
    const gsize local[2]);

/* Launches a kernel with @n work-items in one dimension. The number is rounded up to whole
 * work-groups of @group work-items. If @n is 0, nothing is launched. */
void mgpu_launch_items (GstMgpuJob * job, cl_kernel kernel, gsize n, gsize group);

/* Launches a kernel on each of @n planes at once. A work-item's number in the third dimension
 * is the number of its plane. See mgpu_launch() for the other parameters. */
void mgpu_launch_planes (GstMgpuJob * job, cl_kernel kernel, guint n, gint width, gint height, gint columns,
    gint rows, const gsize local[2]);

/* Launches a kernel on @n planes of @columns x @rows samples. Each work-item processes @lanes
 * columns of one row; each work-group has @group work-items in one row. */
void mgpu_launch_rows (GstMgpuJob * job, cl_kernel kernel, guint n, gint columns, gint rows, gint lanes, gint group);

G_END_DECLS
