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
  const gchar *file;            /* path below kernels/, without ".cl": "sharpen/direct" */
  const gchar *name;            /* name of the kernel function */
  guint set;                    /* number of its set, below MGPU_MAX_SETS; kernels of
                                 * one set are made together */
} MgpuKernel;

/* Holds the parameters of an algorithm for one frame, and the images that it reads and
 * writes. */
typedef struct
{
  gconstpointer params;
  const MgpuImage *in, *guide, *out;    /* guide and out may be NULL */
} MgpuWork;

/* Describes an algorithm. Lists end with an element whose name is NULL. Functions that an
 * algorithm does not need are NULL. */
typedef struct
{
  gsize size;                   /* bytes of an object, which begins with a MgpuObject */
  gsize params_size;            /* bytes of the struct of its parameters */
  const MgpuParam *params;      /* list of the members of that struct; may be NULL */
  const MgpuKnob *knobs;        /* list of its knobs; may be NULL */
  const MgpuKernel *kernels;
  guint n_slots;                /* number of device memories that an object keeps */

  /* Fills the members of a new object, and lowers knobs whose values are too high for the
   * device or the images. Called before kernels of set 0 are made. The pointer params is
   * the one that mgpu_object_new() got. */
  gboolean (*init) (gpointer self, gconstpointer params, GError ** error);

  /* Appends to options, behind the knobs, further -D definitions for the kernels of set. */
  void (*define) (gpointer self, guint set, GString * options);

  /* Enqueues the kernels that process one frame; errors stay in job. */
  void (*enqueue) (gpointer self, GstMgpuJob * job, const MgpuWork * work);

  /* Tells whether the algorithm leaves frames unchanged with these parameters. NULL when
   * it never does. */
  gboolean (*passes) (gconstpointer params);

  /* Drops what the object remembers of earlier frames; called after a flush or a gap in
   * the stream. */
  void (*forget) (gpointer self);

  /* Frees what the object owns beside its kernels and slots. */
  void (*clear) (gpointer self);
} MgpuAlgorithm;

/* Begins the struct of the objects of every algorithm. mgpu_object_new() fills it before
 * it calls init(). */
typedef struct
{
  const MgpuAlgorithm *algorithm;
  GstMgpuContext *context;      /* device that it works on; not owned */
  const GstMgpuTraits *traits;  /* traits of that device */
  /* Formats of the images that it works on; format UNKNOWN where there is no image */
  GstVideoInfo in, guide, out;
  gint *knobs;                  /* values of the knobs, in the order of the list */
  cl_kernel *kernels;           /* kernels in the order of the list; NULL until made */
  GstMemory **slots;            /* n_slots device memories, each NULL until used */
  /* For each set, the options that mgpu_object_renew() made it with, or NULL */
  gchar *renewed[MGPU_MAX_SETS];
} MgpuObject;

/* Makes an object of algorithm for images like in, guide and out, each of which may be
 * NULL, and makes the kernels of set 0. The pointer params is handed to init() and may
 * be NULL.
 * Returns: (transfer full): the object; NULL with the error set */
gpointer mgpu_object_new (const MgpuAlgorithm * algorithm, GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * guide, const GstVideoInfo * out, gconstpointer params, GError ** error);

/* Makes the kernels of set, unless they were made before. FALSE: the error is set. */
gboolean mgpu_object_build (gpointer self, guint set, GError ** error);

/* Makes the kernels of set with the options that define() gives now. Keeps kernels that
 * an earlier call made with the same options. FALSE: the error is set. */
gboolean mgpu_object_renew (gpointer self, guint set, GError ** error);

/* Makes the kernels of set, unless they were made before. FALSE: the error is in job. */
gboolean mgpu_object_ensure (gpointer self, guint set, GstMgpuJob * job);

/* Frees an object and all it owns; self may be NULL. */
void mgpu_object_free (gpointer self);

/* Tells whether slot holds a memory of at least size bytes. */
gboolean mgpu_slot_has (gpointer self, guint slot, gsize size);

/* Makes sure that slot holds a memory of at least size bytes. A memory that is large
 * enough stays, with its content; a smaller one is replaced. FALSE: the error is in
 * job. */
gboolean mgpu_slot_ensure (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Does the same as mgpu_slot_ensure(), and fills memory that it allocates with zeros. */
gboolean mgpu_slot_ensure_zeros (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Makes image the image of the format and size of info in slot, whose memory grows to
 * that size. FALSE: the error is in job. */
gboolean mgpu_slot_image (gpointer self, guint slot, GstMgpuJob * job, const GstVideoInfo * info, MgpuImage * image);

/* Writes the size bytes at data to the memory of slot, and zeros behind them. Allocates
 * at least size + margin bytes where the slot has less. FALSE: the error is in job. */
gboolean mgpu_slot_upload (gpointer self, guint slot, GstMgpuJob * job, gconstpointer data, gsize size, gsize margin);

/* Waits for the commands that write to the memory of slot, and copies size bytes of it to
 * data. FALSE: the error is in job. */
gboolean mgpu_slot_download (gpointer self, guint slot, GstMgpuJob * job, gpointer data, gsize size);

/* Lets kernels of job write to the memory of slot, which is allocated with size bytes
 * where it has less. With a size of 0 the memory has to be there.
 * Returns: the memory for gst_mgpu_job_set_args(); NULL after an error, which is in job */
cl_mem mgpu_slot_write (gpointer self, guint slot, GstMgpuJob * job, gsize size);

/* Lets kernels of job read the memory of slot, which has to be there. */
cl_mem mgpu_slot_read (gpointer self, guint slot, GstMgpuJob * job);

/* Replaces the memory of slot by a new one with a copy of words: see words.h. Kernels may
 * still be reading the old one. FALSE: the error is in job. */
gboolean mgpu_slot_set_words (gpointer self, guint slot, GstMgpuJob * job, const GArray * words);

/* Lets kernels of job read the memory of slot. Where the slot has none, allocates it and
 * copies words to it. */
cl_mem mgpu_slot_read_words (gpointer self, guint slot, GstMgpuJob * job, const GArray * words);

/* Sets group to the size of a work-group: width x height work-items, or fewer if the
 * device does not allow as many. */
void mgpu_group (GstMgpuContext * context, gsize width, gsize height, gsize group[2]);

/* Launches a kernel on width x height samples, of which each work-item takes
 * columns x rows. The work-groups have local[0] x local[1] work-items. */
void mgpu_launch (GstMgpuJob * job, cl_kernel kernel, gint width, gint height, gint columns, gint rows,
    const gsize local[2]);

/* Launches n work-items, or as many more as it takes to fill all work-groups of group
 * work-items; none when n is 0. */
void mgpu_launch_items (GstMgpuJob * job, cl_kernel kernel, gsize n, gsize group);

/* Launches a kernel like mgpu_launch(), on each of n planes at once: the third dimension
 * of the work-items is the number of the plane. */
void mgpu_launch_planes (GstMgpuJob * job, cl_kernel kernel, guint n, gint width, gint height, gint columns,
    gint rows, const gsize local[2]);

/* Launches a kernel with n work-items for each lanes columns of each row. A work-group has
 * group work-items, side by side. */
void mgpu_launch_rows (GstMgpuJob * job, cl_kernel kernel, guint n, gint columns, gint rows, gint lanes, gint group);

G_END_DECLS
