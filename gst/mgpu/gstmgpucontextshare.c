/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shares OpenCL contexts between elements and applications, through GstContext. */
#include "gstmgpucontext-private.h"

#include "gstmgpuerror.h"
#include "gstmgpulanes-private.h"
#include "gstmgpulog-private.h"

#define GST_CAT_DEFAULT gst_mgpu_context_debug

/* Allows only one element at a time to make an OpenCL context. Do not post messages or query
 * neighbors while this lock is held, because a message handler or neighbor may start another
 * element, and that element takes the lock. The lock is recursive, because the application's log
 * function may also start an element. */
static GRecMutex creation_lock;

/**
 * gst_context_new_mgpu_context:
 * @context: (transfer none): a #GstMgpuContext
 *
 * Puts a #GstMgpuContext into a #GstContext, for gst_element_set_context().
 *
 * Returns: (transfer full): a persistent #GstContext that carries @context
 *
 * Since: 1.0
 */
GstContext *
gst_context_new_mgpu_context (GstMgpuContext * context)
{
  GstContext *carrier = gst_context_new (GST_MGPU_CONTEXT_TYPE, TRUE);

  gst_structure_set (gst_context_writable_structure (carrier),
      "context", GST_TYPE_MGPU_CONTEXT, context,
      "platform", G_TYPE_STRING, gst_mgpu_context_get_platform_name (context),
      "device", G_TYPE_STRING, gst_mgpu_context_get_device_name (context),
      "version", G_TYPE_STRING, gst_mgpu_context_get_version (context), NULL);
  return carrier;
}

/**
 * gst_context_get_mgpu_context:
 * @context: a #GstContext
 *
 * Takes a #GstMgpuContext out of a #GstContext, for example in set_context().
 *
 * Returns: (transfer full) (nullable): the #GstMgpuContext that @context
 *   carries, or %NULL when @context is of another type
 *
 * Since: 1.0
 */
GstMgpuContext *
gst_context_get_mgpu_context (GstContext * context)
{
  GstMgpuContext *self = NULL;

  if (gst_context_has_context_type (context, GST_MGPU_CONTEXT_TYPE))
    gst_structure_get (gst_context_get_structure (context),
        "context", GST_TYPE_MGPU_CONTEXT, &self, NULL);
  return self;
}

/* Field of the context queries that are sent upstream */
#define UPSTREAM "mgpu-upstream"

/* Returns: TRUE if @element has chosen its context among the lanes (OpenCL contexts) of its
 * pipeline. FALSE means that a lane that was set on @element may still be replaced by
 * another lane. */
static gboolean
has_chosen (GstElement * element)
{
  return g_object_get_qdata (G_OBJECT (element),
      g_quark_from_static_string ("gst-mgpu-chosen")) != NULL;
}

static void
set_chosen (GstElement * element)
{
  g_object_set_qdata (G_OBJECT (element),
      g_quark_from_static_string ("gst-mgpu-chosen"), GINT_TO_POINTER (1));
}

/* Asks the peer of @pad for an OpenCL context, with the context query @query. Returns:
 * FALSE if @query now has a context, which ends the loop over the pads */
static gboolean
query_pad (GstElement * element, GstPad * pad, gpointer query)
{
  GstContext *found = NULL;

  if (!gst_pad_peer_query (pad, query)) {
    GST_TRACE_OBJECT (element,
        "found no context of a neighbor in the direction of %" GST_PTR_FORMAT,
        pad);
    return TRUE;
  }
  gst_query_parse_context (query, &found);
  if (found != NULL)
    GST_INFO_OBJECT (element, "found the context of the neighbor linked to %"
        GST_PTR_FORMAT, pad);
  return found == NULL;
}

/* Asks the elements upstream or downstream of @element for an OpenCL context. Returns:
 * (transfer full) (nullable): the context of the nearest element that has one */
static GstContext *
ask_neighbours (GstElement * element, gboolean upstream)
{
  g_autoptr (GstQuery) query = gst_query_new_context (GST_MGPU_CONTEXT_TYPE);
  GstContext *found = NULL;

  gst_structure_set (gst_query_writable_structure (query), UPSTREAM,
      G_TYPE_BOOLEAN, upstream, NULL);
  if (upstream)
    gst_element_foreach_sink_pad (element, query_pad, query);
  else
    gst_element_foreach_src_pad (element, query_pad, query);
  gst_query_parse_context (query, &found);
  if (found != NULL)
    gst_context_ref (found);
  return found;
}

/* Returns: (transfer full) (nullable): the context of @element */
static GstMgpuContext *
get_context (GstElement * element, GstMgpuContext ** context)
{
  GstMgpuContext *got;

  GST_OBJECT_LOCK (element);
  got = *context != NULL ? gst_object_ref (*context) : NULL;
  GST_OBJECT_UNLOCK (element);
  return got;
}

static gboolean
has_context (GstElement * element, GstMgpuContext ** context)
{
  GstMgpuContext *got = get_context (element, context);
  gboolean has = got != NULL;

  gst_clear_object (&got);
  return has;
}

/* Looks for a neighbor that has a context, and sets this context on @element; the
 * element's set_context() stores it. Returns: TRUE if there is such a context and its
 * device matches the property "device" of @element */
static gboolean
take_from_neighbours (GstElement * element, GstMgpuContext ** context)
{
  GstContext *found = ask_neighbours (element, FALSE);
  GstMgpuContext *offered, *taken;

  if (found == NULL)
    found = ask_neighbours (element, TRUE);
  if (found == NULL)
    return FALSE;
  gst_element_set_context (element, found);
  offered = gst_context_get_mgpu_context (found);
  taken = get_context (element, context);
  gst_context_unref (found);
  gst_clear_object (&offered);
  gst_clear_object (&taken);
  return offered == taken;
}

/* Asks the application for a context. Returns: TRUE if @element has a context then */
static gboolean
take_from_application (GstElement * element, GstMgpuContext ** context)
{
  GST_DEBUG_OBJECT (element, "no neighbor has a context: requesting one from "
      "the application");
  gst_element_post_message (element,
      gst_message_new_need_context (GST_OBJECT (element),
          GST_MGPU_CONTEXT_TYPE));
  if (!has_context (element, context))
    return FALSE;
  GST_INFO_OBJECT (element,
      "got a context from the application or another element of the pipeline");
  return TRUE;
}

/* Moves @element, the first element of its stream that starts, to the lane (OpenCL context)
 * with the fewest command queues. */
static void
choose_lane (GstElement * element, GstMgpuContext ** context)
{
  g_autoptr (GstMgpuContext) given = get_context (element, context);
  g_autoptr (GstMgpuContext) lane = gst_mgpu_lanes_choose (given);
  GstContext *carrier;

  if (lane != given) {
    GST_INFO_OBJECT (element, "this is the first element of its stream to "
        "start: choosing %"
        GST_PTR_FORMAT ", which has %u users, instead of %" GST_PTR_FORMAT
        ", which has %u", lane, gst_mgpu_context_get_n_queues (lane), given,
        gst_mgpu_context_get_n_queues (given));
    carrier = gst_context_new_mgpu_context (lane);
    gst_element_set_context (element, carrier);
    gst_context_unref (carrier);
  }
}

static void
free_weak_ref (gpointer ref)
{
  g_weak_ref_clear (ref);
  g_free (ref);
}

/* Returns: (transfer full): the pipeline that @element is in, or the topmost ancestor of
 * @element, or @element itself when it has no parent */
static GstObject *
get_root (GstElement * element)
{
  GstObject *root = gst_object_ref (element), *parent;

  while ((parent = gst_object_get_parent (root)) != NULL) {
    gst_object_unref (root);
    root = parent;
  }
  return root;
}

/* Returns the OpenCL context that the pipeline of @element stores, if the device of this
 * context matches @device. Another element may have stored it there while @element queried
 * its neighbors. Otherwise makes a context and stores it in the pipeline, instead of any
 * earlier context. Sets *@is_new to TRUE if this call made the context. */
static GstMgpuContext *
make_context (GstElement * element, const gchar * device, gboolean * is_new,
    GError ** error)
{
  GQuark quark = g_quark_from_static_string ("gst-mgpu-made-context");
  GObject *root = G_OBJECT (get_root (element));
  GstMgpuContext *context = NULL;
  GWeakRef *made;

  g_rec_mutex_lock (&creation_lock);
  made = g_object_get_qdata (root, quark);
  if (made != NULL)
    context = g_weak_ref_get (made);
  if (context != NULL && !gst_mgpu_context_matches (context, device))
    g_clear_pointer (&context, gst_object_unref);
  *is_new = context == NULL;
  if (*is_new && (context = gst_mgpu_context_new (device, error)) != NULL) {
    gst_mgpu_lanes_allow (context);
    made = g_new (GWeakRef, 1);
    g_weak_ref_init (made, context);
    g_object_set_qdata_full (root, quark, made, free_weak_ref);
  }
  g_rec_mutex_unlock (&creation_lock);
  if (context != NULL)
    GST_INFO_OBJECT (element, *is_new ? "made %" GST_PTR_FORMAT " for %"
        GST_PTR_FORMAT : "using %" GST_PTR_FORMAT ", which another element of %"
        GST_PTR_FORMAT " made meanwhile", context, root);
  gst_object_unref (root);
  return context;
}

/* Makes a context for @element and announces it, or takes the context that the pipeline
 * stores. */
static gboolean
make_and_announce (GstElement * element, const gchar * device,
    GstMgpuContext ** context, GError ** error)
{
  gboolean is_new;
  GstMgpuContext *made = make_context (element, device, &is_new, error);
  GstContext *carrier;

  if (made == NULL)
    return FALSE;
  carrier = gst_context_new_mgpu_context (made);
  gst_object_unref (made);
  gst_element_set_context (element, carrier);
  if (is_new)
    GST_DEBUG_OBJECT (element, "posting the new context to the application");
  if (is_new)
    gst_element_post_message (element,
        gst_message_new_have_context (GST_OBJECT (element), carrier));
  else
    gst_context_unref (carrier);
  if (has_context (element, context))
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "%s did not store the OpenCL context that was made for it: its "
      "set_context() has to call gst_mgpu_handle_set_context()",
      GST_OBJECT_NAME (element));
  return FALSE;
}

/**
 * gst_mgpu_ensure_element_context: (skip)
 * @element: an element
 * @device: (nullable): the device string that @element is bound to
 * @context: (inout) (transfer full) (nullable): the variable in which @element keeps
 *   its context, guarded by the object lock of @element
 * @error: return location for a #GError
 *
 * Makes sure that *@context is set. Keeps a context that is already set. Otherwise queries
 * the elements downstream, then the elements upstream, and then asks the application. If
 * none of them has a context, makes a context and announces it with a HAVE_CONTEXT message.
 *
 * A device may allow several contexts (#GstMgpuTraits.max_contexts). If it does, if the
 * context found was made by an element of this library, and if no neighbor has a context,
 * *@context becomes the one of these contexts that the fewest elements use.
 *
 * The set_context() of @element has to call gst_mgpu_handle_set_context(). The caller must
 * not hold locks that neighbors or message handlers may need; this function holds no lock
 * during queries and messages.
 *
 * Returns: %TRUE when *@context is set
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_ensure_element_context (GstElement * element, const gchar * device,
    GstMgpuContext ** context, GError ** error)
{
  GstMgpuContext *given;

  gst_mgpu_log_init ();
  given = get_context (element, context);
  if (given != NULL && gst_mgpu_lanes_get (given) == NULL) {
    GST_DEBUG_OBJECT (element, "using the context that is already set");
  } else if (!take_from_neighbours (element, context)) {
    if (given == NULL && !take_from_application (element, context)
        && !make_and_announce (element, device, context, error))
      return FALSE;
    choose_lane (element, context);
  }
  set_chosen (element);
  gst_clear_object (&given);
  return TRUE;
}

/**
 * gst_mgpu_handle_set_context: (skip)
 * @element: an element
 * @context: (nullable): the #GstContext that set_context() was called with
 * @device: (nullable): the device string that @element is bound to
 * @mgpu_context: (inout) (transfer full) (nullable): the variable in which @element
 *   keeps its context, guarded by the object lock of @element
 *
 * Stores the #GstMgpuContext that @context carries in *@mgpu_context. Call this function in
 * the set_context() of an element. Ignores a context whose device does not match @device.
 * Posts no message.
 *
 * Returns: %TRUE when @context carried a #GstMgpuContext and it was stored
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_handle_set_context (GstElement * element, GstContext * context,
    const gchar * device, GstMgpuContext ** mgpu_context)
{
  GstMgpuContext *replacement, *old;

  if (context == NULL
      || (replacement = gst_context_get_mgpu_context (context)) == NULL)
    return FALSE;
  if (!gst_mgpu_context_matches (replacement, device)) {
    GST_INFO_OBJECT (element,
        "ignoring a context, because its device, %s, does not match \"%s\", the value "
        "of the property \"device\": %" GST_PTR_FORMAT,
        gst_mgpu_context_get_device_name (replacement), device, replacement);
    gst_object_unref (replacement);
    return FALSE;
  }

  GST_OBJECT_LOCK (element);
  old = *mgpu_context;
  *mgpu_context = replacement;
  GST_OBJECT_UNLOCK (element);
  GST_DEBUG_OBJECT (element, "got %" GST_PTR_FORMAT " on %s, instead of %"
      GST_PTR_FORMAT, replacement,
      gst_mgpu_context_get_device_name (replacement), old);
  if (old != NULL)
    gst_object_unref (old);
  return TRUE;
}

/**
 * gst_mgpu_handle_context_query:
 * @element: an element
 * @query: a context query
 * @context: (nullable): the context of @element, to which the caller holds a
 *   reference
 *
 * Answers @query when it asks for a #GstMgpuContext. The answer is @context. If @context is
 * %NULL, or if @element may still choose another context, the answer is the context of
 * elements downstream of @element.
 *
 * Returns: %TRUE when @query was answered
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_handle_context_query (GstElement * element, GstQuery * query,
    GstMgpuContext * context)
{
  const gchar *type;
  gboolean is_upstream = FALSE;
  GstContext *carrier;

  if (!gst_query_parse_context_type (query, &type)
      || g_strcmp0 (type, GST_MGPU_CONTEXT_TYPE) != 0)
    return FALSE;
  if (context == NULL || (gst_mgpu_lanes_get (context) != NULL
          && !has_chosen (element))) {
    gst_structure_get_boolean (gst_query_get_structure (query), UPSTREAM,
        &is_upstream);
    carrier = is_upstream ? ask_neighbours (element, FALSE) : NULL;
    GST_DEBUG_OBJECT (element,
        "no context is chosen yet: answering a query with the context of the "
        "neighbors downstream: %" GST_PTR_FORMAT, carrier);
    if (carrier == NULL)
      return FALSE;
    gst_query_set_context (query, carrier);
    gst_context_unref (carrier);
    return TRUE;
  }
  GST_DEBUG_OBJECT (element,
      "answering a query with %" GST_PTR_FORMAT " for a neighbor", context);
  carrier = gst_context_new_mgpu_context (context);
  gst_query_set_context (query, carrier);
  gst_context_unref (carrier);
  return TRUE;
}
