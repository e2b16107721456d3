/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks inpainting of successive frames: a still scene with noise, a camera that moves, a scene
 * cut. */
#include "inpaint-video.h"

#include <gst/vision/inpaint/inpaint-plan.h>
#include <gst/vision/inpaint/inpaint.h>

#include "../reference/inpaint.h"
#include "../reference/samples.h"

typedef struct
{
  GstVideoFormat format;
  gint width, height, patch_size;
  gdouble search_factor;
  MgpuBox holes[2];
} Case;

static const Case cases[] = {
  {GST_VIDEO_FORMAT_RGB, 97, 61, 5, 1, {{40, 20, 58, 37}}},
  {GST_VIDEO_FORMAT_I420, 83, 64, 7, -1, {{0, 10, 13, 25}, {60, 40, 83, 57}}},
  {GST_VIDEO_FORMAT_GRAY8, 120, 57, 9, 0.5, {{30, 15, 55, 40}, {90, 3, 91, 4}}},
  {GST_VIDEO_FORMAT_GRAY16_LE, 71, 50, 3, 2, {{20, 20, 30, 28}, {40, 22, 49, 31}}}
};

/* Describes a frame: a texture that is shifted by a number of pixels, with an amount of noise; or
 * another scene. */
static const struct
{
  gint shift;
  guint noise;
  gboolean other;
} frames[] = {
  {0, 3, FALSE}, {0, 3, FALSE}, {2, 3, FALSE}, {4, 0, FALSE}, {7, 3, FALSE},
  {7, 9, FALSE}, {7, 3, TRUE}, {7, 3, TRUE}, {9, 3, TRUE}
};

static void
paint (KcPicture * picture, guint frame, KcRandom * random)
{
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); c++) {
    RefPlane plane = kc_picture_plane (picture, c);

    for (gint y = 0; y < plane.height; y++) {
      for (gint x = 0; x < plane.width; x++) {
        gint u = x + (frames[frame].shift >> (c > 0
                && plane.width < GST_VIDEO_INFO_WIDTH (&picture->info)));
        guint v = frames[frame].other ? (guint) (u * u + 7 * y * y) % 241
            : 60 + (guint) (u * 3 + y) % 32 + (guint) (u * u + 7 * y * y) % 9;

        v += kc_random_below (random, frames[frame].noise + 1);
        ref_set (&plane, x, y, MIN (v, 255) * plane.max / 255);
      }
    }
  }
}

/* Returns whether a frame is blended. Blending is used for some frames of each kind: frames that
 * are filled anew, that repeat earlier fillings, and that follow patches from frame to frame. */
static gboolean
is_blended (guint frame)
{
  return frame % 3 != 1;
}

static void
set_holes (const Case * c, guint8 * unknown, guint8 * mask)
{
  memset (mask, 0, (gsize) c->width * c->height);
  for (guint i = 0; i < G_N_ELEMENTS (c->holes); i++)
    for (gint y = c->holes[i].y0; y < c->holes[i].y1; y++)
      memset (mask + y * c->width + c->holes[i].x0, 255,
          c->holes[i].x1 - c->holes[i].x0);
  for (gint i = 0; i < c->width * c->height; i++)
    unknown[i] = mask[i] / 255;
}

/* Checks the next frame. Returns: the way in which it was filled */
static MgpuInpaintWay
check_frame (KcRun * run, const Case * c, guint number, MgpuInpaint * self,
    const guint8 * mask, RefInpaintMemory * memory, KcRandom * random)
{
  RefInpaint params = { c->patch_size, c->search_factor, 0, mask, NULL, FALSE,
    is_blended (number)
  };
  GstMgpuJob job;
  RefPlane from[4], to[4];
  GError *error = NULL;
  RefInpaintWay way;
  KcPicture *in, *want, *got;
  KcFrame *in_frame, *out_frame;
  GstVideoInfo info;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  in = kc_picture_new (&info, number % KC_N_LAYOUTS, random);
  want = kc_picture_new (&info, KC_LAYOUT_DEFAULT, random);
  got = kc_picture_copy (want);
  paint (in, number, random);
  kc_picture_copy_planes (in, want, ~0u);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&info); i++) {
    from[i] = kc_picture_plane (in, i);
    to[i] = kc_picture_plane (want, i);
  }
  if (!ref_inpaint_temporal (from, to, GST_VIDEO_INFO_N_COMPONENTS (&info),
          GST_VIDEO_INFO_IS_RGB (&info), &params, memory, &way))
    g_error ("out of memory");

  in_frame = kc_frame_new (run, in);
  out_frame = kc_frame_new (run, got);
  if (in_frame != NULL && out_frame != NULL) {
    mgpu_inpaint_set_blend (self, params.blend);
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_inpaint_enqueue (self, &job, &in_frame->image, &out_frame->image, NULL,
        NULL);
    if (!gst_mgpu_job_end (&job, &error))
      kc_case_fail_error (run, error);
    else if (kc_frame_read (run, out_frame, got))
      kc_compare_picture (run, want, got);
    if ((gint) mgpu_inpaint_get_way (self) != (gint) way)
      kc_case_fail (run, "filled in way %d instead of %d",
          mgpu_inpaint_get_way (self), way);
  }
  kc_frame_free (in_frame);
  kc_frame_free (out_frame);
  kc_picture_free (in);
  kc_picture_free (want);
  kc_picture_free (got);
  return (MgpuInpaintWay) way;
}

static void
check_case (KcRun * run, const Case * c)
{
  gsize n = (gsize) c->width * c->height;
  guint8 *unknown = g_malloc (n), *mask = g_malloc (n);
  MgpuInpaintParams params = { c->patch_size, c->search_factor,
    MGPU_INPAINT_ALL_SHORTCUTS
  };
  RefInpaintMemory memory = { g_new (gint32, n), g_new (gint32, n),
    g_new (gint32, n), g_new (guint32, n), 0, FALSE, 0
  };
  guint n_ways[3] = { 0, 0, 0 };
  GError *error = NULL;
  MgpuInpaint *self;
  KcRandom random;
  GstVideoInfo info;

  kc_random_init (&random, 3);
  set_holes (c, unknown, mask);
  gst_video_info_set_format (&info, c->format, c->width, c->height);
  self = mgpu_object_new (&mgpu_inpaint, run->context, &info, NULL, NULL, NULL,
      &error);
  if (self != NULL) {
    mgpu_inpaint_set_mask (self, unknown, NULL, &params);
    mgpu_inpaint_set_temporal (self, TRUE, 0);
  }
  for (guint i = 0; i < G_N_ELEMENTS (frames) && kc_goes_on (run); i++) {
    kc_case_begin (run, KC_FIXED, "video: %s, size=%dx%d patch-size=%d "
        "search-factor=%g frame=%u", gst_video_format_to_string (c->format),
        c->width, c->height, c->patch_size, c->search_factor, i);
    if (self == NULL)
      kc_case_fail_error (run, error);
    else
      n_ways[check_frame (run, c, i, self, mask, &memory, &random)]++;
    /* All of it happens. */
    if (i == G_N_ELEMENTS (frames) - 1
        && (n_ways[0] < 2 || n_ways[1] == 0 || n_ways[2] == 0))
      kc_case_fail (run, "%u frames anew, %u replayed, %u followed", n_ways[0],
          n_ways[1], n_ways[2]);
    kc_case_end (run);
    if (self == NULL)
      break;
  }
  mgpu_object_free (self);
  g_free (memory.origin);
  g_free (memory.filler);
  g_free (memory.targets);
  g_free (memory.fits);
  g_free (unknown);
  g_free (mask);
}

void
kc_inpaint_video_check (KcRun * run)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (!run->quick || i < 1)
      check_case (run, &cases[i]);
}
