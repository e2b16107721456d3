/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares filters that change parts of frames with the same filters for whole frames. The output
 * has to be the blend of the frame and the filter's result for the whole frame. */
#pragma once

#include "inpaint.h"

#include "../../reference/blend.h"

/* Filters whose results depend on: a few pixels around each pixel, the whole frame, blocks, luma
 * only, and earlier frames */
static const gchar *const launches[] = {
  "mgpublur sigma=5", "mgpublur sigma=1.2", "mgpusharpen sigma=2 amount=3",
  "mgpusharpen sigma=13 amount=-1", "mgpublur method=pixelate block-size=22",
  "mgpublur method=fill color=0xff204060", "mgpuhisteq",
  "mgpuhisteq method=clahe", "mgpubilateral planes=all radius=3",
  "mgpubilateral method=grid sigma-space=7 planes=all",
  "mgpubilateral method=constant-time sigma-space=4 planes=all",
  "mgpuintegral box-radius=5",
  "mgpudenoise noise=20", "mgpulocalcontrast detail=2"
};

/* Where a frame changes */
typedef struct
{
  guint8 *base;                 /* the mask before it is dilated and feathered */
  gint dilate, feather;
  gboolean invert;
  gdouble mix;
} Mask;

/* The input frame @in, the filter's result @f for the whole frame, and the expected output */
typedef struct
{
  const Mask *mask;
  GstVideoFrame *f;
} Blend;

static inline void
regions_reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const Blend *b = data;
  gint width = GST_VIDEO_FRAME_WIDTH (in), height = GST_VIDEO_FRAME_HEIGHT (in);
  g_autofree guint8 *mask = g_malloc ((gsize) width * height);

  ref_blend_grow (b->mask->base, mask, width, height, b->mask->dilate,
      b->mask->feather);
  for (guint i = 0; i < MIN (GST_VIDEO_FRAME_N_COMPONENTS (in), 3); i++) {
    RefPlane to = ref_plane (out, i), from = ref_plane (b->f, i);

    ref_blend (&to, &from, mask, width, height,
        in->info.finfo->w_sub[i], in->info.finfo->h_sub[i], b->mask->invert,
        (gint) (256 * b->mask->mix + 0.5));
  }
}

/* Two elements with the same properties, of which one changes only parts of frames */
typedef struct
{
  GstHarness *whole, *part;
  GstElement *filter;
  GstVideoInfo info;
} Pair;

static inline void
pair_set_caps (Pair * pair, GstVideoFormat format, gint width, gint height)
{
  GstCaps *caps = caps_new (format, width, height, FALSE);

  fail_unless (gst_video_info_from_caps (&pair->info, caps));
  gst_harness_set_src_caps (pair->whole, gst_caps_ref (caps));
  gst_harness_set_src_caps (pair->part, caps);
}

static inline GstHarness *
open_filter (const gchar * launch)
{
  g_autofree gchar *text = g_strdup_printf ("%s name=f", launch);
  GstHarness *h = harness_open (text);

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (h, "video/x-raw");
  return h;
}

static inline void
pair_init (Pair * pair, const gchar * launch, GstVideoFormat format, gint width,
    gint height)
{
  pair->whole = open_filter (launch);
  pair->part = open_filter (launch);
  pair->filter = harness_filter (pair->part);
  pair_set_caps (pair, format, width, height);
}

static inline void
pair_clear (Pair * pair)
{
  gst_object_unref (pair->filter);
  harness_end (pair->whole);
  harness_end (pair->part);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

/* Marks a box, clipped to the frame, in the mask. */
static inline void
mark (const GstVideoInfo * info, guint8 * mask, gint x, gint y, gint width,
    gint height)
{
  for (gint j = MAX (y, 0); j < MIN (y + height, info->height); j++)
    for (gint i = MAX (x, 0); i < MIN (x + width, info->width); i++)
      mask[j * info->width + i] = 255;
}

static inline void
set_mask (GstElement * filter, const Mask * mask)
{
  g_object_set (filter, "mask-dilate", mask->dilate, "mask-feather",
      mask->feather, "mask-invert", mask->invert, "mix", mask->mix, NULL);
}

/* Adds a region of interest to the frame. */
static inline void
add_region (GstBuffer * buffer, const gchar * type, gint x, gint y, gint width,
    gint height)
{
  gst_buffer_add_video_region_of_interest_meta (buffer, type, (guint) x,
      (guint) y, width, height);
}

/* Compares the filter's output for @frame (transfer full) with the reference. */
static inline void
check_frame (Pair * pair, GstBuffer * frame, const Mask * mask)
{
  g_autoptr (GstBuffer) copy = gst_buffer_copy_deep (frame), f = NULL, out = NULL;
  GstVideoFrame picture;
  Blend blend = { mask, &picture };

  f = harness_push_pull (pair->whole, gst_buffer_copy_deep (frame));
  set_mask (pair->filter, mask);
  out = harness_push_pull (pair->part, frame);
  fail_unless (gst_video_frame_map (&picture, &pair->info, f, GST_MAP_READ));
  fail_unless_as_reference (&pair->info, copy, out, regions_reference,
      &blend);
  gst_video_frame_unmap (&picture);
}
