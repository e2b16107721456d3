/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares detections of mgpuhog with those of another implementation, in the photographs that come
 * with voc-dpm's models. MGPU_TEST_MODELS names the folder with the trained models. */
#include "common.h"

#include <gst/video/video.h>
#include <math.h>

/* Maximum differences from the other implementation: of the sides of boxes, in pixels, and of
 * scores (see docs/algorithms/dpm.md) */
#define MAX_PIXELS 3
#define MAX_SCORE 0.035

typedef struct
{
  const gchar *model, *picture;
  gdouble score, sides[4];      /* left, upper, right, lower */
} Answer;

static const Answer answers[] = {
  {"inriaperson_final.mat", "000061.jpg", 0.2278, {443.4, 158.3, 495.1, 315.7}},
  {"voc2007_car_final.mat", "000034.jpg", -0.0374, {0, 291.5, 153.3, 376.3}},
};

static void
keep (GstElement * sink, GstBuffer * buffer, GstPad * pad, GstBuffer ** last)
{
  gst_buffer_replace (last, buffer);
}

/* Checks that the best detection equals the expected one. */
static void
check_answer (const Answer * answer, const gchar * properties)
{
  const gchar *folder = g_getenv ("MGPU_TEST_MODELS");
  g_autofree gchar *text =
      g_strdup_printf ("filesrc location=%s/%s ! jpegdec ! "
      "videoconvert ! mgpuhog detector=model model=%s/%s %s ! fakesink "
      "name=sink sync=false signal-handoffs=true", folder, answer->picture,
      folder, answer->model, properties);
  g_autoptr (GstElement) pipeline = gst_parse_launch (text, NULL);
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstVideoRegionOfInterestMeta *roi;
  g_autoptr (GstBuffer) frame = NULL;
  gdouble score = 0;
  GstStructure *s;

  g_signal_connect (sink, "handoff", G_CALLBACK (keep), &frame);
  fail_unless_no_error (run_to_end (pipeline));
  fail_unless (frame != NULL);
  roi = gst_buffer_get_video_region_of_interest_meta_id (frame, 0);
  fail_unless (roi != NULL, "%s: nothing found", text);
  s = gst_video_region_of_interest_meta_get_param (roi, "detection");
  fail_unless (gst_structure_get_double (s, "score", &score));
  GST_INFO ("%s: %.4f at %u, %u to %u, %u", answer->model, score, roi->x,
      roi->y, roi->x + roi->w, roi->y + roi->h);
  fail_unless (fabs (score - answer->score) < MAX_SCORE, "%s: %g",
      answer->model, score);
  fail_unless (fabs (roi->x - answer->sides[0]) < MAX_PIXELS
      && fabs (roi->y - answer->sides[1]) < MAX_PIXELS
      && fabs (roi->x + roi->w - answer->sides[2]) < MAX_PIXELS
      && fabs (roi->y + roi->h - answer->sides[3]) < MAX_PIXELS,
      "%s: %u, %u to %u, %u", answer->model, roi->x, roi->y, roi->x + roi->w,
      roi->y + roi->h);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_START_TEST (test_answer)
{
  check_answer (&answers[__i__], "");
}

GST_END_TEST;

GST_START_TEST (test_answer_cascade)
{
  check_answer (&answers[__i__], "cascade=on");
}

GST_END_TEST;

CHECK_SUITE (mgpuhoganswers)
{
  tcase_add_loop_test (tc, test_answer, 0, G_N_ELEMENTS (answers));
  tcase_add_loop_test (tc, test_answer_cascade, 0, G_N_ELEMENTS (answers));
}

int
main (int argc, char **argv)
{
  if (g_getenv ("MGPU_TEST_MODELS") == NULL) {
    g_print ("MGPU_TEST_MODELS names no folder with models\n");
    return 77;
  }
  gst_check_init (&argc, &argv);
  return gst_check_run_suite (mgpuhoganswers_suite (), "mgpuhoganswers",
      __FILE__);
}
