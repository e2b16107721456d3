/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Distributes the elements of a pipeline among several OpenCL contexts (lanes) of one
 * device. */
#include "gstmgpulanes-private.h"

#include "gstmgpucontext-private.h"
#include "gstmgpulog-private.h"

#define GST_CAT_DEFAULT gst_mgpu_context_debug

struct _GstMgpuLanes
{
  gatomicrefcount count;
  /* Both locks are recursive: messages are logged while they are held, and the
   * application's log function may use the library. */
  GRecMutex lock;               /* guards @contexts */
  GRecMutex build_lock;         /* held while a lane loads or builds a program */
  guint n;                      /* maximum number of contexts */
  GWeakRef *contexts;           /* array of @n weak references, each to a GstMgpuContext or
                                 * to NULL */
};

static void
lanes_unref (gpointer data)
{
  GstMgpuLanes *self = data;

  if (!g_atomic_ref_count_dec (&self->count))
    return;
  for (guint i = 0; i < self->n; i++)
    g_weak_ref_clear (&self->contexts[i]);
  g_free (self->contexts);
  g_rec_mutex_clear (&self->lock);
  g_rec_mutex_clear (&self->build_lock);
  g_free (self);
}

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("gst-mgpu-lanes");
}

/* Stores @self (transfer full) in @context. */
static void
set_lanes (GstMgpuContext * context, GstMgpuLanes * self)
{
  g_object_set_qdata_full (G_OBJECT (context), get_quark (), self, lanes_unref);
}

GstMgpuLanes *
gst_mgpu_lanes_get (GstMgpuContext * context)
{
  return g_object_get_qdata (G_OBJECT (context), get_quark ());
}

void
gst_mgpu_lanes_allow (GstMgpuContext * context)
{
  guint n = gst_mgpu_context_get_traits (context)->max_contexts;
  GstMgpuLanes *self;

  if (n < 2)
    return;
  self = g_new0 (GstMgpuLanes, 1);
  g_atomic_ref_count_init (&self->count);
  g_rec_mutex_init (&self->lock);
  g_rec_mutex_init (&self->build_lock);
  self->n = n;
  self->contexts = g_new0 (GWeakRef, n);
  for (guint i = 0; i < n; i++)
    g_weak_ref_init (&self->contexts[i], i == 0 ? context : NULL);
  set_lanes (context, self);
}

/* Finds the lane of @self with the fewest queues. If several lanes have the same smallest number of
 * queues, and @hint is one of them, this is @hint. Sets *@place to a free element of @contexts, or
 * to NULL if all are used. The caller holds the lock. Returns: (transfer full): the lane */
static GstMgpuContext *
find_least_used (GstMgpuLanes * self, GstMgpuContext * hint, GWeakRef ** place)
{
  GstMgpuContext *best = gst_object_ref (hint);

  *place = NULL;
  for (guint i = 0; i < self->n; i++) {
    GstMgpuContext *lane = g_weak_ref_get (&self->contexts[i]);

    if (lane == NULL) {
      *place = &self->contexts[i];
      continue;
    }
    if (gst_mgpu_context_get_n_queues (lane) <
        gst_mgpu_context_get_n_queues (best))
      gst_object_replace ((GstObject **) & best, GST_OBJECT_CAST (lane));
    gst_object_unref (lane);
  }
  return best;
}

GstMgpuContext *
gst_mgpu_lanes_choose (GstMgpuContext * hint)
{
  GstMgpuLanes *self = gst_mgpu_lanes_get (hint);
  GstMgpuContext *best, *made = NULL;
  GError *error = NULL;
  GWeakRef *place;

  if (self == NULL)
    return gst_object_ref (hint);
  g_rec_mutex_lock (&self->lock);
  best = find_least_used (self, hint, &place);
  if (place != NULL && gst_mgpu_context_get_n_queues (best) > 0) {
    made = gst_mgpu_context_new_beside (hint, &error);
    if (made != NULL) {
      g_atomic_ref_count_inc (&self->count);
      set_lanes (made, self);
      g_weak_ref_set (place, made);
    }
  }
  g_rec_mutex_unlock (&self->lock);
  if (error != NULL) {
    GST_WARNING_OBJECT (hint,
        "cannot make another context, so more streams will share %"
        GST_PTR_FORMAT ": %s", best, error->message);
    g_error_free (error);
  }
  GST_DEBUG_OBJECT (hint, made != NULL ? "a stream gets %" GST_PTR_FORMAT
      ", one of up to %u contexts" : "a stream shares %" GST_PTR_FORMAT
      ", one of up to %u contexts", made != NULL ? made : best, self->n);
  if (made == NULL)
    return best;
  gst_object_unref (best);
  return made;
}

void
gst_mgpu_lanes_begin_build (GstMgpuContext * context)
{
  GstMgpuLanes *self = gst_mgpu_lanes_get (context);

  if (self == NULL)
    return;
  GST_TRACE_OBJECT (context, "waiting until no other context builds kernels");
  g_rec_mutex_lock (&self->build_lock);
}

void
gst_mgpu_lanes_end_build (GstMgpuContext * context)
{
  GstMgpuLanes *self = gst_mgpu_lanes_get (context);

  if (self != NULL)
    g_rec_mutex_unlock (&self->build_lock);
}
