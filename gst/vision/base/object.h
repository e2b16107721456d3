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
  gboolean is_fixed;            /* whether results depend on the size of work-groups, although
                                 * the source does not require one */
} MgpuKernel;

/* Holds the parameters of an algorithm for one frame, and the images that it reads and
 * writes. */
typedef struct
{
  gconstpointer params;
  const MgpuImage *in, *guide, *out;    /* images that are read (@in, @guide) and written
                                         * (@out); @guide and @out may be NULL */
  const MgpuRect *part;         /* part of a frame that the images show; NULL if they show
                                 * a whole frame */
} MgpuWork;

/* Describes an algorithm. Its lists end with an element whose name is NULL. Functions
 * that an algorithm does not need are NULL. */
typedef struct
{
  gsize size;                   /* size in bytes of the struct of an object, which begins
                                 * with a MgpuObject */
  gsize params_size;            /* size of the struct of parameters, in bytes */
  const MgpuParam *params;      /* list of the algorithm's parameters; may be NULL */
  const MgpuKnob *knobs;        /* list of the algorithm's tuning constants; may be NULL */
  const MgpuKernel *kernels;
  guint n_slots;                /* number of slots (scratch buffers in device memory) that
                                 * an object keeps */

  /* Initializes the members of a new object, and lowers the values of tuning knobs that
   * are too high for the device or the images. Called before the kernels of set 0 are
   * built. @params are the parameters that were passed to mgpu_object_new(). */
  gboolean (*init) (gpointer self, gconstpointer params, GError ** error);

  /* Appends to the OpenCL compiler options @options further -D definitions for the
   * kernels of set number @set. The definitions of the tuning knobs are already in
   * @options. */
  void (*define) (gpointer self, guint set, GString * options);

  /* Enqueues the kernels that process one frame; errors stay in @job. */
  void (*enqueue) (gpointer self, GstMgpuJob * job, const MgpuWork * work);

  /* Returns whether the algorithm leaves frames unchanged with the parameters @params, so that
   * frames need no processing. NULL if there are no such parameters. */
  gboolean (*passes) (gconstpointer params);

  /* Returns the largest distance in pixels between an output pixel and an input pixel
   * from which it is computed, and sets *step to an even number of pixels: a part of a
   * frame whose left and top edges lie at multiples of *step gives the same result as the
   * whole frame. Returns -1 if an output pixel depends on the whole frame. An object of
   * an algorithm with this function processes whole frames, and parts of such frames. If
   * the function is NULL, the algorithm can process whole frames only. */
  gint (*reach) (gpointer self, gconstpointer params, gint * step);

  /* Whether results depend on data of the whole frame, such as histograms. If so, enqueue() is
   * first called once for the whole frame, with a NULL image @out, to compute these data, and then
   * for parts of the frame. */
  gboolean surveys;

  /* Returns whether, with the parameters @params, results depend on earlier frames. NULL if
   * results never depend on earlier frames. */
  gboolean (*remembers) (gconstpointer params);

  /* Drops all data of earlier frames that the object keeps; called after a flush or a
   * gap in the stream. */
  void (*forget) (gpointer self);

  /* Frees the members of the object that only this algorithm has; mgpu_object_free() frees
   * the members that all objects have, such as kernels and scratch buffers. */
  void (*clear) (gpointer self);
} MgpuAlgorithm;

/* Holds the members that the objects of all algorithms have: the struct of every object
 * begins with a MgpuObject. mgpu_object_new() fills these members before it calls the
 * algorithm's function init(). */
typedef struct
{
  const MgpuAlgorithm *algorithm;
  GstMgpuContext *context;      /* context with the device that runs the kernels; not owned */
  const GstMgpuTraits *traits;  /* properties of the context's device, such as its class */
  /* Formats of the images that the object processes; format UNKNOWN for an image that is
   * not used */
  GstVideoInfo in, guide, out;
  gint *knobs;                  /* values of the tuning knobs, in the order of
                                 * algorithm->knobs */
  cl_kernel *kernels;           /* kernels in the order of algorithm->kernels; an element
                                 * is NULL until the kernel is built */
  GstMemory **slots;            /* array of algorithm->n_slots scratch buffers in device
                                 * memory, each NULL until used */
  /* for each set of kernels (those that are compiled together), the compiler options with
   * which mgpu_object_renew() built the set; NULL for sets that it did not build */
  gchar *renewed[MGPU_MAX_SETS];
} MgpuObject;

/* Makes an object of @algorithm for images with the format and size of @in, @guide and
 * @out, each of which may be NULL, and builds the kernels of set 0. @params is handed to
 * init() and may be NULL. Returns: (transfer full): the object; NULL with the error
 * set */
gpointer mgpu_object_new (const MgpuAlgorithm * algorithm, GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * guide, const GstVideoInfo * out, gconstpointer params, GError ** error);

/* Between mgpu_build_begin() and the mgpu_build_end() that belongs to it, the objects that
 * the thread makes only note which of their kernels have to be built; the outermost
 * mgpu_build_end() builds them, so that the signal "building" counts all programs
 * together. Nothing can be enqueued before. @ok is FALSE if making the objects failed: then
 * nothing is built. Returns: @ok, or FALSE with the error set if building failed; the
 * objects still have to be freed */
void mgpu_build_begin (void);
gboolean mgpu_build_end (gboolean ok, GError ** error);

/* Builds set number @set of the algorithm's OpenCL kernels (those that are compiled
 * together), unless it was built before; after mgpu_build_begin() only notes that it has
 * to be built. FALSE: the error is set. */
gboolean mgpu_object_build (gpointer self, guint set, GError ** error);

/* Builds set number @set of the algorithm's OpenCL kernels (those that are compiled
 * together) with the compiler options that the algorithm's function define() gives now,
 * unless an earlier call built the set with the same options. FALSE: the error is set. */
gboolean mgpu_object_renew (gpointer self, guint set, GError ** error);

/* Builds set number @set of the algorithm's OpenCL kernels (those that are compiled
 * together), unless it was built before. FALSE: the error is in @job. */
gboolean mgpu_object_ensure (gpointer self, guint set, GstMgpuJob * job);

/* Frees the object @self and all it owns; @self may be NULL. */
void mgpu_object_free (gpointer self);

/* Use this as the function reach() of algorithms that compute each output pixel only from the input
 * pixel at the same position, and from numbers that describe the whole frame: sets *step to 2, the
 * smallest allowed value. Returns: 0, because an output pixel reads only the input pixel at its
 * position */
gint mgpu_reach_nothing (gpointer self, gconstpointer params, gint * step);

/* Tells whether a slot (scratch buffer) of the object holds a device memory of at least
 * @size bytes. */
gboolean mgpu_slot_has (gpointer self, guint slot, gsize size);

/* Makes sure that a slot (scratch buffer) of the object holds a device memory of at least @size
 * bytes. A memory that is large enough keeps its content; a smaller memory is replaced. FALSE:
 * the error is in @job. */
gboolean mgpu_slot_ensure (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Does the same as mgpu_slot_ensure(), and fills the memory with zeros if it is newly
 * allocated. */
gboolean mgpu_slot_ensure_zeros (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Makes @image describe a frame of the format and size of @info in the memory of a slot
 * (scratch buffer), which is enlarged if it is too small for the frame. FALSE: the error
 * is in @job. */
gboolean mgpu_slot_image (gpointer self, guint slot, GstMgpuJob * job, const GstVideoInfo * info, MgpuImage * image);

/* Writes the @size bytes at @data to the memory of a slot (scratch buffer), and zeros to
 * the rest of the memory. Allocates @size + @margin bytes if the slot has less memory.
 * FALSE: the error is in @job. */
gboolean mgpu_slot_upload (gpointer self, guint slot, GstMgpuJob * job, gconstpointer data, gsize size, gsize margin);

/* Waits for the commands that write to the memory of a slot (scratch buffer), and copies
 * its first @size bytes to @data. FALSE: the error is in @job. */
gboolean mgpu_slot_download (gpointer self, guint slot, GstMgpuJob * job, gpointer data, gsize size);

/* Lets kernels of @job write to the memory of a slot (scratch buffer). Allocates @size
 * bytes if the slot has less memory; with a @size of 0 the memory must exist. Returns:
 * the memory for gst_mgpu_job_set_args(); NULL after an error, which is in @job */
cl_mem mgpu_slot_write (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Lets kernels of @job read the memory of a slot (scratch buffer), which must exist.
 * Returns: the memory for gst_mgpu_job_set_args() */
cl_mem mgpu_slot_read (gpointer self, guint slot, GstMgpuJob * job);

/* Replaces the memory of a slot (scratch buffer) by new memory with a copy of @words, a
 * table of 4-byte words (see words.h). Kernels may still be reading the old memory.
 * FALSE: the error is in @job. */
gboolean mgpu_slot_set_words (gpointer self, guint slot, GstMgpuJob * job, const GArray * words);

/* Lets kernels of @job read the memory of a slot (scratch buffer). If the slot has no
 * memory yet, allocates it and copies the table of 4-byte words @words to it. */
cl_mem mgpu_slot_read_words (gpointer self, guint slot, GstMgpuJob * job, const GArray * words);

/* Sets @group to the size of a work-group: @width x @height work-items, or fewer if the
 * device does not allow so many. */
void mgpu_group (GstMgpuContext * context, gsize width, gsize height, gsize group[2]);

/* Launches a kernel on @width x @height samples, of which each work-item processes
 * @columns x @rows. The work-groups have @local[0] x @local[1] work-items. */
void mgpu_launch (GstMgpuJob * job, cl_kernel kernel, gint width, gint height, gint columns, gint rows,
    const gsize local[2]);

/* Launches a kernel with @n work-items in one dimension, rounded up to whole work-groups
 * of @group work-items. Launches nothing when @n is 0. */
void mgpu_launch_items (GstMgpuJob * job, cl_kernel kernel, gsize n, gsize group);

/* Launches a kernel like mgpu_launch(), on each of @n planes at once: the number of a
 * work-item in the third dimension is the number of its plane. */
void mgpu_launch_planes (GstMgpuJob * job, cl_kernel kernel, guint n, gint width, gint height, gint columns,
    gint rows, const gsize local[2]);

/* Launches a kernel on @n planes of @columns x @rows samples. Each work-item processes
 * @lanes columns of one row; a work-group has @group work-items, side by side. */
void mgpu_launch_rows (GstMgpuJob * job, cl_kernel kernel, guint n, gint columns, gint rows, gint lanes, gint group);

G_END_DECLS
