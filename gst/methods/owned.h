/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* The object with the kernels of a method of a meta, such as matching keypoints, in one
 * context. The context owns this struct; the struct therefore must not hold a reference to the
 * context. */
typedef struct
{
  GMutex lock;                  /* lock that a thread holds while it uses @object */
  gpointer object;              /* result of mgpu_object_new(); NULL before the first use */
} MgpuOwned;

/* Looks up the MgpuOwned of @context with the name @name, a static string; makes it at the
 * first call. Locks its member @lock, which the caller has to unlock. Returns: (transfer
 * none): the locked MgpuOwned */
G_GNUC_INTERNAL
MgpuOwned * mgpu_owned_lock (GstMgpuContext * context, const gchar * name);

G_END_DECLS
