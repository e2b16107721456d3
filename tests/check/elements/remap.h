/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes with the reference what mgpuremap outputs. */
#pragma once

#include <math.h>

#include <gst/vision/colour/colour.h>

#include "../../reference/remap.h"
#include "reference.h"

#define RADIAN (G_PI / 180)

/* Properties of mgpuremap, and the same values as numbers for the reference. @in_fov: field of view
 * of the input; if 0, @camera is used */
typedef struct
{
  const gchar *properties;
  RefLens lens;
  gdouble in_fov;
  RefCamera camera;
  RefProjection projection;
  gdouble fov;                  /* field of view of the view; 0: the camera matrix is used */
  gdouble pan, tilt, roll;
  RefEdges edges;
  RefInterpolation interpolation;
  gint samples;                 /* 0: 1 */
  gint colour[3];               /* color of pixels that show nothing of the frame */
  gboolean has_colour;
} RemapCase;

static inline gdouble
remap_tangent (gdouble angle)
{
  gdouble s, c;

  ref_sincos (angle, &s, &c);
  return s / c;
}

static inline void
remap_turn (gdouble turn[9], guint i, guint j, gdouble angle)
{
  gdouble s, c;

  ref_sincos (angle * RADIAN, &s, &c);
  for (guint k = 0; k < 3; k++) {
    gdouble a = turn[3 * i + k], b = turn[3 * j + k];

    turn[3 * i + k] = c * a - s * b;
    turn[3 * j + k] = s * a + c * b;
  }
}

static inline RefCamera
remap_camera (const RemapCase * c, gint width, gint height)
{
  RefCamera camera = c->camera;
  gdouble angle = c->in_fov * RADIAN;

  if (c->in_fov > 0) {
    camera.lens = c->lens;
    camera.focal[0] = c->lens == REF_LENS_FISHEYE ? MIN (width, height) / angle
        : c->lens == REF_LENS_EQUIRECT ? width / (2 * G_PI)
        : width / 2.0 / remap_tangent (angle / 2);
    camera.focal[1] = camera.focal[0];
    camera.centre[0] = (width - 1) / 2.0;
    camera.centre[1] = (height - 1) / 2.0;
    camera.beta = 1;
    camera.width = width;
    camera.height = height;
  }
  ref_camera_prepare (&camera);
  return camera;
}

static inline RefView
remap_view (const RemapCase * c, const RefCamera * camera, gint width,
    gint height)
{
  gdouble angle = c->fov * RADIAN, focal = width / angle;
  RefView view = { c->projection, {0}, {(width - 1) / 2.0, (height - 1) / 2.0},
  {1, 0, 0, 0, 1, 0, 0, 0, 1}, width, height
  };

  if (c->projection == REF_VIEW_PERSPECTIVE)
    focal = width / 2.0 / remap_tangent (angle / 2);
  else if (c->projection == REF_VIEW_STEREOGRAPHIC)
    focal = width / (4 * remap_tangent (angle / 4));
  view.focal[0] = view.focal[1] = focal;
  if (c->fov == 0) {
    memcpy (view.focal, camera->focal, sizeof (view.focal));
    memcpy (view.centre, camera->centre, sizeof (view.centre));
  }
  remap_turn (view.turn, 2, 0, -c->pan);
  remap_turn (view.turn, 1, 2, -c->tilt);
  remap_turn (view.turn, 0, 1, -c->roll);
  return view;
}

/* Writes the expected output of mgpuremap for the mapped frame @in to @out. */
static inline void
remap_reference (GstVideoFrame * in, GstVideoFrame * out, const RemapCase * c)
{
  const GstVideoInfo *info = &in->info;
  RefCamera camera = remap_camera (c, info->width, info->height);
  RefView view = remap_view (c, &camera, out->info.width, out->info.height);
  RefMap map;

  ref_map_make (&camera, &view, &map);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    RefWarpPlane from = {
      .plane = ref_plane (in, i),
      .x_shift = info->finfo->w_sub[i],
      .y_shift = info->finfo->h_sub[i],
      .x_cosited = (info->chroma_site & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0,
      .y_cosited = (info->chroma_site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0
    };
    RefPlane to = ref_plane (out, i);
    gint black = mgpu_colour_black (info, i);

    ref_remap (&from, &to, &map, c->edges, c->interpolation,
        MAX (c->samples, 1), c->has_colour && i < 3 ? c->colour[i] : black);
  }
  ref_map_clear (&map);
}

/* Fails unless @to is the expected output of mgpuremap for @from. */
static inline void
fail_unless_remapped (const GstVideoInfo * in_info, GstBuffer * from,
    const GstVideoInfo * out_info, GstBuffer * to, const RemapCase * c)
{
  GstBuffer *expected =
      gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (out_info), NULL);
  GstVideoFrame in, out;
  guint n;

  fail_unless (gst_video_frame_map (&in, in_info, from, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, out_info, expected, GST_MAP_WRITE));
  remap_reference (&in, &out, c);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
  n = count_differences (out_info, to, expected);
  fail_unless (n == 0, "%s, %dx%d %s: %u samples differ", c->properties,
      out_info->width, out_info->height, GST_VIDEO_INFO_NAME (out_info), n);
  gst_buffer_unref (expected);
}

/* Returns a harness of mgpuremap with these properties, in which FILE is replaced by @path. */
static inline GstHarness *
remap_open (const gchar * path, const gchar * properties)
{
  GString *launch = g_string_new ("mgpuremap name=f ");
  GstHarness *h;

  g_string_append (launch, properties);
  g_string_replace (launch, "FILE", path, 0);
  h = harness_open (launch->str);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  g_string_free (launch, TRUE);
  return h;
}
