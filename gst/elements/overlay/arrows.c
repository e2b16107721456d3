/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws optical flow as arrows. */
#include "arrows.h"

#include <math.h>

/* Distance of the points of the grid: the height of the frame divided by STEP_PART, but at least
 * MIN_STEP pixels. */
#define STEP_PART 30
#define MIN_STEP 16

/* Minimum confidence, and minimum length in pixels, of the motion at which an arrow is drawn */
#define MIN_CONFIDENCE 128
#define MIN_LENGTH 0.5

/* Length of the lines of an arrow's head, as a fraction of the arrow's length, and their maximum
 * length in pixels */
#define HEAD_PART 0.4
#define MAX_HEAD 6.0

/* Adds an arrow from @tail to @tip to the shapes that are drawn. */
static void
add_arrow (MgpuOverlay * overlay, const MgpuOverlayPoint * tail,
    const MgpuOverlayPoint * tip)
{
  gdouble dx = tip->x - tail->x, dy = tip->y - tail->y;
  gdouble length = hypot (dx, dy);
  gdouble head = MIN (HEAD_PART * length, MAX_HEAD) / length / G_SQRT2;
  gdouble x = tip->x - head * dx, y = tip->y - head * dy;
  const MgpuOverlayPoint points[] = {
    *tail, *tip, {x - head * dy, y + head * dx}, *tip,
    {x + head * dy, y - head * dx}
  };

  mgpu_overlay_add_trail (overlay, -1, points, G_N_ELEMENTS (points));
}

guint
mgpu_arrows_add (GstMgpuFlowMeta * meta, gint height, MgpuOverlay * overlay)
{
  GstMgpuFlowField field = gst_mgpu_flow_meta_get_field (meta,
      GST_MGPU_FLOW_FIELD_TO_PREVIOUS, NULL, NULL, NULL)
      ? GST_MGPU_FLOW_FIELD_TO_PREVIOUS : GST_MGPU_FLOW_FIELD_FROM_PREVIOUS;
  gboolean is_to_previous = field == GST_MGPU_FLOW_FIELD_TO_PREVIOUS;
  g_autoptr (GBytes) flow = gst_mgpu_flow_meta_get_bytes (meta, field);
  g_autoptr (GBytes) confidence =
      gst_mgpu_flow_meta_get_confidence (meta, field);
  guint columns, rows, shift, step, n = 0;
  const gint16 *motions;
  const guint8 *trust;

  if (flow == NULL || confidence == NULL)
    return 0;
  motions = g_bytes_get_data (flow, NULL);
  trust = g_bytes_get_data (confidence, NULL);
  gst_mgpu_flow_meta_get_field (meta, field, &columns, &rows, &shift);
  step = MAX (height / STEP_PART, MIN_STEP) >> shift;
  for (guint j = step / 2; j < rows; j += step)
    for (guint i = step / 2; i < columns; i += step) {
      gsize at = (gsize) j * columns + i;
      const MgpuOverlayPoint here = { (i + 0.5) * (1 << shift),
        (j + 0.5) * (1 << shift)
      };
      const MgpuOverlayPoint there = { here.x + motions[2 * at] / 32.0,
        here.y + motions[2 * at + 1] / 32.0
      };

      if (motions[2 * at] == GST_MGPU_FLOW_NONE || trust[at] < MIN_CONFIDENCE
          || hypot (there.x - here.x, there.y - here.y) < MIN_LENGTH)
        continue;
      add_arrow (overlay, is_to_previous ? &there : &here,
          is_to_previous ? &here : &there);
      n++;
    }
  return n;
}
