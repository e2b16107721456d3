/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/overlay/overlay.h>

G_BEGIN_DECLS

/* The trails of objects with an id: their positions in the last frames. */
typedef struct _MgpuTrails MgpuTrails;

MgpuTrails * mgpu_trails_new   (void);
void         mgpu_trails_free  (MgpuTrails * self);

/* Forgets the trails of all objects. */
void         mgpu_trails_clear (MgpuTrails * self);

/* Adds the positions of the objects of a frame to their trails. The position of an
 * object is the center of the lower edge of its box. @objects is an array of
 * GstMgpuDetection. Forgets positions that are more than @length frames old. */
void         mgpu_trails_add   (MgpuTrails * self, const GPtrArray * objects, guint length);

/* Adds the trail of each object, as a line, to the shapes that @overlay draws. */
void         mgpu_trails_draw  (const MgpuTrails * self, MgpuOverlay * overlay);

G_END_DECLS
