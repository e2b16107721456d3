/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/* Arguments that no bit of a mask is left for are set each time. */
#define GST_MGPU_KNOWN_ARGUMENTS 64

/* Numbers that a kernel has been given, so that they are not given again: most
 * stay the same from frame to frame, and each costs a call into the driver.
 * Belongs to who uses the kernel; one thread at a time. */
typedef struct
{
  guint64 known;                /* bit i: numbers[i] is argument i */
  guint32 numbers[GST_MGPU_KNOWN_ARGUMENTS];
} GstMgpuArguments;

/* The arguments of each kernel of a context, with a reference to it: nobody else
 * gets the same handle while they are remembered. */
typedef struct
{
  GMutex lock;
  GHashTable *kernels;          /* cl_kernel to GstMgpuArguments */
} GstMgpuArgumentsTable;

G_GNUC_INTERNAL
void   gst_mgpu_arguments_table_init  (GstMgpuArgumentsTable * self);
G_GNUC_INTERNAL
void   gst_mgpu_arguments_table_clear (GstMgpuArgumentsTable * self);
/* Remembers kernel's arguments from now on, and forgets those of kernels that
 * nobody has any more. */
G_GNUC_INTERNAL
void   gst_mgpu_arguments_table_add   (GstMgpuArgumentsTable * self, cl_kernel kernel);

/* Returns: (nullable): NULL for a kernel that was not added */
G_GNUC_INTERNAL
GstMgpuArguments *
       gst_mgpu_arguments_table_get   (GstMgpuArgumentsTable * self, cl_kernel kernel);

/* Makes argument index of kernel the 4 bytes at number. self may be NULL.
 * Returns: what clSetKernelArg() does */
G_GNUC_INTERNAL
cl_int gst_mgpu_arguments_set         (GstMgpuArguments * self, cl_kernel kernel, guint index,
                                       gconstpointer number);

G_END_DECLS
