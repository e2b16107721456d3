/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the boxes that users' kernels find in a frame. */
#include "kernel.h"

#include <math.h>
#include <string.h>

/* Appends the box that @words describe, if its numbers are valid. BOX () stores only finite scores,
 * but a faulty kernel may have written beyond the end of another list. */
static void
append_box (GArray * boxes, const gint32 * words, gint label)
{
  MgpuScoredBox box = { words[0], words[1], words[2], words[3], 0, label, 0 };

  memcpy (&box.score, &words[4], sizeof (box.score));
  if (!isfinite (box.score))
    return;
  box.score += 0.0f;            /* Changes -0 to 0. */
  g_array_append_val (boxes, box);
}

guint
mgpu_kernel_read_boxes (const MgpuKernelText * text, guint i,
    const gint32 * words, gint width, gint height, GArray * boxes)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  guint n, most = g_array_index (text->boxes, MgpuKernelList, i).n;

  for (guint k = 0; k < text->results->len; k++)
    words += g_array_index (text->results, MgpuKernelList, k).n;
  for (guint k = 0; k < i; k++)
    words += 1 + MGPU_KERNEL_BOX_WORDS * g_array_index (text->boxes,
        MgpuKernelList, k).n;
  n = (guint) words[0];
  for (guint k = 0; k < MIN (n, most); k++)
    append_box (found, words + 1 + MGPU_KERNEL_BOX_WORDS * k, i);
  mgpu_boxes_clip (found, width, height);
  mgpu_boxes_sort (found);
  mgpu_boxes_unite (found);
  g_array_append_vals (boxes, found->data, found->len);
  return n;
}
