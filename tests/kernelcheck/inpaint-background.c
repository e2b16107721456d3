/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Inpainting with a camera that stands still: objects that move, one that stays,
 * noise, a cut. */
#include "inpaint-video.h"

#include <gst/vision/inpaint/background.h>
#include <gst/vision/inpaint/plan.h>

#include "../reference/inpaint-background.h"
#include "../reference/inpaint.h"
#include "../reference/samples.h"

static const struct
{
  GstVideoFormat format;
  gint width, height;
  MgpuInpaintMethod method;
  gboolean is_smooth;
  gboolean has_budget;          /* a minute, so that patches are followed from frame to frame */
} cases[] = {
  {GST_VIDEO_FORMAT_I420, 51, 37, MGPU_INPAINT_EXEMPLAR, TRUE, FALSE},
  {GST_VIDEO_FORMAT_RGB, 40, 33, MGPU_INPAINT_EXEMPLAR, FALSE, FALSE},
  {GST_VIDEO_FORMAT_I420, 52, 41, MGPU_INPAINT_EXEMPLAR, TRUE, TRUE},
  {GST_VIDEO_FORMAT_NV12, 62, 40, MGPU_INPAINT_PATCHMATCH, TRUE, FALSE},
  {GST_VIDEO_FORMAT_P010_10LE, 36, 28, MGPU_INPAINT_HARMONIC, FALSE, FALSE},
  {GST_VIDEO_FORMAT_YUY2, 33, 20, MGPU_INPAINT_AUTO, TRUE, FALSE},
  {GST_VIDEO_FORMAT_RGBA, 1, 1, MGPU_INPAINT_EXEMPLAR, FALSE, FALSE}
};

/* Frames of a case; the frame after which there is another scene; the first frame whose
 * mask has the object that appears. */
#define N_FRAMES 18
#define CUT_FRAME 13
#define LATE_FRAME 2

/* An object that nobody masks stands in the middle, and goes; another one, which is masked
 * late, leaves through a corner. */
static void
paint (KcPicture * picture, gint frame, KcRandom * random)
{
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); c++) {
    RefPlane plane = kc_picture_plane (picture, c);

    for (gint y = 0; y < plane.height; y++) {
      for (gint x = 0; x < plane.width; x++) {
        gint value = 60 + (x * 5 + y * y) % 90;

        if (frame < 4 && ABS (x - plane.width / 2) < 3)
          value = 220;
        if (y < 7 && x > plane.width - 11 + 2 * frame
            && x < plane.width - 6 + 2 * frame)
          value = 250;
        if (frame >= CUT_FRAME)
          value = 255 - value;
        value += (gint) kc_random_below (random, 5);
        ref_set (&plane, x, y, value * plane.max / 300);
      }
    }
  }
}

/* A box that goes through the frame, one at its side, and one that appears where next to
 * nothing has been seen yet. */
static void
set_mask (gint width, gint height, gint frame, guint8 * unknown, guint8 * mask)
{
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      unknown[y * width + x] = (ABS (x - 3 * frame - 2) < 5
          && ABS (y - height / 2) < 6) || (x < 3 && y > 4 && y < 9)
          || (frame >= LATE_FRAME && frame < LATE_FRAME + 6
          && x > width - 12 + frame && y < 5);
  for (gint i = 0; i < width * height; i++)
    mask[i] = unknown[i] * 255;
}

static void
check_frame (KcRun * run, guint number, gint frame, MgpuInpaint * inpaint,
    MgpuInpaintBackground * background, RefInpaintBackground * reference,
    RefInpaintMemory * memory, KcRandom * random)
{
  gboolean is_smooth = cases[number].is_smooth;
  gint width = cases[number].width, height = cases[number].height;
  gsize n = (gsize) width * height;
  guint8 *unknown = g_malloc (n), *mask = g_malloc (n), *left = g_malloc (n);
  guint8 *planned = g_malloc (n);
  MgpuInpaintParams params = { 5, 1, MGPU_INPAINT_ALL_SHORTCUTS,
    cases[number].method, FALSE
  };
  RefInpaint ref = { 5, 1, 0, planned, NULL, is_smooth, is_smooth,
    (RefInpaintMethod) cases[number].method, left, !cases[number].has_budget
  };
  RefInpaintWay way;
  gboolean is_new_hole;
  KcPicture *in, *want, *got, *between, *filled;
  RefPlane from[4], to[4], middle[4], full[4];
  KcFrame *in_frame, *out_frame;
  MgpuInpaintResult result;
  GError *error = NULL;
  GstVideoInfo info;
  gboolean is_new;
  GstMgpuJob job;

  gst_video_info_set_format (&info, cases[number].format, width, height);
  in = kc_picture_new (&info, frame % KC_N_LAYOUTS, random);
  want = kc_picture_new (&info, KC_LAYOUT_DEFAULT, random);
  paint (in, frame, random);
  kc_picture_copy_planes (in, want, ~0u);
  between = kc_picture_copy (want);
  got = kc_picture_copy (want);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&info); i++) {
    from[i] = kc_picture_plane (in, i);
    middle[i] = kc_picture_plane (between, i);
    to[i] = kc_picture_plane (want, i);
  }
  set_mask (width, height, frame, unknown, mask);
  is_new_hole = ref_inpaint_background (reference, from, middle, mask, planned,
      left);
  filled = kc_picture_copy (between);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&info); i++)
    full[i] = kc_picture_plane (filled, i);
  memory->is_valid = memory->is_valid && !is_new_hole;
  if (!ref_inpaint_temporal (middle, full, GST_VIDEO_INFO_N_COMPONENTS (&info),
          GST_VIDEO_INFO_IS_RGB (&info), &ref, memory, &way))
    g_error ("out of memory");
  ref_inpaint_background_check (reference, &full[0], is_new_hole);
  ref_inpaint_background_show (reference, full, to);

  mgpu_inpaint_background_set_mask (background, unknown, NULL, &params);
  in_frame = kc_frame_new (run, in);
  out_frame = kc_frame_new (run, got);
  if (in_frame != NULL && out_frame != NULL) {
    mgpu_inpaint_set_temporal (inpaint, cases[number].has_budget,
        cases[number].has_budget ? G_TIME_SPAN_MINUTE : 0);
    mgpu_inpaint_set_blend (inpaint, is_smooth);
    mgpu_inpaint_set_seam (inpaint, is_smooth);
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_inpaint_background_enqueue (background, inpaint, &job,
        &in_frame->image, &out_frame->image, NULL, NULL, &result, &is_new);
    if (!gst_mgpu_job_end (&job, &error))
      kc_case_fail_error (run, error);
    else if (kc_frame_read (run, out_frame, got))
      kc_compare_picture (run, want, got);
  }
  kc_frame_free (in_frame);
  kc_frame_free (out_frame);
  kc_picture_free (in);
  kc_picture_free (between);
  kc_picture_free (filled);
  kc_picture_free (want);
  kc_picture_free (got);
  g_free (unknown);
  g_free (mask);
  g_free (left);
  g_free (planned);
}

static void
check_case (KcRun * run, guint number)
{
  MgpuInpaintBackground *background = NULL;
  RefInpaintBackground *reference;
  gsize n = (gsize) cases[number].width * cases[number].height;
  RefInpaintMemory memory = { g_new (gint32, n), g_new (gint32, n),
    g_new (gint32, n), g_new (guint32, n), 0, FALSE, 0
  };
  GError *error = NULL;
  MgpuInpaint *inpaint;
  KcRandom random;
  GstVideoInfo info;

  kc_random_init (&random, 5);
  gst_video_info_set_format (&info, cases[number].format, cases[number].width,
      cases[number].height);
  reference = ref_inpaint_background_new (GST_VIDEO_INFO_N_COMPONENTS (&info),
      GST_VIDEO_INFO_IS_RGB (&info), cases[number].width,
      cases[number].height);
  inpaint = mgpu_object_new (&mgpu_inpaint, run->context, &info, NULL, NULL,
      NULL, &error);
  if (inpaint != NULL)
    background = mgpu_object_new (&mgpu_inpaint_background, run->context, &info,
        NULL, NULL, NULL, &error);
  for (gint i = 0; i < N_FRAMES && kc_goes_on (run); i++) {
    kc_case_begin (run, KC_FIXED, "background: %s, size=%dx%d frame=%d",
        gst_video_format_to_string (cases[number].format),
        cases[number].width, cases[number].height, i);
    if (background == NULL)
      kc_case_fail_error (run, error);
    else
      check_frame (run, number, i, inpaint, background, reference, &memory,
          &random);
    kc_case_end (run);
    if (background == NULL)
      break;
  }
  mgpu_object_free (background);
  mgpu_object_free (inpaint);
  ref_inpaint_background_free (reference);
  g_free (memory.origin);
  g_free (memory.filler);
  g_free (memory.targets);
  g_free (memory.fits);
}

void
kc_inpaint_background_check (KcRun * run)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (!run->quick || i < 1)
      check_case (run, i);
}
