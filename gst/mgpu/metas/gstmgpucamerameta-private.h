/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpucamerameta.h>

#include "gstmgpumeta-private.h"

G_BEGIN_DECLS

/* The camera of a frame. All copies of a GstMgpuCameraMeta share it. @model: data that the
 * functions which project rays have computed from the camera; freed by g_free(); set once, by
 * g_once_init_enter() */
struct _GstMgpuCameraTables
{
  GstMiniObject parent;
  GstMgpuCamera camera;
  gpointer model;
};

G_END_DECLS
