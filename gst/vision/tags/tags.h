/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

#include <kernels/tags/tags-shared.h>

G_BEGIN_DECLS

/* Levels of detail: the sizes of the maps in which borders are searched for, see
 * docs/algorithms/tags.md */
typedef enum
{
  MGPU_TAGS_FULL,
  MGPU_TAGS_HALF,
  MGPU_TAGS_QUARTER
} MgpuTagsDetail;

typedef enum
{
  MGPU_TAGS_NORMAL,
  MGPU_TAGS_INVERTED,
  MGPU_TAGS_BOTH
} MgpuTagsPolarity;

typedef enum
{
  MGPU_TAGS_REFINE_NONE,
  MGPU_TAGS_REFINE_EDGES,
  MGPU_TAGS_REFINE_CELLS
} MgpuTagsRefine;

/* Parameters for a frame */
typedef struct
{
  gint polarity;                /* a MgpuTagsPolarity */
  gint refine;                  /* a MgpuTagsRefine */
  gdouble min_size;             /* minimum length of a side, in pixels */
} MgpuTagsParams;

/* A family, in the form that mgpu_tags_set_families() expects */
typedef struct
{
  guint n_bits, border, width;  /* see TagsFamily */
  gboolean is_white;
  const gint8 *x, *y;           /* cell of each bit, beginning with the most significant bit */
  guint n_codes;
  const guint64 *codes;
  gint most_errors[TAGS_MAX_HAMMING + 1];       /* limits of the evidence: see TagsFamily */
} MgpuTagsFamily;

/* Parameters of an object, for the argument @params of mgpu_object_new() */
typedef struct
{
  gint detail;                  /* a MgpuTagsDetail */
} MgpuTagsSetup;

typedef struct _MgpuTags MgpuTags;

/* Describes the algorithm that finds and reads tags in the first color component of a frame. An
 * object of mgpu_object_new() is a MgpuTags; its params are a MgpuTagsSetup, and NULL means full
 * detail. */
extern const MgpuAlgorithm mgpu_tags;

/* Size in bytes of the memory for the results of a frame: a TagsHeader and TAGS_MAX_TAGS
 * TagsRecord */
#define MGPU_TAGS_RESULT_SIZE \
    (sizeof (TagsHeader) + TAGS_MAX_TAGS * sizeof (TagsRecord))

/* Returns: whether the device can allocate the memory that frames of this size need */
gboolean mgpu_tags_check_size (const MgpuTags * self, GError ** error);

/* Sets the families that are searched for in later frames, up to TAGS_MAX_FAMILIES, and copies
 * them. Frames that are already enqueued use the old families. */
void mgpu_tags_set_families (MgpuTags * self, const MgpuTagsFamily * families, guint n);

/* Enqueues the kernels that find the tags in the frame @in, and write a TagsHeader and its records
 * to @result, which has MGPU_TAGS_RESULT_SIZE bytes. Errors stay in @job. */
void mgpu_tags_enqueue (MgpuTags * self, GstMgpuJob * job, const MgpuTagsParams * params, const MgpuImage * in,
    GstMgpuMemory * result);

G_END_DECLS
