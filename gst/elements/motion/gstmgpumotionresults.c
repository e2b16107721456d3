/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the results of the device for frames, tracks the regions, and posts messages. Only one
 * thread at a time reads results: it sets @is_reading. It holds no lock while it waits for the
 * device or posts messages. Therefore results are read once and in order, and message handlers of
 * the application may call the element. */
#include "gstmgpumotionresults.h"

#include <gst/frame/gstmgpupools.h>

#include <string.h>

/* Maximum evidence of a pixel in the sum of a region */
#define MAX_EVIDENCE 192

GstMgpuMotionFrame *
gst_mgpu_motion_frame_new (void)
{
  GstMgpuMotionFrame *self = g_atomic_rc_box_new0 (GstMgpuMotionFrame);

  self->regions = g_array_new (FALSE, FALSE, sizeof (GstMgpuMovingRegion));
  self->survive = self->energy = 1;
  return self;
}

GstMgpuMotionFrame *
gst_mgpu_motion_frame_ref (GstMgpuMotionFrame * self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
frame_clear (gpointer data)
{
  GstMgpuMotionFrame *self = data;

  g_clear_pointer (&self->times, gst_structure_free);
  gst_clear_buffer (&self->results);
  gst_clear_buffer (&self->mask);
  gst_clear_buffer (&self->labels);
  gst_clear_buffer (&self->heat);
  gst_clear_buffer (&self->change);
  g_array_unref (self->regions);
}

void
gst_mgpu_motion_frame_unref (GstMgpuMotionFrame * self)
{
  g_atomic_rc_box_release_full (self, frame_clear);
}

void
gst_mgpu_motion_results_init (GstMgpuMotionResults * self,
    GstMgpuDeviceBase * base)
{
  self->base = base;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->queue);
  self->tracks = gst_mgpu_motion_tracks_new ();
  gst_mgpu_tamper_state_init (&self->tamper);
}

void
gst_mgpu_motion_results_clear (GstMgpuMotionResults * self)
{
  gst_mgpu_motion_tracks_free (self->tracks);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

/* --- Messages --- */

/* Returns: (transfer full): a structure @name with the times of @frame and the field "event" */
static GstStructure *
message_new (const GstMgpuMotionFrame * frame, const gchar * name,
    const gchar * event)
{
  GstStructure *s = gst_structure_copy (frame->times);

  gst_structure_set_name (s, name);
  gst_structure_set (s, "event", G_TYPE_STRING, event, NULL);
  return s;
}

static void
post (GstMgpuMotionResults * self, GstStructure * s)
{
  GstElement *element = self->base->element;

  GST_MGPU_INFO_OBJECT (element, "posting %" GST_PTR_FORMAT, s);
  gst_element_post_message (element,
      gst_message_new_element (GST_OBJECT (element), s));
}

static void
post_motion (GstMgpuMotionResults * self, const GstMgpuMotionFrame * frame,
    GstMgpuMotionEvent event)
{
  guint n = event == GST_MGPU_MOTION_STARTED ? frame->regions->len : 0;
  gint left = G_MAXINT, top = G_MAXINT, right = 0, bottom = 0;
  gdouble share = 0;
  GstStructure *s;

  if (event != GST_MGPU_MOTION_NO_EVENT)
    GST_MGPU_DEBUG_OBJECT (self->base->element, "motion %s with frame %"
        G_GUINT64_FORMAT, event == GST_MGPU_MOTION_STARTED ? "starts" : "stops",
        frame->number);
  if (event == GST_MGPU_MOTION_NO_EVENT || !frame->posts)
    return;
  for (guint i = 0; i < n; i++) {
    const GstMgpuMovingRegion *region =
        &g_array_index (frame->regions, GstMgpuMovingRegion, i);

    left = MIN (left, region->x);
    top = MIN (top, region->y);
    right = MAX (right, region->x + region->width);
    bottom = MAX (bottom, region->y + region->height);
    share += region->share;
  }
  left = MIN (left, right);
  top = MIN (top, bottom);
  s = message_new (frame, "mgpu-motion", event == GST_MGPU_MOTION_STARTED
      ? "started" : "stopped");
  gst_structure_set (s, "regions", G_TYPE_UINT, n, "share",
      G_TYPE_DOUBLE, share, "x", G_TYPE_INT, left, "y", G_TYPE_INT, top,
      "width", G_TYPE_INT, right - left, "height", G_TYPE_INT, bottom - top,
      "id", G_TYPE_UINT64, self->first_id, NULL);
  post (self, s);
}

static void
post_tamper (GstMgpuMotionResults * self, const GstMgpuMotionFrame * frame,
    GstMgpuTamper event)
{
  GstStructure *s;

  if (event != GST_MGPU_TAMPER_NONE)
    GST_MGPU_DEBUG_OBJECT (self->base->element, "state of the camera: %s; "
        "still visible: %.0f %% of the edges and %.0f %% of the contrast of "
        "the background",
        gst_mgpu_tamper_get_name (event), 100 * frame->survive,
        100 * frame->energy);
  if (event == GST_MGPU_TAMPER_NONE || !frame->posts)
    return;
  s = message_new (frame, "mgpu-tamper", gst_mgpu_tamper_get_name (event));
  gst_structure_set (s, "survive", G_TYPE_DOUBLE, frame->survive, "energy",
      G_TYPE_DOUBLE, frame->energy, NULL);
  post (self, s);
}

/* --- Reading the results of a frame --- */

/* Continues the tracks with the regions of @results, and lists those that count in
 * @frame->regions, in pixels of the frame. */
static void
follow (GstMgpuMotionResults * self, GstMgpuMotionFrame * frame,
    const MgpuMovingResults * results)
{
  guint n = CLAMP (results->head.n_regions, 0, MOVING_MAX_REGIONS);
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GstMgpuMotionRegion));
  GArray *found = g_array_new (FALSE, FALSE, sizeof (GstMgpuMotionTrack));
  gint scale = frame->size.scale;
  gdouble n_pixels = (gdouble) frame->size.width * frame->size.height;

  for (guint i = 0; i < n; i++) {
    const MgpuMovingRegion *from = &results->regions[i];
    GstMgpuMotionRegion region = { {from->x0, from->y0, from->x1, from->y1},
    from->area, from->area, from->evidence
    };

    g_array_append_val (regions, region);
  }
  gst_mgpu_motion_tracks_update (self->tracks, regions, &frame->tracks, found);
  for (guint i = 0; i < found->len; i++) {
    const GstMgpuMotionTrack *track =
        &g_array_index (found, GstMgpuMotionTrack, i);
    const GstMgpuMotionRegion *from = &track->region;
    gint x = CLAMP (from->box.left * scale, 0, frame->width - 1);
    gint y = CLAMP (from->box.top * scale, 0, frame->height - 1);
    GstMgpuMovingRegion region = {
      .id = track->id,.x = x,.y = y,
      .width = CLAMP (from->box.right * scale, x + 1, frame->width) - x,
      .height = CLAMP (from->box.bottom * scale, y + 1, frame->height) - y,
      .age = track->age,.share = MIN (from->area / n_pixels, 1),
      .confidence = MIN (from->evidence / (MAX_EVIDENCE
              * (gdouble) MAX (from->n_pixels, 1)), 1),
      .dx = track->dx * scale / 16.0,.dy = track->dy * scale / 16.0
    };

    g_array_append_val (frame->regions, region);
  }
  g_array_unref (regions);
  g_array_unref (found);
}

/* Checks whether the camera was tampered with. */
static void
look_at_camera (GstMgpuMotionResults * self, GstMgpuMotionFrame * frame,
    const MgpuMovingHead * head)
{
  const GstMgpuTamperSums sums = {
    (guint) frame->size.width * frame->size.height, head->n_strong,
    head->n_survived, head->frame_energy, head->model_energy, head->brightness
  };
  gboolean has_faded = gst_mgpu_tamper_has_faded (&self->tamper, &sums);
  gboolean is_known = head->n_learned >= MGPU_MOVING_WARM_UP;
  GstMgpuTamper event = GST_MGPU_TAMPER_NONE;

  if (is_known) {
    frame->survive =
        gst_mgpu_tamper_get_survive (&self->tamper, &sums) / 1024.0;
    frame->energy = gst_mgpu_tamper_get_energy (&self->tamper, &sums) / 1024.0;
  }
  if (frame->tamper_time == 0)
    gst_mgpu_tamper_state_init (&self->tamper);
  else if (is_known)
    event = gst_mgpu_tamper_state_update (&self->tamper, &sums, frame->time,
        frame->tamper_time, frame->absorb_time);
  if (event == GST_MGPU_TAMPER_LEARNED
      || (event == GST_MGPU_TAMPER_RESTORED && has_faded))
    g_atomic_int_set (&self->relearns, TRUE);
  frame->tamper = gst_mgpu_tamper_get_name (self->tamper.tampered);
  post_tamper (self, frame, event);
  g_mutex_lock (&self->lock);
  self->counters[GST_MGPU_MOTION_TAMPERED] += event >= GST_MGPU_TAMPER_DARK
      && event <= GST_MGPU_TAMPER_MOVED;
  g_mutex_unlock (&self->lock);
}

static void
count (GstMgpuMotionResults * self, const GstMgpuMotionFrame * frame,
    const MgpuMovingHead * head, GstMgpuMotionEvent event)
{
  g_mutex_lock (&self->lock);
  self->counters[GST_MGPU_MOTION_REGIONS] += frame->regions->len;
  self->counters[GST_MGPU_MOTION_REGIONS_DROPPED] += head->n_dropped;
  self->counters[GST_MGPU_MOTION_EVENTS] += event == GST_MGPU_MOTION_STARTED;
  self->counters[GST_MGPU_MOTION_MOVING_PIXELS] += head->n_moving;
  self->counters[GST_MGPU_MOTION_GHOSTS] += head->n_ghosts;
  self->counters[GST_MGPU_MOTION_TONE_FRAMES] += head->has_tone != 0;
  g_mutex_unlock (&self->lock);
}

static void
take_results (GstMgpuMotionResults * self, GstMgpuMotionFrame * frame,
    const MgpuMovingResults * results)
{
  const MgpuMovingHead *head = &results->head;
  GstMgpuMotionEvent event;

  /* Leaves the tracks as they are until the next frame, because a frame without contrast does not
   * show what moves. */
  if (!head->is_flat)
    follow (self, frame, results);
  frame->light = head->light;
  event = gst_mgpu_motion_activity_update (&self->state, frame->time,
      frame->regions->len > 0, frame->stop_delay);
  frame->active = self->state.active;
  if (event == GST_MGPU_MOTION_STARTED)
    self->first_id = g_array_index (frame->regions, GstMgpuMovingRegion, 0).id;
  count (self, frame, head, event);
  if (head->n_dropped > 0)
    GST_MGPU_DEBUG_OBJECT (self->base->element, "frame %" G_GUINT64_FORMAT
        " has too many regions; dropping %d of them", frame->number,
        head->n_dropped);
  if (head->n_learned == MGPU_MOVING_WARM_UP)
    GST_MGPU_DEBUG_OBJECT (self->base->element, "learned the background; it is "
        "known from frame %" G_GUINT64_FORMAT " on", frame->number);
  GST_MGPU_LOG_OBJECT (self->base->element, "frame %" G_GUINT64_FORMAT ": %d "
      "regions, of which %u count; ghosts: %d, moving pixels: %d, state of "
      "light: %d",
      frame->number, head->n_regions, frame->regions->len, head->n_ghosts,
      head->n_moving, head->light);
  look_at_camera (self, frame, head);
  post_motion (self, frame, event);
}

/* Waits for the results of @frame, and processes them. */
static void
read_frame (GstMgpuMotionResults * self, GstMgpuMotionFrame * frame)
{
  GstMgpuMemory *memory = gst_mgpu_peek_table (frame->results);
  GError *error = NULL;
  GstMapInfo map;

  /* Sleeps until the download is complete, so that the map does not wait actively. */
  if (gst_mgpu_memory_fetched (memory, &error)) {
    if (gst_memory_map (GST_MEMORY_CAST (memory), &map, GST_MAP_READ)) {
      take_results (self, frame, (const MgpuMovingResults *) map.data);
      gst_memory_unmap (GST_MEMORY_CAST (memory), &map);
      return;
    }
    if (!gst_mgpu_set_lost (memory->context, &error))
      g_set_error (&error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED, "the "
          "regions of a frame cannot be read from the device: update its "
          "driver, or choose another device");
  }
  frame->failed = TRUE;
  g_mutex_lock (&self->lock);
  if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_mutex_unlock (&self->lock);
  g_clear_error (&error);
}

/* Reads the results of the first frame of the queue. The caller holds the lock, which is released
 * meanwhile. */
static void
read_first_locked (GstMgpuMotionResults * self)
{
  GstMgpuMotionFrame *frame = g_queue_peek_head (&self->queue);
  GstMgpuMotionFrame *old;

  self->is_reading = TRUE;
  g_mutex_unlock (&self->lock);
  read_frame (self, frame);
  g_mutex_lock (&self->lock);
  g_queue_pop_head (&self->queue);
  frame->is_read = TRUE;
  old = self->newest;
  self->newest = frame;
  self->is_reading = FALSE;
  g_cond_broadcast (&self->changed);
  if (old != NULL) {
    /* Releases the buffers without the lock, because they may belong to pools whose locks must not
     * be taken under this one. */
    g_mutex_unlock (&self->lock);
    gst_mgpu_motion_frame_unref (old);
    g_mutex_lock (&self->lock);
  }
}

/* --- Threads --- */

static gpointer
watch (gpointer data)
{
  GstMgpuMotionResults *self = data;

  g_mutex_lock (&self->lock);
  while (!self->stops) {
    if (self->queue.length == 0 || self->is_reading)
      g_cond_wait (&self->changed, &self->lock);
    else
      read_first_locked (self);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

void
gst_mgpu_motion_results_add (GstMgpuMotionResults * self,
    GstMgpuMotionFrame * frame, gboolean watches)
{
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->queue, gst_mgpu_motion_frame_ref (frame));
  if (watches && self->thread == NULL)
    self->thread = g_thread_new ("mgpumotion", watch, self);
  if (watches)
    g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* If there is an error that no caller has received yet, sets @error to it. Returns: whether there
 * is such an error. The caller holds the lock */
static gboolean
take_error_locked (GstMgpuMotionResults * self, GError ** error)
{
  if (self->error == NULL)
    return FALSE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  self->told = TRUE;
  return TRUE;
}

gboolean
gst_mgpu_motion_results_read (GstMgpuMotionResults * self,
    GstMgpuMotionFrame * frame, GError ** error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  while (!frame->is_read) {
    if (self->is_reading)
      g_cond_wait (&self->changed, &self->lock);
    else
      read_first_locked (self);
  }
  ok = !frame->failed;
  if (!ok)
    take_error_locked (self, error);
  g_mutex_unlock (&self->lock);
  return ok;
}

GstMgpuMotionFrame *
gst_mgpu_motion_results_get_newest (GstMgpuMotionResults * self,
    GstMgpuMotionFrame * frame, GError ** error)
{
  GstMgpuMotionFrame *known = NULL;

  g_mutex_lock (&self->lock);
  if (!take_error_locked (self, error))
    /* Returns the newest results, because another thread may have read the results of later frames
     * while @frame was in flight. */
    known = frame->is_read ? frame : self->newest;
  if (known != NULL)
    gst_mgpu_motion_frame_ref (known);
  g_mutex_unlock (&self->lock);
  return known;
}

/* Reads the results of all frames of the queue. Returns: (transfer full) (nullable): the last frame
 * whose results were read */
static GstMgpuMotionFrame *
read_all (GstMgpuMotionResults * self)
{
  GstMgpuMotionFrame *newest;

  g_mutex_lock (&self->lock);
  while (self->queue.length > 0 || self->is_reading) {
    if (self->is_reading)
      g_cond_wait (&self->changed, &self->lock);
    else
      read_first_locked (self);
  }
  newest = g_steal_pointer (&self->newest);
  g_mutex_unlock (&self->lock);
  return newest;
}

void
gst_mgpu_motion_results_forget (GstMgpuMotionResults * self)
{
  /* Needs no lock, because the streaming thread calls this function, so that no frame is added at
   * the same time, and no other thread reads results after read_all(). */
  GstMgpuMotionFrame *newest = read_all (self);
  GError *error = NULL;
  gboolean told;

  g_mutex_lock (&self->lock);
  told = self->told;
  take_error_locked (self, &error);
  self->told = FALSE;
  g_mutex_unlock (&self->lock);
  if (error != NULL && !told && newest != NULL && !newest->waits)
    gst_mgpu_device_base_fail (self->base, g_steal_pointer (&error));
  g_clear_error (&error);
  if (newest != NULL) {
    post_motion (self, newest, gst_mgpu_motion_activity_end (&self->state));
    gst_mgpu_motion_frame_unref (newest);
  }
  self->state.active = FALSE;
  gst_mgpu_tamper_state_init (&self->tamper);
  gst_mgpu_motion_tracks_forget (self->tracks);
}

void
gst_mgpu_motion_results_stop (GstMgpuMotionResults * self)
{
  GstMgpuMotionFrame *newest, *frame;
  GThread *thread;

  g_mutex_lock (&self->lock);
  self->stops = TRUE;
  g_cond_broadcast (&self->changed);
  thread = g_steal_pointer (&self->thread);
  g_mutex_unlock (&self->lock);
  if (thread != NULL)
    g_thread_join (thread);
  newest = g_steal_pointer (&self->newest);
  g_clear_pointer (&newest, gst_mgpu_motion_frame_unref);
  g_clear_error (&self->error);
  self->told = FALSE;
  while ((frame = g_queue_pop_head (&self->queue)) != NULL)
    gst_mgpu_motion_frame_unref (frame);
  self->stops = FALSE;
  self->state.active = FALSE;
  gst_mgpu_tamper_state_init (&self->tamper);
  gst_mgpu_motion_tracks_free (self->tracks);
  self->tracks = gst_mgpu_motion_tracks_new ();
  g_mutex_lock (&self->lock);
  memset (self->counters, 0, sizeof (self->counters));
  g_mutex_unlock (&self->lock);
}

void
gst_mgpu_motion_results_describe (GstMgpuMotionResults * self,
    GstStructure * stats)
{
  static const gchar *const names[] = {
    [GST_MGPU_MOTION_REGIONS] = "regions",
    [GST_MGPU_MOTION_REGIONS_DROPPED] = "regions-dropped",
    [GST_MGPU_MOTION_EVENTS] = "events",
    [GST_MGPU_MOTION_MOVING_PIXELS] = "moving-pixels",
    [GST_MGPU_MOTION_GHOSTS] = "ghosts",
    [GST_MGPU_MOTION_TONE_FRAMES] = "tone-frames",
    [GST_MGPU_MOTION_TAMPERED] = "tampered"
  };
  guint64 counters[GST_MGPU_MOTION_N_COUNTERS];

  g_mutex_lock (&self->lock);
  memcpy (counters, self->counters, sizeof (counters));
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < GST_MGPU_MOTION_N_COUNTERS; i++)
    gst_structure_set (stats, names[i], G_TYPE_UINT64, counters[i], NULL);
}
