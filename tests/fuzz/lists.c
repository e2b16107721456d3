/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes lists of numbers and names in property texts: corners and matrix of mgpuremap; families,
 * sizes and camera of mgputags. The first byte selects the property. */
#include "fuzz.h"

#include <gst/elements/remap/gstmgpuremapview.h>
#include <gst/elements/tags/gstmgputagsscene.h>

#include <math.h>

#define WIDTH 40
#define HEIGHT 30

/* Computes the view of a homography, and what it shows at each pixel. */
static void
try_view (const GstMgpuRemapParams * params)
{
  GstVideoInfo info;
  const GstMgpuRemapScene scene = { params, NULL, NULL, &info, &info };
  MgpuLensModel model;
  MgpuView view;
  GError *error = NULL;
  gboolean ok;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  ok = gst_mgpu_remap_find_view (&scene, &model, &view, &error);
  if (ok) {
    MgpuLensMap *map = mgpu_lens_map_new (&model, &view);

    g_assert (view.width == WIDTH && view.height == HEIGHT);
    g_assert (map->beyond >= 0 && map->beyond <= 1);
    mgpu_lens_map_free (map);
  }
  fuzz_check_text (ok, error);
}

static void
try_tags (const GstMgpuTagsWords * words)
{
  GError *error = NULL;
  GstMgpuTagsScene *scene = gst_mgpu_tags_scene_new (words, &error);
  gboolean ok = scene != NULL;

  if (ok) {
    for (guint i = 0; i < scene->families->len; i++)
      for (guint id = 0; id < 600; id += 7)
        g_assert (isfinite (gst_mgpu_tags_scene_get_size (scene,
                    scene->families->pdata[i], id)));
    gst_mgpu_tags_scene_fit (scene, WIDTH, HEIGHT, NULL);
    gst_mgpu_tags_scene_free (scene);
  }
  fuzz_check_text (ok, error);
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  GstMgpuRemapParams params = {.view = {.zoom = 1} };
  GstMgpuTagsWords words = {.tag_size = 0.1 };
  gchar *text;

  if (size == 0)
    return 0;
  text = fuzz_string (data + 1, size - 1);
  switch (data[0]) {
    case 'c':
      params.corners = text;
      try_view (&params);
      break;
    case 'm':
      params.matrix = text;
      try_view (&params);
      break;
    case 'f':
      words.families = text;
      try_tags (&words);
      break;
    case 's':
      words.families = (gchar *) "tag36h11,tag25h9";
      words.tag_sizes = text;
      try_tags (&words);
      break;
    case 'k':
      words.families = (gchar *) "tag16h5";
      words.camera = text;
      try_tags (&words);
      break;
    default:
      break;
  }
  g_free (text);
  return 0;
}
