/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpupyramid
 * @title: mgpupyramid
 * @short_description: outputs each frame in several sizes (image pyramid), on an OpenCL device
 *
 * Outputs a stream for each level of a Gaussian or Laplacian pyramid, from a single upload of the
 * frame. Level 0 has the size of the frame; each further level has half the size of the previous
 * level, rounded up. The frames of src_0 have a #GstMgpuPyramidMeta with all levels.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpupyramid name=p p.src_0 ! queue ! videoconvert ! autovideosink p.src_2 ! queue ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/elements/elements.h>
#include "gstmgpupyramid.h"

#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpunavigation.h>
#include <gst/frame/gstmgpuparams.h>

#include <stdio.h>

enum
{
  PROP_0,
  PROP_LEVELS,                  /* id of the first property of the array
                                 * mgpu_pyramid.params; the other ids follow */
  PROP_TYPE,
  PROP_DEVICE                   /* id of the first property of GstMgpuDeviceBase */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (GST_MGPU_CAPS_ALL));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src_%u",
    GST_PAD_SRC, GST_PAD_REQUEST,
    GST_STATIC_CAPS (GST_MGPU_CAPS_ALL));

#define gst_mgpu_pyramid_parent_class parent_class
G_DEFINE_TYPE (GstMgpuPyramid, gst_mgpu_pyramid, GST_TYPE_ELEMENT);
/* --- Handling of pads --- */

/* Returns: (transfer full): a list of the current source pads; free it with
 * free_pads() */
static GList *
get_pads (GstMgpuPyramid * self)
{
  GList *pads;

  GST_OBJECT_LOCK (self);
  pads = g_list_copy (GST_ELEMENT (self)->srcpads);
  for (GList * l = pads; l != NULL; l = l->next)
    gst_object_ref (l->data);
  GST_OBJECT_UNLOCK (self);
  return pads;
}

static void
free_pads (GList * pads)
{
  g_list_free_full (pads, gst_object_unref);
}

/* Returns: whether the element has a source pad src_<index> for the number @index, or is about to
 * add one. The caller holds the object lock */
static gboolean
is_taken (GstMgpuPyramid * self, guint index)
{
  return index < MGPU_PYRAMID_MAX_LEVELS && (self->indices & (1u << index)) != 0;
}

/* Makes the number @index free for another source pad. */
static void
free_index (GstMgpuPyramid * self, guint index)
{
  GST_OBJECT_LOCK (self);
  self->indices &= ~(1u << index);
  GST_OBJECT_UNLOCK (self);
}

static gboolean gst_mgpu_pyramid_src_event (GstPad * pad, GstObject * parent,
    GstEvent * event);
static gboolean gst_mgpu_pyramid_src_query (GstPad * pad, GstObject * parent,
    GstQuery * query);

static GstPad *
gst_mgpu_pyramid_request_new_pad (GstElement * element,
    GstPadTemplate * template, const gchar * name, const GstCaps * caps)
{
  GstMgpuPyramid *self = GST_MGPU_PYRAMID (element);
  guint index = 0, levels;
  gboolean taken;
  GstPad *pad;

  GST_OBJECT_LOCK (self);
  levels = self->params.levels;
  if (name == NULL || sscanf (name, "src_%u", &index) != 1)
    while (is_taken (self, index))
      index++;
  taken = is_taken (self, index);
  if (index < levels)
    self->indices |= 1u << index;
  GST_OBJECT_UNLOCK (self);

  if (index >= levels || taken) {
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("%s: no pad src_%u: %s", GST_OBJECT_NAME (self), index, taken
            ? "it is in use" : "increase the property \"levels\" before "
                "requesting the pad"),
        ("\"levels\" is %u, so the last pad is src_%u", levels, levels - 1));
    return NULL;
  }

  pad = gst_mgpu_pyramid_pad_new (self, template, index);
  GST_MGPU_DEBUG_OBJECT (self, "made %" GST_PTR_FORMAT " for level %u of %u", pad, index,
      levels);
  gst_pad_set_event_function (pad, gst_mgpu_pyramid_src_event);
  gst_pad_set_query_function (pad, gst_mgpu_pyramid_src_query);
  if (GST_PAD_IS_ACTIVE (self->sinkpad))
    gst_pad_set_active (pad, TRUE);
  if (gst_element_add_pad (element, pad))
    return pad;
  /* The application itself has already added a pad with this name. */
  free_index (self, index);
  return NULL;
}

/* Forgets @pad, which was removed from the element by release_pad() or by the application. */
static void
gst_mgpu_pyramid_pad_removed (GstElement * element, GstPad * pad)
{
  if (GST_IS_MGPU_PYRAMID_PAD (pad))
    free_index (GST_MGPU_PYRAMID (element), GST_MGPU_PYRAMID_PAD (pad)->index);
}

static void
gst_mgpu_pyramid_release_pad (GstElement * element, GstPad * pad)
{
  /* Marks the pad as released first, because a push may return FLUSHING as soon as the pad is
   * deactivated. */
  GST_MGPU_DEBUG_OBJECT (element, "releasing %" GST_PTR_FORMAT, pad);
  g_atomic_int_set (&GST_MGPU_PYRAMID_PAD (pad)->released, TRUE);
  gst_pad_set_active (pad, FALSE);
  gst_mgpu_in_flight_stop (&GST_MGPU_SOURCE_PAD (pad)->output.in_flight);
  gst_element_remove_pad (element, pad);
}

/* --- Making the pyramid --- */

static void
gst_mgpu_pyramid_unprepare (GstMgpuPyramid * self)
{
  g_clear_pointer (&self->pyramid, mgpu_object_free);
  for (guint i = 0; i < MGPU_PYRAMID_MAX_LEVELS; i++) {
    gst_mgpu_clear_pool (&self->level_pools[i]);
    gst_mgpu_clear_pool (&self->detail_pools[i]);
  }
}

static gboolean
gst_mgpu_pyramid_prepare (GstMgpuPyramid * self, GError ** error)
{
  MgpuPyramidParams params;

  gst_mgpu_pyramid_unprepare (self);
  if (!gst_mgpu_device_base_check_size (&self->base, &self->input.info,
          error))
    return FALSE;
  GST_OBJECT_LOCK (self);
  params = self->params;
  GST_OBJECT_UNLOCK (self);
  GST_MGPU_DEBUG_OBJECT (self, "preparing up to %u levels of MgpuPyramidType "
      "%d",
      params.levels, params.type);
  self->pyramid_type = params.type;
  gst_mgpu_device_base_begin_build (&self->base);
  self->pyramid = mgpu_object_new (&mgpu_pyramid, self->base.context,
      &self->input.info, NULL, NULL, &params, error);
  return gst_mgpu_device_base_end_build (&self->base, self->pyramid != NULL,
      error);
}

static gboolean
gst_mgpu_pyramid_set_caps (GstMgpuPyramid * self, GstCaps * caps)
{
  GList *pads = get_pads (self);
  GError *error = NULL;

  GST_MGPU_INFO_OBJECT (self, "caps in: %" GST_PTR_FORMAT, caps);
  gst_caps_replace (&self->caps, caps);
  if (!gst_mgpu_input_set_caps (&self->input, caps, &error)
      || !gst_mgpu_pyramid_prepare (self, &error)) {
    gst_mgpu_pyramid_unprepare (self);
    /* Posts the error only once, because GStreamer sends the caps event again before each later
     * event until the caps are accepted. */
    if (!self->warned_refused)
      gst_mgpu_device_base_fail (&self->base, error);
    else
      g_error_free (error);
    self->warned_refused = TRUE;
  } else {
    self->warned_refused = FALSE;
    for (GList * l = pads; l != NULL; l = l->next)
      gst_mgpu_source_pad_negotiate (l->data);
  }
  free_pads (pads);
  return self->pyramid != NULL;
}

/* Switches the element to the OpenCL context of the input frames, so that they need not be
 * copied. */
static gboolean
gst_mgpu_pyramid_adopt (GstMgpuPyramid * self, GstMgpuContext * context,
    GList * pads, GError ** error)
{
  gst_mgpu_input_reset (&self->input);
  if (!gst_mgpu_device_base_adopt (&self->base, context, error)
      || !gst_mgpu_pyramid_prepare (self, error))
    return FALSE;
  /* The source pads need new buffer pools, because the old pools belong to the old context. */
  for (GList * l = pads; l != NULL; l = l->next)
    gst_pad_mark_reconfigure (l->data);
  return TRUE;
}

/* --- Handling of events and queries --- */

/* Pushes @event, which is serialized with frames, from @pad, after all frames that arrived before
 * the event. */
static void
send_event (GstMgpuPyramid * self, GstMgpuPyramidPad * pad, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START) {
    gst_mgpu_source_pad_start (&pad->source, event);
    return;
  }
  gst_mgpu_source_pad_catch_up (&pad->source);
  if (!gst_mgpu_in_flight_handle_event (&pad->source.output.in_flight, event)
      && GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    gst_pad_push_event (GST_PAD (pad), gst_event_ref (event));
}

static gboolean
gst_mgpu_pyramid_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstMgpuPyramid *self = GST_MGPU_PYRAMID (parent);
  GstEventType type = GST_EVENT_TYPE (event);
  gboolean own = GST_EVENT_IS_SERIALIZED (event)
      && type != GST_EVENT_FLUSH_STOP;
  GList *pads = get_pads (self);
  gboolean ok = TRUE;
  GstCaps *caps;

  GST_MGPU_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT, event);
  for (GList * l = pads; l != NULL; l = l->next) {
    if (own)
      send_event (self, l->data, event);
    else
      gst_mgpu_in_flight_handle_event (&GST_MGPU_SOURCE_PAD (l->data)->output.
          in_flight, event);
  }
  free_pads (pads);
  if (!own)
    return gst_pad_event_default (pad, parent, event);
  if (type == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    ok = gst_mgpu_pyramid_set_caps (self, caps);
  }
  gst_event_unref (event);
  return ok;
}

/* Sets *@width and *@height to the size of the frames of @pad. Returns: FALSE if @pad has no
 * caps yet */
static gboolean
get_size (GstPad * pad, gint * width, gint * height)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  gboolean ok = caps != NULL && gst_mgpu_caps_get_size (caps, width, height);

  g_clear_pointer (&caps, gst_caps_unref);
  return ok;
}

/* Transforms the positions in navigation events, because the pointer's position is in a level, but
 * upstream expects a position in the input frame. */
static gboolean
gst_mgpu_pyramid_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gint width, height, in_width, in_height;

  if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION
      && get_size (pad, &width, &height)
      && get_size (GST_MGPU_PYRAMID (parent)->sinkpad, &in_width,
          &in_height)) {
    const gdouble matrix[9] = { (gdouble) in_width / width, 0, 0,
      0, (gdouble) in_height / height, 0, 0, 0, 1
    };

    event = gst_mgpu_navigation_move (GST_ELEMENT (parent), event, matrix, in_width,
        in_height);
  }
  return gst_pad_event_default (pad, parent, event);
}

/* Returns: (transfer full): the structures of @caps for device memory, followed by those for
 * system memory; without width and height unless @keep_size is TRUE */
static GstCaps *
in_any_memory (GstCaps * caps, gboolean keep_size)
{
  GstCaps *result = gst_mgpu_caps_in_any_memory (caps);

  for (guint i = 0; i < gst_caps_get_size (result) && !keep_size; i++)
    gst_structure_remove_fields (gst_caps_get_structure (result, i), "width",
        "height", NULL);
  return result;
}

/* Returns: (transfer full): the caps that the peers of all source pads accept */
static GstCaps *
get_sink_caps (GstMgpuPyramid * self)
{
  GstCaps *result = gst_pad_get_pad_template_caps (self->sinkpad);
  GList *pads = get_pads (self);

  for (GList * l = pads; l != NULL; l = l->next) {
    GstCaps *peer = gst_pad_peer_query_caps (l->data, NULL), *both;

    if (!gst_caps_is_any (peer)) {
      both = gst_mgpu_caps_intersect (result, in_any_memory (peer,
              GST_MGPU_PYRAMID_PAD (l->data)->index == 0));
      gst_caps_unref (result);
      result = both;
    }
    gst_caps_unref (peer);
  }
  free_pads (pads);
  return result;
}

/* Answers a CAPS query with @caps (transfer full). */
static void
answer_caps_query (GstQuery * query, GstCaps * caps)
{
  GstCaps *filter;

  gst_query_parse_caps (query, &filter);
  caps = gst_mgpu_caps_intersect (filter, caps);
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);
}

static gboolean
gst_mgpu_pyramid_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstMgpuPyramid *self = GST_MGPU_PYRAMID (parent);
  GList *pads;

  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CAPS:
      answer_caps_query (query, get_sink_caps (self));
      return TRUE;
    case GST_QUERY_ALLOCATION:
      return gst_mgpu_device_base_propose_allocation (&self->base, query);
    case GST_QUERY_DRAIN:
      pads = get_pads (self);
      for (GList * l = pads; l != NULL; l = l->next)
        gst_mgpu_in_flight_drain (&GST_MGPU_SOURCE_PAD (l->data)->output.
            in_flight);
      free_pads (pads);
      return gst_pad_query_default (pad, parent, query);
    default:
      if (gst_mgpu_device_base_answer_query (&self->base, query))
        return TRUE;
      gst_mgpu_input_look_at_query (&self->input, pad, query);
      return gst_pad_query_default (pad, parent, query);
  }
}

static gboolean
gst_mgpu_pyramid_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstMgpuPyramid *self = GST_MGPU_PYRAMID (parent);
  GstCaps *caps;

  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY) {
    if (!gst_pad_query_default (pad, parent, query))
      return FALSE;
    gst_mgpu_output_add_latency (&GST_MGPU_SOURCE_PAD (pad)->output, query);
    return TRUE;
  }
  if (GST_QUERY_TYPE (query) != GST_QUERY_CAPS)
    return gst_mgpu_device_base_answer_query (&self->base, query)
        || gst_pad_query_default (pad, parent, query);

  caps = gst_pad_get_current_caps (pad);
  if (caps != NULL) {
    answer_caps_query (query, in_any_memory (caps, TRUE));
    gst_caps_unref (caps);
  } else {
    answer_caps_query (query, gst_pad_get_pad_template_caps (pad));
  }
  return TRUE;
}

/* --- Work on frames --- */

/* Blocks until each source pad may have one more frame in flight. Returns: GST_FLOW_OK, or the
 * failure of an earlier push */
static GstFlowReturn
make_room (GList * pads)
{
  for (GList * l = pads; l != NULL; l = l->next) {
    GstMgpuPyramidPad *pad = l->data;

    pad->answer = gst_mgpu_pyramid_pad_judge (pad,
        gst_mgpu_in_flight_make_room (&pad->source.output.in_flight,
            gst_mgpu_output_get_max_in_flight (&pad->source.output)));
    if (gst_mgpu_flow_is_error (pad->answer))
      return pad->answer;
  }
  return GST_FLOW_OK;
}

/* Starts to download the output frames that are pushed in system memory. The thread of each pad
 * pushes its frame when the download is complete. */
static gboolean
take_frames (GList * pads, GError ** error)
{
  gboolean ok = TRUE;

  for (GList * l = pads; l != NULL && ok; l = l->next) {
    GstMgpuPyramidPad *pad = l->data;

    pad->taken = FALSE;
    if (pad->source.out == NULL)
      continue;
    ok = gst_mgpu_output_take (&pad->source.output, &pad->source.out, error);
    pad->taken = pad->source.out == NULL;
  }
  return ok;
}

/* Combines the results of pushing a frame from several source pads: @flow is the combined result
 * of some pads, and @ret that of another pad. The stream continues as long as one pad can push
 * frames. If no pad can, FLUSHING takes precedence over EOS: a pipeline that is being stopped
 * stops its sinks first, which is not a failure. */
static GstFlowReturn
combine (GstFlowReturn flow, GstFlowReturn ret)
{
  static const GstFlowReturn order[] = { GST_FLOW_OK, GST_FLOW_FLUSHING,
    GST_FLOW_EOS
  };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (flow == order[i] || ret == order[i])
      return order[i];
  return GST_FLOW_NOT_LINKED;
}

static GstFlowReturn
push_frames (GList * pads)
{
  GstFlowReturn flow = GST_FLOW_NOT_LINKED;

  for (GList * l = pads; l != NULL; l = l->next) {
    GstMgpuPyramidPad *pad = l->data;
    GstFlowReturn ret = pad->taken ? pad->answer : pad->source.flow;

    if (pad->source.out != NULL)
      ret = gst_mgpu_in_flight_push (&pad->source.output.in_flight,
          g_steal_pointer (&pad->source.out));
    ret = gst_mgpu_pyramid_pad_judge (pad, ret);
    if (gst_mgpu_flow_is_error (ret))
      return ret;
    flow = combine (flow, ret);
  }
  return flow;
}

static GstFlowReturn
gst_mgpu_pyramid_chain (GstPad * sinkpad, GstObject * parent, GstBuffer * in)
{
  GstMgpuPyramid *self = GST_MGPU_PYRAMID (parent);
  GstMgpuContext *context;
  GstFlowReturn flow;
  GError *error = NULL;
  GList *pads;

  if (self->pyramid == NULL) {
    gst_buffer_unref (in);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  pads = get_pads (self);
  flow = make_room (pads);
  if (flow != GST_FLOW_OK) {
    GST_MGPU_DEBUG_OBJECT (self, "dropping a frame, because the last push "
        "returned %s",
        gst_flow_get_name (flow));
    gst_buffer_unref (in);
    free_pads (pads);
    return flow;
  }

  context = gst_mgpu_device_base_get_foreign (&self->base, in);
  if (context != NULL
      && !gst_mgpu_pyramid_adopt (self, context, pads, &error)) {
    flow = gst_mgpu_device_base_fail (&self->base, error);
  } else {
    for (GList * l = pads; l != NULL; l = l->next)
      gst_mgpu_source_pad_begin_frame (l->data);
    flow = gst_mgpu_pyramid_process (self, pads, &in, &error)
        && take_frames (pads, &error) ? push_frames (pads)
        : gst_mgpu_device_base_fail (&self->base, error);
  }
  if (flow != GST_FLOW_OK)
    GST_MGPU_DEBUG_OBJECT (self, "combined result of the source pads: %s",
        gst_flow_get_name (flow));
  gst_clear_buffer (&in);
  for (GList * l = pads; l != NULL; l = l->next)
    gst_clear_buffer (&GST_MGPU_SOURCE_PAD (l->data)->out);
  free_pads (pads);
  return flow;
}

/* --- Functions of the class GstElement --- */

static GstStateChangeReturn
gst_mgpu_pyramid_change_state (GstElement * element, GstStateChange transition)
{
  GstMgpuPyramid *self = GST_MGPU_PYRAMID (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    if (!gst_mgpu_device_base_start (&self->base)) {
      gst_mgpu_device_base_stop (&self->base);
      return GST_STATE_CHANGE_FAILURE;
    }
    self->warned_refused = FALSE;
  }
  ret = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    GList *pads = get_pads (self);

    for (GList * l = pads; l != NULL; l = l->next)
      gst_mgpu_source_pad_reset (l->data);
    free_pads (pads);
    gst_mgpu_pyramid_unprepare (self);
    gst_caps_replace (&self->caps, NULL);
    gst_mgpu_device_base_stop (&self->base);
    gst_mgpu_input_reset (&self->input);
  }
  return ret;
}

static void
gst_mgpu_pyramid_set_context (GstElement * element, GstContext * context)
{
  gst_mgpu_device_base_set_context (&GST_MGPU_PYRAMID (element)->base, context);
  GST_ELEMENT_CLASS (parent_class)->set_context (element, context);
}

/* --- Functions of the class GObject --- */

static void
update_latency (GstMgpuPyramid * self)
{
  GList *pads = get_pads (self);

  for (GList * l = pads; l != NULL; l = l->next)
    gst_mgpu_output_update_latency (&GST_MGPU_SOURCE_PAD (l->data)->output);
  free_pads (pads);
}

static void
gst_mgpu_pyramid_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMgpuPyramid *self = GST_MGPU_PYRAMID (object);

  GST_MGPU_DEBUG_OBJECT (self, "property \"%s\" is set", pspec->name);
  if (id < PROP_DEVICE) {
    GST_OBJECT_LOCK (self);
    gst_mgpu_params_set (mgpu_pyramid.params, id - PROP_LEVELS, &self->params,
        value);
    GST_OBJECT_UNLOCK (self);
  } else if (gst_mgpu_device_base_set_property (&self->base,
          id - PROP_DEVICE, value)) {
    update_latency (self);
  } else {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
gst_mgpu_pyramid_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuPyramid *self = GST_MGPU_PYRAMID (object);

  if (id < PROP_DEVICE) {
    GST_OBJECT_LOCK (self);
    gst_mgpu_params_get (mgpu_pyramid.params, id - PROP_LEVELS, &self->params,
        value);
    GST_OBJECT_UNLOCK (self);
  } else if (!gst_mgpu_device_base_get_property (&self->base,
          id - PROP_DEVICE, value)) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
gst_mgpu_pyramid_finalize (GObject * object)
{
  GstMgpuPyramid *self = GST_MGPU_PYRAMID (object);

  gst_mgpu_device_base_clear (&self->base);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_pyramid_init (GstMgpuPyramid * self)
{
  GstElement *element = GST_ELEMENT (self);

  gst_mgpu_device_base_init (&self->base, element);
  gst_mgpu_params_init (G_OBJECT_GET_CLASS (self), mgpu_pyramid.params,
      &self->params);
  gst_mgpu_input_init (&self->input, &self->base);
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_mgpu_pyramid_chain);
  gst_pad_set_event_function (self->sinkpad, gst_mgpu_pyramid_sink_event);
  gst_pad_set_query_function (self->sinkpad, gst_mgpu_pyramid_sink_query);
  /* Lets the sink pad accept caps without some of the fields that the caps of downstream have. */
  GST_PAD_SET_ACCEPT_INTERSECT (self->sinkpad);
  gst_element_add_pad (element, self->sinkpad);
}

static void
gst_mgpu_pyramid_class_init (GstMgpuPyramidClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_mgpu_pyramid_set_property;
  object_class->get_property = gst_mgpu_pyramid_get_property;
  object_class->finalize = gst_mgpu_pyramid_finalize;
  element_class->request_new_pad = gst_mgpu_pyramid_request_new_pad;
  element_class->release_pad = gst_mgpu_pyramid_release_pad;
  element_class->pad_removed = gst_mgpu_pyramid_pad_removed;
  element_class->change_state = gst_mgpu_pyramid_change_state;
  element_class->set_context = gst_mgpu_pyramid_set_context;

  gst_mgpu_params_install (object_class, mgpu_pyramid.params, PROP_LEVELS);
  gst_mgpu_device_base_install_properties (object_class, PROP_DEVICE);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template_with_gtype (element_class,
      &src_template, GST_TYPE_MGPU_PYRAMID_PAD);
  gst_element_class_set_static_metadata (element_class, "OpenCL pyramid",
      "Filter/Converter/Video/Scaler",
      "Outputs each frame in several sizes, on an OpenCL device",
      "The gst-mgpu authors");
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_PYRAMID_PAD, 0);
}
