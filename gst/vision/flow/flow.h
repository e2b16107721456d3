/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Speed and precision of flow: see docs/algorithms/flow.md */
typedef enum
{
  MGPU_FLOW_ULTRAFAST,
  MGPU_FLOW_FAST,
  MGPU_FLOW_MEDIUM,
  MGPU_FLOW_FINE
} MgpuFlowPreset;

typedef enum
{
  MGPU_FLOW_TO_PREVIOUS,
  MGPU_FLOW_FROM_PREVIOUS,
  MGPU_FLOW_BOTH
} MgpuFlowDirection;

typedef enum
{
  MGPU_FLOW_STEADY,
  MGPU_FLOW_CHANGES
} MgpuFlowLighting;

typedef struct
{
  gboolean dense;               /* whether flow is measured */
  gint preset;                  /* a MgpuFlowPreset */
  gint direction;               /* a MgpuFlowDirection */
  gint lighting;                /* a MgpuFlowLighting: whether brightness may change between
                                 * frames */
  gboolean temporal;            /* whether the search begins with the flow of the previous frame */
} MgpuFlowParams;

/* Size of a field, in samples. A sample stands for a square of 2^shift x 2^shift pixels. */
typedef struct
{
  gint width, height, shift;
} MgpuFlowSize;

/* Memories of a field: the flow, two gint16 for each sample (motion to the right and down, in units
 * of 1/32 pixel), and the confidence, a byte for each sample. */
typedef struct
{
  GstMgpuMemory *flow, *confidence;
} MgpuFlowField;

/* Indices of the fields that mgpu_flow_enqueue() writes */
enum
{
  MGPU_FLOW_FIELD_TO_PREVIOUS,
  MGPU_FLOW_FIELD_FROM_PREVIOUS,
  MGPU_FLOW_N_FIELDS
};

/* A pyramid level of a frame: pixel (x, y) is at offset + y * stride + x. Values are in units of
 * 1/16 of an 8-bit step, and 16 pixels around the level repeat its edges. */
typedef struct
{
  gint width, height, stride, offset;
} MgpuFlowLevel;

/* Minimum number of pyramid levels of a frame */
#define MGPU_FLOW_MIN_LEVELS 4

/* The pyramids of the last two frames */
typedef struct
{
  const MgpuFlowLevel *levels;  /* the levels: the frame, and copies of it, each of half the size of
                                 * the level before */
  cl_mem now, previous;         /* arrays of guint16; @previous is NULL without a previous frame */
} MgpuFlowLevels;

typedef struct _MgpuFlow MgpuFlow;

/* Describes the algorithm that measures the flow of the first color component between a frame
 * and the previous one. An object of mgpu_object_new() is a MgpuFlow, and has no parameters. Its
 * function forget() drops the previous frame and its flow. */
extern const MgpuAlgorithm mgpu_flow;

/* Minimum width and height of a frame */
#define MGPU_FLOW_LEAST 16

/* Returns: whether the object has a previous frame, so that flow can be measured for the next
 * frame */
gboolean mgpu_flow_has_previous (const MgpuFlow * self);

/* Returns: whether the device can allocate the memory that a preset needs for a frame */
gboolean mgpu_flow_check_size (const MgpuFlow * self, MgpuFlowPreset preset, GError ** error);

/* Returns: the size of the flow field of a preset */
MgpuFlowSize mgpu_flow_get_size (const MgpuFlow * self, MgpuFlowPreset preset);

/* Makes @in the current frame, and enqueues the kernels that write its flow to the elements of
 * @fields for the selected directions. Without a previous frame, nothing is written. Errors stay in
 * @job. */
void mgpu_flow_enqueue (MgpuFlow * self, GstMgpuJob * job, const MgpuFlowParams * params,
    const MgpuImage * in,
    const MgpuFlowField fields[MGPU_FLOW_N_FIELDS]);

/* Lets kernels of @job read the pyramid of the frame that was passed to the last call of
 * mgpu_flow_enqueue(). */
void mgpu_flow_get_levels (MgpuFlow * self, GstMgpuJob * job, MgpuFlowLevels * levels);

G_END_DECLS
