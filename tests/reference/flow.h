/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Fast and rough first */
typedef enum
{
  REF_FLOW_ULTRAFAST,
  REF_FLOW_FAST,
  REF_FLOW_MEDIUM,
  REF_FLOW_FINE
} RefFlowPreset;

typedef struct
{
  RefFlowPreset preset;
  int lighting_changes;         /* whether the brightness may change between the frames */
} RefFlowParams;

/* A flow field of @width x @height samples. Sample (x, y) describes the square of 2^shift pixels
 * from pixel (x << shift, y << shift) on: flow[2 * (y * width + x)] is the distance by which its
 * content moves to the right, and the next number the distance downwards, in units of 1/32
 * pixel. */
typedef struct
{
  int width, height, shift;
  int16_t *flow;                /* REF_FLOW_NONE: no value */
  uint8_t *confidence;          /* 0 to 255 */
} RefFlow;

#define REF_FLOW_NONE INT16_MIN

/* Sets the size of the flow field of frames of @width x @height pixels. */
void ref_flow_size (const RefFlowParams * params, int width, int height, RefFlow * field);

/* Computes the flow from the frame @from to the frame @to: where the content of each pixel of @from
 * is in @to. @before is the flow field of the previous frames, or NULL. The caller made @field with
 * ref_flow_size() and owns its two arrays. Returns 0 if there is not enough memory. */
int ref_flow (const RefFlowParams * params, const RefPlane * from, const RefPlane * to,
    const RefFlow * before,
    const RefFlow * field);

/* Lowers the confidence of @field where @back, the flow field from the second frame to the first,
 * contradicts it. */
void ref_flow_compare (const RefFlow * field, const RefFlow * back);

/* Sets @u and @v to the flow of pixel (@x, @y), in units of 1/32 pixel. Returns 0 if the flow is
 * unknown there. */
int ref_flow_at (const RefFlow * field, int x, int y, int *u, int *v);
