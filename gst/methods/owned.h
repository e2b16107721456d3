/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Holds the object with the kernels that a method of a meta, such as matching keypoints,
 * runs on one device. The context owns it, and it holds no reference to the context. */
typedef struct
{
  GMutex lock;                  /* held while a thread uses the member object */
  gpointer object;              /* result of mgpu_object_new(); NULL until a method makes it */
} MgpuOwned;

/* Returns and locks the MgpuOwned that @context has under name, a static
 * string. Makes it on the first call. The caller unlocks its mutex lock. */
G_GNUC_INTERNAL
MgpuOwned * mgpu_owned_lock (GstMgpuContext * context, const gchar * name);

G_END_DECLS
