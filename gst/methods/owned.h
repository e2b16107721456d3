/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Holds the object with the kernels that a method of a meta, such as matching keypoints,
 * runs on one device. The context of the device owns this struct, which therefore holds
 * no reference to the context. */
typedef struct
{
  GMutex lock;                  /* lock that a thread holds while it uses @object */
  gpointer object;              /* result of mgpu_object_new(); NULL until it is first needed */
} MgpuOwned;

/* Finds the MgpuOwned that @context has under @name, a static string, or makes it on the
 * first call, and locks it. The caller has to unlock its member @lock.
 * Returns: (transfer none): the locked MgpuOwned */
G_GNUC_INTERNAL
MgpuOwned * mgpu_owned_lock (GstMgpuContext * context, const gchar * name);

G_END_DECLS
