/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernel.h"

G_BEGIN_DECLS

/* Beginning of the names of kernels in the program; the name in the user's file follows */
#define MGPU_KERNEL_PREFIX "mgpu_kernel_"

/* Formats and colorimetry of the frames of a program. @out: output of its kernels. @result: output
 * of the last pass. @second may be NULL. */
typedef struct
{
  const GstVideoInfo *in, *second, *out, *result;
  gboolean is_whole;            /* value of the tuning parameter WHOLE */
} MgpuKernelFormats;

/* Makes the OpenCL source of kernels of @text. @functions: indices in text->functions of the @n
 * kernels that will run. @groups: work-group size of each element of text->functions. @header: set
 * to the number of lines that precede the text. Returns: (transfer full): the source; NULL with the
 * error set */
gchar *mgpu_kernel_make_source (const MgpuKernelText * text, const guint * functions, guint n,
    const MgpuKernelFormats * formats, const gint (*groups)[2], guint * header, GError ** error);

/* A pass: a kernel, and the function of the text from which it was built */
typedef struct
{
  const MgpuKernelFunction *function;
  cl_kernel kernel;
} MgpuKernelPass;

/* Indices of the tuning parameters */
enum
{
  MGPU_KERNEL_ITEMS_X,
  MGPU_KERNEL_ITEMS_Y,
  MGPU_KERNEL_WHOLE
};

/* Scratch buffers of an object. The previous frame is stored alternately in two slots, because
 * after the current frame was stored, parts of it may still be computed, and read the previous
 * frame. */
enum
{
  MGPU_KERNEL_SLOT_BETWEEN,     /* 2 slots: frames that one pass writes and the next pass reads */
  MGPU_KERNEL_SLOT_PREVIOUS = 2,        /* 2 slots: previous frames */
  MGPU_KERNEL_SLOT_FEEDBACK = 4,        /* result of the last frame */
  MGPU_KERNEL_SLOT_BUFFER,      /* a slot for each buffer of the text */
  MGPU_KERNEL_N_SLOTS = MGPU_KERNEL_SLOT_BUFFER + MGPU_KERNEL_MAX_BUFFERS
};

typedef struct
{
  MgpuObject object;
  MgpuKernelText *text;
  MgpuKernelPass passes[MGPU_KERNEL_MAX_PASSES];
  guint n_passes;
  gint last_writer;             /* index of the last pass that writes a frame; -1 if no pass does */
  gint (*groups)[2];            /* work-group sizes of text->functions; 0, 0 means the size that
                                 * the tuning parameters determine */
  GstMemory *results;           /* memory with the results of the last frame; NULL if there are
                                 * none */
  gboolean has_frame;           /* whether @frame is valid */
  guint64 frame;                /* number of the last frame */
  guint n_previous;             /* number of frames stored since mgpu_kernel.forget() */
  gboolean has_feedback;        /* whether the slot FEEDBACK contains the last result */
} MgpuUserKernel;

/* Builds the kernels of the passes. *@log: see mgpu_kernel_new(); may be NULL */
gboolean mgpu_kernel_build (MgpuUserKernel * self, gchar ** log, GError ** error);

/* Releases the kernels of the passes. */
void mgpu_kernel_release (MgpuUserKernel * self);

/* Arguments of a launch of a pass. */
typedef struct
{
  const MgpuKernelParams *params;
  const MgpuImage *in, *out, *source, *second, *previous, *feedback;
  MgpuRect part;                /* the part of the frame to compute */
  gint has;                     /* flags of the images that exist: 1 second, 2 previous, 4
                                 * feedback */
} MgpuKernelLaunch;

void mgpu_kernel_launch (MgpuUserKernel * self, GstMgpuJob * job, const MgpuKernelPass * pass,
    const MgpuKernelLaunch * launch);

G_END_DECLS
