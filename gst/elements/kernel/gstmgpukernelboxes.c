/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Attaches the boxes that kernels of mgpukernel find to frames, just before these are pushed. */
#include "gstmgpukernel.h"

#include <gst/frame/gstmgpulog.h>
#include <gst/frame/gstmgpupending.h>

#include "../detections.h"
#include "gstmgpukernelresults.h"

/* Data with which a frame is completed before it is pushed */
typedef struct
{
  MgpuKernelText *text;
  GstMemory *memory;            /* memory with the results; NULL if no kernel ran */
  gint width, height;           /* format of the frame */
  GstMgpuCover covers;          /* members that describe the regions of the frame; a box is kept
                                 * only if its center lies in a region */
  guint8 *mask;                 /* values of the mask, row by row; NULL if all boxes are kept */
  gboolean is_inverted;         /* whether the pixels with the mask value 255 form the regions */
  gboolean posts;
} Pending;

static void
pending_free (gpointer data)
{
  Pending *self = data;

  mgpu_kernel_text_unref (self->text);
  g_clear_pointer (&self->memory, gst_memory_unref);
  g_free (self->mask);
  g_free (self);
}

gboolean
gst_mgpu_kernel_leave_boxes (GstMgpuKernel * self, GstBuffer * buffer,
    GstMemory * memory, gboolean posts, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const GstMgpuRegions *regions = &filter->mix.regions;
  Pending *pending;

  if (memory != NULL
      && !gst_mgpu_memory_fetch ((GstMgpuMemory *) memory, error))
    return FALSE;
  pending = g_new0 (Pending, 1);
  pending->text = mgpu_kernel_text_ref (self->built);
  pending->memory = memory != NULL ? gst_memory_ref (memory) : NULL;
  pending->width = filter->input.info.width;
  pending->height = filter->input.info.height;
  pending->covers = regions->covers;
  pending->is_inverted = regions->is_inverted;
  pending->posts = posts;
  if (self->built->boxes->len > 0 && regions->covers == GST_MGPU_COVERS_PART
      && regions->mask != NULL)
    pending->mask = g_memdup2 (regions->mask, (gsize) pending->width
        * pending->height);
  gst_mgpu_pending_set (buffer, pending, pending_free);
  return TRUE;
}

/* Removes boxes whose center is not in a region. */
static void
keep_inside (const Pending * self, GArray * boxes)
{
  guint n = 0;

  for (guint i = 0; i < boxes->len; i++) {
    const MgpuScoredBox b = g_array_index (boxes, MgpuScoredBox, i);
    gsize at = (gsize) (b.y + b.height / 2) * self->width + b.x + b.width / 2;

    if (self->covers == GST_MGPU_COVERS_ALL
        || (self->covers == GST_MGPU_COVERS_PART && (self->mask == NULL
                || self->mask[at] != (self->is_inverted ? 255 : 0))))
      g_array_index (boxes, MgpuScoredBox, n++) = b;
  }
  g_array_set_size (boxes, n);
}

/* Posts a warning, once, if a list has more boxes than its maximum. The missing boxes may differ in
 * each run, because they depend on the order in which the work-items run. */
static void
warn_of_many (GstMgpuKernel * self, const MgpuKernelText * text,
    const MgpuKernelList * list, guint n)
{
  if (n <= list->n)
    return;
  GST_MGPU_LOG_OBJECT (self, "got %u boxes \"%s\", but using only %u of them",
      n, list->name, list->n);
  if (g_atomic_int_compare_and_exchange (&self->has_warned, FALSE, TRUE))
    GST_ELEMENT_WARNING (self, STREAM, FAILED, ("%s: %s called BOX (%s, ...) "
            "for %u boxes in a frame, but its line \"//! boxes\" allows %u: "
            "only that number is attached, and which ones may differ in each "
            "run. Write a larger number into the line, at most %u, or find "
            "fewer boxes",
            GST_OBJECT_NAME (self), text->name, list->name, n, list->n,
            list->n + (MGPU_KERNEL_MAX_RESULTS_SIZE / 4
                - mgpu_kernel_text_count_results (text))
            / MGPU_KERNEL_BOX_WORDS), (NULL));
}

/* Appends the boxes of all lists to @all, an array of GstMgpuFound. */
static void
read_boxes (GstMgpuKernel * self, const Pending * pending,
    const gint32 * words, GArray * all)
{
  const MgpuKernelText *text = pending->text;
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));

  for (guint i = 0; i < text->boxes->len; i++) {
    const MgpuKernelList *list = &g_array_index (text->boxes, MgpuKernelList,
        i);

    g_array_set_size (boxes, 0);
    warn_of_many (self, text, list, mgpu_kernel_read_boxes (text, i, words,
            pending->width, pending->height, boxes));
    keep_inside (pending, boxes);
    for (guint k = 0; k < boxes->len; k++) {
      const MgpuScoredBox *b = &g_array_index (boxes, MgpuScoredBox, k);
      GstMgpuFound found = { {b->x, b->y, b->width, b->height},
      g_intern_string (list->name), CLAMP (b->score, 0, 1), b->score, i, -1
      };

      g_array_append_val (all, found);
    }
  }
}

GstFlowReturn
gst_mgpu_kernel_finish (GstMgpuFilter * filter, gpointer data,
    GstBuffer ** buffer, GError ** error)
{
  GstMgpuKernel *self = (GstMgpuKernel *) filter;
  const Pending *pending = data;
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (GstMgpuFound));
  GstMapInfo map;

  if (pending->text->boxes->len > 0 && pending->memory != NULL) {
    if (!gst_mgpu_memory_fetched ((GstMgpuMemory *) pending->memory, error))
      return GST_FLOW_ERROR;
    if (!gst_memory_map (pending->memory, &map, GST_MAP_READ)) {
      g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
          "cannot read the boxes that %s found", pending->text->name);
      return GST_FLOW_ERROR;
    }
    read_boxes (self, pending, (const gint32 *) map.data, all);
    gst_memory_unmap (pending->memory, &map);
    GST_MGPU_LOG_OBJECT (self, "attaching %u boxes to %" GST_PTR_FORMAT,
        all->len, *buffer);
    gst_mgpu_attach_detections (GST_ELEMENT (self), all, *buffer);
  }
  if (pending->posts && pending->text->results->len > 0)
    gst_mgpu_kernel_post_results (GST_BASE_TRANSFORM (self), *buffer,
        pending->text);
  if (pending->posts && pending->text->boxes->len > 0)
    gst_mgpu_post_detections (GST_BASE_TRANSFORM (self), all, *buffer);
  return GST_FLOW_OK;
}
