/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Records the contexts that the chains of a pipeline use. */
#include "lanes.h"

#include <gst/mgpu/mgpu.h>

/* Weak references (GWeakRef) to the contexts of the pipeline that plays */
static GPtrArray *noted;
static guint most;

static void
free_weak_ref (gpointer ref)
{
  g_weak_ref_clear (ref);
  g_free (ref);
}

void
lanes_begin (void)
{
  g_setenv ("GST_MGPU_CONTEXTS", "4", FALSE);
}

/* Returns: (transfer full) (nullable): the context of @element */
static GstMgpuContext *
ask_context (GstElement * element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstQuery) query = gst_query_new_context (GST_MGPU_CONTEXT_TYPE);
  GstContext *carrier;

  if (!gst_pad_query (pad, query))
    return NULL;
  gst_query_parse_context (query, &carrier);
  return gst_context_get_mgpu_context (carrier);
}

static void
note_context (GstMgpuContext * context)
{
  GWeakRef *ref;

  for (guint i = 0; i < noted->len; i++) {
    g_autoptr (GObject) known = g_weak_ref_get (noted->pdata[i]);

    if (known == G_OBJECT (context))
      return;
  }
  ref = g_new (GWeakRef, 1);
  g_weak_ref_init (ref, context);
  g_ptr_array_add (noted, ref);
}

void
lanes_note (GstElement ** elements, guint n)
{
  g_autoptr (GHashTable) contexts =
      g_hash_table_new_full (NULL, NULL, gst_object_unref, NULL);

  if (noted == NULL)
    noted = g_ptr_array_new_with_free_func (free_weak_ref);
  for (guint i = 0; i < n; i++) {
    GstMgpuContext *context = ask_context (elements[i]);

    if (context == NULL)
      continue;
    note_context (context);
    g_hash_table_add (contexts, context);
  }
  most = MAX (most, g_hash_table_size (contexts));
}

static guint
count_left (void)
{
  guint n = 0;

  for (guint i = 0; noted != NULL && i < noted->len; i++) {
    g_autoptr (GObject) left = g_weak_ref_get (noted->pdata[i]);

    n += left != NULL;
  }
  return n;
}

guint
lanes_wait (void)
{
  guint left = count_left ();

  for (guint i = 0; i < 500 && left > 0; i++) {
    g_usleep (10 * G_TIME_SPAN_MILLISECOND);
    left = count_left ();
  }
  g_clear_pointer (&noted, g_ptr_array_unref);
  return left;
}

guint
lanes_count (void)
{
  return most;
}
