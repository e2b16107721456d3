/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernel.h"

G_BEGIN_DECLS

/* Beginning of the names of kernels in the program; the name in the user's file follows */
#define MGPU_KERNEL_PREFIX "mgpu_kernel_"

/* Formats and colorimetry of the frames of a program. @out: what its kernels write. @result: what
 * the last pass writes. @second may be NULL. */
typedef struct
{
  const GstVideoInfo *in, *second, *out, *result;
  gboolean is_whole;            /* the knob WHOLE */
} MgpuKernelFormats;

/* Makes the OpenCL source of kernels of @text.
 * @functions: indices in text->functions of the kernels that will run, @n of them.
 * @groups: size of the work-groups of each of text->functions.
 * @header: set to the number of lines in front of the text.
 * Returns: (transfer full): the source; NULL with the error set */
gchar *mgpu_kernel_make_source (const MgpuKernelText * text, const guint * functions, guint n,
    const MgpuKernelFormats * formats, const gint (*groups)[2], guint * header, GError ** error);

/* A pass: a kernel, and the function of the text that it runs */
typedef struct
{
  const MgpuKernelFunction *function;
  cl_kernel kernel;
} MgpuKernelPass;

/* Indices of the knobs */
enum
{
  MGPU_KERNEL_ITEMS_X,
  MGPU_KERNEL_ITEMS_Y,
  MGPU_KERNEL_WHOLE
};

/* Scratch buffers of an object. Previous frames alternate between two, because parts of a frame
 * may still read the previous one after the frame itself was stored. */
enum
{
  MGPU_KERNEL_SLOT_BETWEEN,     /* 2 frames between passes */
  MGPU_KERNEL_SLOT_PREVIOUS = 2,        /* 2 frames */
  MGPU_KERNEL_SLOT_FEEDBACK = 4,        /* the last result */
  MGPU_KERNEL_SLOT_BUFFER,      /* buffers of the text */
  MGPU_KERNEL_N_SLOTS = MGPU_KERNEL_SLOT_BUFFER + MGPU_KERNEL_MAX_BUFFERS
};

typedef struct
{
  MgpuObject object;
  MgpuKernelText *text;
  MgpuKernelPass passes[MGPU_KERNEL_MAX_PASSES];
  guint n_passes;
  gint last_writer;             /* index of the last pass that writes a frame; -1: none does */
  gint (*groups)[2];            /* work-groups of text->functions; 0, 0: those of the knobs */
  GstMemory *results;           /* of the last frame; NULL if there are none */
  gboolean has_frame;           /* whether @frame is the number of a frame */
  guint64 frame;                /* number of the last frame */
  guint n_previous;             /* frames stored since mgpu_kernel.forget() */
  gboolean has_feedback;        /* whether the last result is stored */
} MgpuUserKernel;

/* Builds the kernels of the passes. *@log: see mgpu_kernel_new(); may be NULL */
gboolean mgpu_kernel_build (MgpuUserKernel * self, gchar ** log, GError ** error);

/* Releases them. */
void mgpu_kernel_release (MgpuUserKernel * self);

/* Sets the arguments of a pass and launches it. */
typedef struct
{
  const MgpuKernelParams *params;
  const MgpuImage *in, *out, *source, *second, *previous, *feedback;
  MgpuRect part;                /* of the frame */
  gint has;                     /* bits: 1 second, 2 previous, 4 feedback */
} MgpuKernelLaunch;

void mgpu_kernel_launch (MgpuUserKernel * self, GstMgpuJob * job, const MgpuKernelPass * pass,
    const MgpuKernelLaunch * launch);

G_END_DECLS
