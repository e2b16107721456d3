/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks whether frames have the metas that an element works on, and warns the user if
 * none arrive. */
#include "gstmgpuwatch.h"

#include <gst/mgpu/mgpu.h>
#include <string.h>

#include "gstmgpulog.h"
#include "gstmgpumask.h"

/* Minimum number of frames that count as a second. A stream with a low frame rate
 * therefore gets more time. */
#define MIN_FRAMES 5

/* Number of frames that count as a second in a stream without timestamps */
#define UNTIMED_FRAMES 25

/* Maximum number of types that a warning lists */
#define MAX_SEEN 8

/* Substrings of the names of elements that attach segmentation masks */
static const gchar *const segmenters[] = { "segment", "infer", "tensor", NULL };

/* Substrings of the names of elements that attach new regions of interest. mgputrack is
 * not one of these elements, because it needs the regions of another element. */
static const gchar *const detectors[] = {
  "detect", "infer", "tensor", "mgpumatch", NULL
};

void
gst_mgpu_watch_init (GstMgpuWatch * self, GstBaseTransform * trans)
{
  memset (self, 0, sizeof (*self));
  self->trans = trans;
  self->seen = g_ptr_array_new_with_free_func (g_free);
}

void
gst_mgpu_watch_clear (GstMgpuWatch * self)
{
  g_free (self->types);
  g_ptr_array_unref (self->seen);
}

void
gst_mgpu_watch_reset (GstMgpuWatch * self)
{
  self->is_over = FALSE;
  self->n_frames = 0;
  g_ptr_array_set_size (self->seen, 0);
}

/* --- Elements upstream --- */

static gboolean
has_part (const gchar * name, const gchar * const *parts)
{
  g_autofree gchar *lower = g_ascii_strdown (name != NULL ? name : "", -1);
  gboolean has = FALSE;

  for (guint i = 0; parts[i] != NULL && !has; i++)
    has = strstr (lower, parts[i]) != NULL;
  return has;
}

/* Returns: whether the factory name or the long name of @element contains one of the
 * substrings @makers. These are in lower case; the case of the names is ignored */
static gboolean
is_maker (GstElement * element, const gchar * const *makers)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory != NULL && (has_part (GST_OBJECT_NAME (factory), makers)
      || has_part (gst_element_factory_get_metadata (factory,
              GST_ELEMENT_METADATA_LONGNAME), makers));
}

static gboolean has_maker (GstPad * sink, const gchar * const *makers);

/* Returns: 0 if an element upstream of the sink pad @value is one of @makers */
static gint
compare_pad (gconstpointer value, gconstpointer makers)
{
  return has_maker (g_value_get_object (value), makers) ? 0 : 1;
}

/* Returns: whether an element upstream of the sink pad @sink is one of @makers. The
 * search also enters bins */
static gboolean
has_maker (GstPad * sink, const gchar * const *makers)
{
  GstPad *peer = gst_pad_get_peer (sink);
  GstElement *element = peer != NULL ? gst_pad_get_parent_element (peer) : NULL;
  gboolean has = element != NULL && is_maker (element, makers);
  GstIterator *inner = peer != NULL && !has
      ? gst_pad_iterate_internal_links (peer) : NULL;
  GValue found = G_VALUE_INIT;

  if (inner != NULL) {
    has = gst_iterator_find_custom (inner, compare_pad, &found,
        (gpointer) makers);
    if (has)
      g_value_unset (&found);
    gst_iterator_free (inner);
  }
  gst_clear_object (&element);
  gst_clear_object (&peer);
  return has;
}

/* --- Counting a second of frames --- */

/* Counts the frame in @buffer. Returns: whether a second of frames is complete. If it is,
 * the next frame begins another second */
static gboolean
is_second_over (GstMgpuWatch * self, GstBuffer * buffer)
{
  const GstSegment *segment = &self->trans->segment;
  GstClockTime time = GST_CLOCK_TIME_NONE;

  if (segment->format == GST_FORMAT_TIME)
    time = gst_segment_to_running_time (segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (buffer));
  if (!GST_CLOCK_TIME_IS_VALID (time))
    time = self->n_frames * GST_SECOND / UNTIMED_FRAMES;
  /* Restarts the second if the running time has decreased, as after a flushing seek. */
  if (self->n_frames == 0 || time < self->since) {
    self->since = time;
    self->n_frames = 0;
  }
  self->n_frames++;
  if (self->n_frames < MIN_FRAMES || time - self->since < GST_SECOND)
    return FALSE;
  self->n_frames = 0;
  return TRUE;
}

gboolean
gst_mgpu_watch_is_idle (GstMgpuWatch * self, GstBuffer * buffer,
    gboolean lacks, const gchar * const *makers)
{
  if (self->is_over)
    return FALSE;
  if (!lacks) {
    GST_MGPU_DEBUG_OBJECT (self->trans, "a frame arrived with metas that this "
        "element works on");
    self->is_over = TRUE;
    return FALSE;
  }
  if (!is_second_over (self, buffer))
    return FALSE;
  if (makers != NULL
      && has_maker (GST_BASE_TRANSFORM_SINK_PAD (self->trans), makers)) {
    GST_MGPU_DEBUG_OBJECT (self->trans, "in a second of frames, no metas to "
        "work on arrived, but an element upstream may attach some later");
    return FALSE;
  }
  self->is_over = TRUE;
  return TRUE;
}

/* --- Regions of interest --- */

/* Adds the types of the objects @found to the list of types that were seen. */
static void
note_types (GstMgpuWatch * self, const GPtrArray * found)
{
  for (guint i = 0; i < found->len && self->seen->len < MAX_SEEN; i++) {
    const gchar *label = ((GstMgpuDetection *) found->pdata[i])->label;
    gchar *type = label != NULL && *label != '\0'
        ? g_utf8_make_valid (label, -1) : g_strdup ("(none)");

    if (g_ptr_array_find_with_equal_func (self->seen, type, g_str_equal, NULL))
      g_free (type);
    else
      g_ptr_array_add (self->seen, type);
  }
}

static void
warn_of_regions (GstMgpuWatch * self, const gchar * property)
{
  const gchar *name = GST_OBJECT_NAME (self->trans);
  g_autoptr (GString) seen = g_string_new (NULL);

  for (guint i = 0; i < self->seen->len; i++)
    g_string_append_printf (seen, "%s%s", i > 0 ? ", " : "",
        (const gchar *) self->seen->pdata[i]);
  if (self->seen->len > 0)
    GST_ELEMENT_WARNING (self->trans, STREAM, FAILED,
        ("%s: no region of interest with a type of \"%s\" (%s) has arrived so far, "
            "but regions of the types %s have: correct \"%s\", unless the "
            "detector may find such objects later", name, property, self->types,
            seen->str, property),
        (NULL));
  else
    GST_ELEMENT_WARNING (self->trans, STREAM, FAILED,
        ("%s: waits for regions of interest, and no region of any type "
            "arrived in a second of frames: put a detector, such as mgpuhog, "
            "before this element", name), (NULL));
}

void
gst_mgpu_watch_regions (GstMgpuWatch * self, GstBuffer * buffer,
    const GPtrArray * found, guint n_wanted, const gchar * property,
    const gchar * types)
{
  if (g_strcmp0 (self->types, types) != 0) {
    g_free (self->types);
    self->types = g_strdup (types);
    gst_mgpu_watch_reset (self);
  }
  if (self->is_over)
    return;
  note_types (self, found);
  if (gst_mgpu_watch_is_idle (self, buffer, n_wanted == 0,
          self->seen->len == 0 ? detectors : NULL))
    warn_of_regions (self, property);
}

GPtrArray *
gst_mgpu_watch_list_regions (GstMgpuWatch * self, GstBuffer * buffer,
    const gchar * property, const gchar * types)
{
  GPtrArray *list = gst_mgpu_buffer_get_detections (buffer);
  guint n = 0;

  for (guint i = 0; i < list->len; i++) {
    GstMgpuDetection *object = list->pdata[i];

    if (types != NULL && !gst_mgpu_mask_has_type (types, object->label))
      continue;
    list->pdata[i] = list->pdata[n];
    list->pdata[n++] = object;
  }
  gst_mgpu_watch_regions (self, buffer, list, n, property, types);
  GST_MGPU_LOG_OBJECT (self->trans, "%u regions of interest, %u of them of the types "
      "\"%s\" of \"%s\"", list->len, n, types != NULL ? types : "any", property);
  g_ptr_array_set_size (list, n);
  return list;
}

/* --- Masks --- */

void
gst_mgpu_watch_segments (GstMgpuWatch * self, GstBuffer * buffer,
    guint n_masks)
{
  if (gst_mgpu_watch_is_idle (self, buffer, n_masks == 0, segmenters))
    GST_ELEMENT_WARNING (self->trans, STREAM, FAILED,
        ("%s: waits for segmentation masks, but none arrived in a second of "
            "frames: put an element that attaches them "
            "(GstAnalyticsSegmentationMtd) before this element, or use "
            "another \"mask-source\"",
            GST_OBJECT_NAME (self->trans)), (NULL));
}

void
gst_mgpu_watch_empty_mask (GstMgpuWatch * self, gint width, gint height)
{
  if (self->is_over)
    return;
  self->is_over = TRUE;
  GST_ELEMENT_WARNING (self->trans, RESOURCE, SETTINGS,
      ("%s: the mask has no pixels in frames of %dx%d: set \"rectangle\", "
          "\"polygon\" or \"mask-location\" to an area of the frame",
          GST_OBJECT_NAME (self->trans), width, height), (NULL));
}
