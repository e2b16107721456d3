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

/* Names a kernel of an algorithm. */
typedef struct
{
  const gchar *file;            /* in kernels/, without ".cl": "sharpen/direct" */
  const gchar *name;            /* of the function */
  guint set;                    /* kernels of one set are made together; below
                                 * MGPU_MAX_SETS */
} MgpuKernel;

/* Tells what an algorithm reads and writes for one frame. */
typedef struct
{
  gconstpointer params;
  const MgpuImage *in, *guide, *out;    /* guide and out may be NULL */
} MgpuWork;

/* Describes an algorithm. Lists end with a NULL name, functions may be NULL. */
typedef struct
{
  gsize size;                   /* bytes of its struct, which begins with a MgpuObject */
  gsize params_size;            /* bytes of the struct of its parameters */
  const MgpuParam *params;      /* the members of that struct; may be NULL */
  const MgpuKnob *knobs;        /* may be NULL */
  const MgpuKernel *kernels;
  guint n_slots;                /* memories that its kernels leave for each other */

  /* Reads what the object needs of its images, and lowers knobs that the device or the
   * images do not allow. Called before kernels are made. params: as in
   * mgpu_object_new() */
  gboolean (*init) (gpointer self, gconstpointer params, GError ** error);

  /* Appends, beside the knobs, the options that the kernels of set are built with. */
  void (*define) (gpointer self, guint set, GString * options);

  /* Enqueues the work on one frame; errors stay in job. */
  void (*enqueue) (gpointer self, GstMgpuJob * job, const MgpuWork * work);

  /* Tells whether frames stay as they are with these parameters. NULL: never */
  gboolean (*passes) (gconstpointer params);

  /* Forgets frames that came before, after a flush or a gap. */
  void (*forget) (gpointer self);

  /* Frees what the object has beside kernels and slots. */
  void (*clear) (gpointer self);
} MgpuAlgorithm;

/* Begins the struct of every algorithm. Filled before init() is called. */
typedef struct
{
  const MgpuAlgorithm *algorithm;
  GstMgpuContext *context;      /* not owned */
  GstVideoInfo in, guide, out;  /* images that it works on; without format for none */
  gint *knobs;                  /* a value for each, in the order of the list */
  cl_kernel *kernels;           /* in the order of the list; NULL until made */
  GstMemory **slots;            /* NULL until used */
  gchar *renewed[MGPU_MAX_SETS];        /* options of sets that are renewed, or NULL */
} MgpuObject;

/* Makes an object of algorithm for images like in, guide and out, each of which may be
 * NULL, and the kernels of set 0. params: what init() gets; may be NULL.
 * Returns: (transfer full): the object; NULL with the error set */
gpointer mgpu_object_new (const MgpuAlgorithm * algorithm, GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * guide, const GstVideoInfo * out, gconstpointer params, GError ** error);

/* Makes the kernels of set, unless they are there. FALSE: the error is set. */
gboolean mgpu_object_build (gpointer self, guint set, GError ** error);

/* Makes the kernels of set anew if what define() appends for them is not the same as
 * when they were made. FALSE: the error is set. */
gboolean mgpu_object_renew (gpointer self, guint set, GError ** error);

/* Makes the kernels of set, unless they are there. FALSE: the error is in job. */
gboolean mgpu_object_ensure (gpointer self, guint set, GstMgpuJob * job);

/* Frees an object with all it has; self may be NULL. */
void mgpu_object_free (gpointer self);

/* Makes slot a memory of at least size bytes. Its content stays only if it was as large.
 * is_new, which may be NULL: (out): whether it was made now. FALSE: the error is in
 * job. */
gboolean mgpu_slot_ensure (gpointer self, guint slot, GstMgpuJob * job, gsize size, gboolean * is_new);

/* As mgpu_slot_ensure(), with zeros in memory that is made now. */
gboolean mgpu_slot_ensure_zeros (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Makes slot a memory of at least size + margin bytes that holds the size bytes at data,
 * and zeros behind them. FALSE: the error is in job. */
gboolean mgpu_slot_upload (gpointer self, guint slot, GstMgpuJob * job, gconstpointer data, gsize size, gsize margin);

/* Lets job write slot, which is there, or is made with size bytes unless size is 0. */
cl_mem mgpu_slot_write (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Lets job read slot, which is there. */
cl_mem mgpu_slot_read (gpointer self, guint slot, GstMgpuJob * job);

/* Lets job read slot, which is made of words, gint or gfloat, when it is not there. */
cl_mem mgpu_slot_read_words (gpointer self, guint slot, GstMgpuJob * job, const GArray * words);

/* Sets group to the size of a work-group: width x height work-items, or as many as the
 * device allows. */
void mgpu_group (GstMgpuContext * context, gsize width, gsize height, gsize group[2]);

/* Launches as many work-items as take width x height samples, columns x rows each, in
 * work-groups of local. */
void mgpu_launch (GstMgpuJob * job, cl_kernel kernel, gint width, gint height, gint columns, gint rows,
    const gsize local[2]);

/* As mgpu_launch(), once for each of n planes: the third dimension counts them. */
void mgpu_launch_planes (GstMgpuJob * job, cl_kernel kernel, guint n, gint width, gint height, gint columns,
    gint rows, const gsize local[2]);

G_END_DECLS
