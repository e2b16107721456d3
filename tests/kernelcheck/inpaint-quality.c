/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the quality of filled holes: see docs/algorithms/inpaint.md. */
#include "inpaint-video.h"
#include "peers.h"

#include <gst/vision/inpaint/inpaint-plan.h>
#include <gst/vision/inpaint/inpaint.h>
#include <string.h>

#include "../reference/inpaint-scenes.h"

#define SEED 2026
#define SIZE (REF_SCENE_WIDTH * REF_SCENE_HEIGHT)

static void
fill (KcRun * run, const guint8 * mask, gboolean seam, gboolean blend,
    const KcPicture * in, KcPicture * out)
{
  MgpuInpaintParams params = { 9, 1, MGPU_INPAINT_ALL_SHORTCUTS };
  KcFrame *in_frame = kc_frame_new (run, in);
  KcFrame *out_frame = kc_frame_new (run, out);
  GError *error = NULL;
  MgpuInpaint *inpaint = mgpu_object_new (&mgpu_inpaint, run->context,
      &in->info, NULL, NULL, NULL, &error);
  g_autofree guint8 *unknown = g_malloc (SIZE);
  GstMgpuJob job;

  mgpu_inpaint_dilate (mask, REF_SCENE_WIDTH, REF_SCENE_WIDTH,
      REF_SCENE_HEIGHT, 0, unknown);
  if (inpaint != NULL && in_frame != NULL && out_frame != NULL) {
    mgpu_inpaint_set_mask (inpaint, unknown, NULL, &params);
    mgpu_inpaint_set_seam (inpaint, seam);
    mgpu_inpaint_set_blend (inpaint, blend);
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_inpaint_enqueue (inpaint, &job, &in_frame->image, &out_frame->image,
        NULL, NULL);
    if (gst_mgpu_job_end (&job, &error))
      kc_frame_read (run, out_frame, out);
  }
  if (error != NULL)
    g_error ("%s", error->message);
  mgpu_object_free (inpaint);
  kc_frame_free (in_frame);
  kc_frame_free (out_frame);
}

/* Prints the quality of @result. Writes the picture into the folder MGPU_TEST_PICTURES, if this
 * variable is set. */
static void
report (RefScene scene, const gchar * way, const guint8 * clean,
    const guint8 * mask, const KcPicture * result)
{
  const gchar *folder = g_getenv ("MGPU_TEST_PICTURES");
  const guint8 *data = result->data + result->info.offset[0];
  RefSceneQuality q = ref_scene_measure (clean, data, mask);

  if (way != NULL)
    g_print ("  %-22s %-14s seam %6.2f  texture %.2f  PSNR %.1f dB\n",
        ref_scene_name (scene), way, q.seam, q.texture, q.psnr);
  if (folder != NULL) {
    gchar *path = g_strdup_printf ("%s/%d-%s.ppm", folder, scene,
        way != NULL ? way : "object");
    GString *text = g_string_new (NULL);

    g_string_printf (text, "P6\n%d %d\n255\n", REF_SCENE_WIDTH,
        REF_SCENE_HEIGHT);
    g_string_append_len (text, (const gchar *) data, 3 * SIZE);
    if (!g_file_set_contents (path, text->str, text->len, NULL))
      g_printerr ("%s cannot be written\n", path);
    g_string_free (text, TRUE);
    g_free (path);
  }
}

void
kc_inpaint_quality_print (KcRun * run)
{
  static const gchar *const ways[] = {
    "plain", "smooth-seams", "blend", "both"
  };
  guint8 *clean = g_malloc (3 * SIZE), *mask = g_malloc (SIZE);
  KcRandom random;
  GstVideoInfo info;

  kc_random_init (&random, 1);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, REF_SCENE_WIDTH,
      REF_SCENE_HEIGHT);
  g_print ("  how it looks, seed %d\n", SEED);
  for (guint i = 0; i < REF_N_SCENES; i++) {
    KcPicture *in = kc_picture_new (&info, KC_LAYOUT_TIGHT, &random);
    KcPicture *out;

    ref_scene_paint (i, SEED, clean, in->data + in->info.offset[0], mask);
    out = kc_picture_copy (in);
    report (i, NULL, clean, mask, in);
    for (guint way = 0; way < G_N_ELEMENTS (ways); way++) {
      fill (run, mask, (way & 1) != 0, (way & 2) != 0, in, out);
      report (i, ways[way], clean, mask, out);
    }
#ifdef HAVE_OPENCV_PHOTO
    if (run->peers) {
      kc_opencv_inpaint (KC_INPAINT_TELEA, mask, in, out);
      report (i, "OpenCV-Telea", clean, mask, out);
    }
#endif
    kc_picture_free (in);
    kc_picture_free (out);
  }
  g_free (clean);
  g_free (mask);
}
