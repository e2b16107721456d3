/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shares OpenCL contexts between elements and applications, by means of GstContext. */
#include "gstmgpucontext.h"

#include "gstmgpuerror.h"
#include "gstmgpulog-private.h"

#define GST_CAT_DEFAULT gst_mgpu_context_debug

/* Lets one element at a time make an OpenCL context. Do not post messages or query
 * neighbours while this lock is held: the code that answers may start another element,
 * which takes the lock too. The lock is recursive, because the application's log function may
 * do so as well. */
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

/* Asks the peer of one pad for an OpenCL context. If the peer has one, sets it on
 * @element, whose set_context() stores it. Returns: FALSE, which ends the loop over the
 * pads, if the peer has a context */
static gboolean
query_pad (GstElement * element, GstPad * pad, gpointer user_data)
{
  GstQuery *query = user_data;
  GstContext *found = NULL;

  if (!gst_pad_peer_query (pad, query))
    return TRUE;
  gst_query_parse_context (query, &found);
  if (found == NULL)
    return TRUE;
  GST_INFO_OBJECT (element, "takes the context of the neighbour behind %"
      GST_PTR_FORMAT, pad);
  gst_element_set_context (element, found);
  return FALSE;
}

static gboolean
has_context (GstElement * element, GstMgpuContext ** context)
{
  gboolean has;

  GST_OBJECT_LOCK (element);
  has = *context != NULL;
  GST_OBJECT_UNLOCK (element);
  return has;
}

static gboolean
find_context (GstElement * element, GstMgpuContext ** context)
{
  GstQuery *query;

  if (has_context (element, context)) {
    GST_DEBUG_OBJECT (element, "has a context already");
    return TRUE;
  }

  query = gst_query_new_context (GST_MGPU_CONTEXT_TYPE);
  gst_element_foreach_src_pad (element, query_pad, query);
  if (!has_context (element, context))
    gst_element_foreach_sink_pad (element, query_pad, query);
  gst_query_unref (query);
  if (has_context (element, context))
    return TRUE;

  GST_DEBUG_OBJECT (element, "no neighbour has a context: asks the application");
  gst_element_post_message (element,
      gst_message_new_need_context (GST_OBJECT (element),
          GST_MGPU_CONTEXT_TYPE));
  if (!has_context (element, context))
    return FALSE;
  GST_INFO_OBJECT (element, "the application, or another element of the pipeline, "
      "gave a context");
  return TRUE;
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

/* Returns the OpenCL context that the pipeline of @element remembers, if it suits @device:
 * another element may have made it while @element asked its neighbours. Otherwise makes one,
 * which the pipeline remembers in place of any earlier one. Sets *@is_new to whether this
 * call made the context. */
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
    made = g_new (GWeakRef, 1);
    g_weak_ref_init (made, context);
    g_object_set_qdata_full (root, quark, made, free_weak_ref);
  }
  g_rec_mutex_unlock (&creation_lock);
  if (context != NULL)
    GST_INFO_OBJECT (element, *is_new ? "made %" GST_PTR_FORMAT " for %"
        GST_PTR_FORMAT : "takes %" GST_PTR_FORMAT ", which another element of %"
        GST_PTR_FORMAT " made meanwhile", context, root);
  gst_object_unref (root);
  return context;
}

/**
 * gst_mgpu_ensure_element_context: (skip)
 * @element: an element
 * @device: (nullable): the device string that @element is bound to
 * @context: (inout) (transfer full) (nullable): the variable in which @element keeps
 *   its context, guarded by the object lock of @element
 * @error: return location for a #GError
 *
 * Makes sure that *@context is set: keeps a context that is there, or else asks
 * elements downstream, elements upstream and the application for one, or else makes
 * a context and announces it. The set_context() of @element has to call
 * gst_mgpu_handle_set_context(). The caller must not hold locks that neighbours, or
 * code that answers messages, may need; this function holds no lock while it asks
 * and announces.
 *
 * Returns: %TRUE when *@context is set
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_ensure_element_context (GstElement * element, const gchar * device,
    GstMgpuContext ** context, GError ** error)
{
  GstMgpuContext *made;
  GstContext *carrier;
  gboolean is_new;

  gst_mgpu_log_init ();
  if (find_context (element, context))
    return TRUE;
  made = make_context (element, device, &is_new, error);
  if (made == NULL)
    return FALSE;

  carrier = gst_context_new_mgpu_context (made);
  gst_object_unref (made);
  gst_element_set_context (element, carrier);
  if (is_new)
    gst_element_post_message (element,
        gst_message_new_have_context (GST_OBJECT (element), carrier));
  else
    gst_context_unref (carrier);
  if (has_context (element, context))
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "%s refused the OpenCL context made for it: its set_context() has to "
      "call gst_mgpu_handle_set_context()", GST_OBJECT_NAME (element));
  return FALSE;
}

/**
 * gst_mgpu_handle_set_context: (skip)
 * @element: an element
 * @context: (nullable): the #GstContext that set_context() was called with
 * @device: (nullable): the device string that @element is bound to
 * @mgpu_context: (inout) (transfer full) (nullable): the variable in which @element
 *   keeps its context, guarded by the object lock of @element
 *
 * Stores the #GstMgpuContext that @context carries in *@mgpu_context. Call this from
 * the set_context() of an element. Ignores a context whose device does not match
 * @device. Posts no message.
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
    GST_INFO_OBJECT (element, "leaves %" GST_PTR_FORMAT " alone: its device, %s, is "
        "not the \"%s\" that the property \"device\" says", replacement,
        gst_mgpu_context_get_device_name (replacement), device);
    gst_object_unref (replacement);
    return FALSE;
  }

  GST_OBJECT_LOCK (element);
  old = *mgpu_context;
  *mgpu_context = replacement;
  GST_OBJECT_UNLOCK (element);
  GST_DEBUG_OBJECT (element, "is given %" GST_PTR_FORMAT " on %s, and had %"
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
 * Answers @query with @context when @query asks for a #GstMgpuContext and @context is
 * not %NULL.
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
  GstContext *carrier;

  if (context == NULL || !gst_query_parse_context_type (query, &type)
      || g_strcmp0 (type, GST_MGPU_CONTEXT_TYPE) != 0)
    return FALSE;
  GST_DEBUG_OBJECT (element, "hands %" GST_PTR_FORMAT " to a neighbour that asks",
      context);
  carrier = gst_context_new_mgpu_context (context);
  gst_query_set_context (query, carrier);
  gst_context_unref (carrier);
  return TRUE;
}
