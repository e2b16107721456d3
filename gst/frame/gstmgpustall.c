/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the queue that blocks upstream while an element waits for later frames. This is a
 * full queue in another branch of a tee or demuxer; the sink of that branch waits for the
 * branch of this element. */
#include "gstmgpustall.h"

#include <gst/base/gstbasesink.h>

#include "gstmgpulog.h"

/* Maximum number of pads that a search visits */
#define MAX_PADS 500

void
gst_mgpu_stall_init (GstMgpuStall * self, GstElement * element, GstPad * pad)
{
  self->element = element;
  self->pad = pad;
  g_mutex_init (&self->lock);
}

void
gst_mgpu_stall_clear (GstMgpuStall * self)
{
  g_mutex_clear (&self->lock);
}

/* --- Finding what blocks upstream --- */

typedef struct
{
  GstElement *element;          /* the element that waits for frames */
  guint n_pads;                 /* number of pads visited so far */
  gboolean is_blocked;          /* whether a thread is active in the branch that is being
                                 * inspected */
  gboolean has_preroll;         /* whether a sink of this branch waits in the state
                                 * PAUSED */
  guint n_queues;               /* number of queues that were found in this branch */
  GstPad *full;                 /* sink pad of the full queue (transfer full); NULL until
                                 * it is found */
  GstPad *branch;               /* source pad at which a blocked branch without queue
                                 * begins (transfer full); NULL until it is found */
} Search;

static void
add_pad (const GValue * value, gpointer pads)
{
  g_ptr_array_add (pads, g_value_dup_object (value));
}

/* Returns: (transfer full): the internally linked pads of @pad: the source pads that
 * belong to a sink pad, or the sink pads that belong to a source pad */
static GPtrArray *
list_links (GstPad * pad)
{
  GPtrArray *pads = g_ptr_array_new_with_free_func (gst_object_unref);
  GstIterator *it = gst_pad_iterate_internal_links (pad);

  while (it != NULL && gst_iterator_foreach (it, add_pad, pads) ==
      GST_ITERATOR_RESYNC) {
    gst_iterator_resync (it);
    g_ptr_array_set_size (pads, 0);
  }
  if (it != NULL)
    gst_iterator_free (it);
  return pads;
}

/* Returns: whether a thread is active in the sink pad @pad, for example because it is
 * blocked by a full queue */
static gboolean
is_busy (GstPad * pad)
{
  gboolean busy = !GST_PAD_STREAM_TRYLOCK (pad);

  if (!busy)
    GST_PAD_STREAM_UNLOCK (pad);
  return busy;
}

/* Reads the property whose name is @prefix followed by @what. If @object (nullable) has no such
 * property, sets *@number to 0. Returns: whether @object has this property */
static gboolean
read_number (gpointer object, const gchar * prefix, const gchar * what,
    guint64 * number)
{
  g_autofree gchar *name = g_strconcat (prefix, what, NULL);
  GValue value = G_VALUE_INIT;
  gboolean has = object != NULL
      && g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);

  g_value_init (&value, G_TYPE_UINT64);
  if (has)
    g_object_get_property (object, name, &value);
  *number = g_value_get_uint64 (&value);
  g_value_unset (&value);
  return has;
}

/* Reads the level and the limit of the queue with the pad @pad. @what: the kind of level:
 * buffers, bytes, or time in ns. *@level and *@most are set to the level and the limit. A
 * multiqueue has a level for each stream, as properties of its pads. Returns: whether
 * @pad belongs to a queue that has a limit of this kind */
static gboolean
get_limit (GstPad * pad, const gchar * what, guint64 * level, guint64 * most)
{
  GstElement *element = gst_pad_get_parent_element (pad);
  gboolean has = read_number (element, "current-level-", what, level)
      || read_number (pad, "current-level-", what, level);

  has = read_number (element, "max-size-", what, most) && has;
  gst_clear_object (&element);
  return has && *most > 0;
}

static const gchar *const limits[] = { "buffers", "bytes", "time" };

static gboolean
is_full (GstPad * pad)
{
  guint64 level, most;

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (get_limit (pad, limits[i], &level, &most) && level >= most)
      return TRUE;
  return FALSE;
}

/* Returns: whether @pad belongs to a queue; sets *@n to the number of frames in that
 * queue */
static gboolean
is_queue (GstPad * pad, guint64 * n)
{
  GstElement *element = gst_pad_get_parent_element (pad);
  guint64 most;
  gboolean is = read_number (element, "max-size-", "buffers", &most)
      && (read_number (element, "current-level-", "buffers", n)
      || read_number (pad, "current-level-", "buffers", n));

  gst_clear_object (&element);
  return is;
}

/* Returns: whether @pad belongs to a queue that holds frames */
static gboolean
has_frames (GstPad * pad)
{
  guint64 n;

  return is_queue (pad, &n) && n > 0;
}

/* Finds the first queue on each path downstream of the source pad @src, and checks
 * whether it is full. Does not follow the first pad if no thread is active there. */
static void
search_down (Search * self, GstPad * src, gboolean is_first)
{
  GstPad *peer = gst_pad_get_peer (src);
  GstElement *element;
  GPtrArray *links;
  guint64 n;

  if (peer == NULL || self->n_pads++ >= MAX_PADS
      || (is_first && !is_busy (peer))) {
    gst_clear_object (&peer);
    return;
  }
  self->is_blocked = TRUE;
  element = gst_pad_get_parent_element (peer);
  GST_MGPU_LOG_OBJECT (self->element, "checking %" GST_PTR_FORMAT, peer);
  if (GST_IS_BASE_SINK (element))
    self->has_preroll |= GST_BASE_SINK (element)->have_preroll;
  if (is_queue (peer, &n)) {
    self->n_queues++;
    if (is_full (peer))
      self->full = gst_object_ref (peer);
  } else if (element != self->element) {
    links = list_links (peer);
    for (guint i = 0; i < links->len && self->full == NULL; i++)
      search_down (self, links->pdata[i], FALSE);
    g_ptr_array_unref (links);
  }
  gst_clear_object (&element);
  gst_object_unref (peer);
}

static gboolean
is_found (const Search * self)
{
  return self->full != NULL || self->branch != NULL;
}

/* Inspects the branch that begins at the source pad @branch. */
static void
search_branch (Search * self, GstPad * branch)
{
  if (is_found (self))
    return;
  self->is_blocked = FALSE;
  self->has_preroll = FALSE;
  self->n_queues = 0;
  search_down (self, branch, TRUE);
  /* A branch without a queue counts as blocked only if its sink waits for preroll;
   * otherwise it may just be slow. */
  if (self->is_blocked && self->n_queues == 0 && self->has_preroll)
    self->branch = gst_object_ref (branch);
}

/* Follows the stream upstream from the sink pad @sink, and inspects each other branch.
 * Stops at a queue that has frames for the element. */
static void
search_up (Search * self, GstPad * sink)
{
  GstPad *from = gst_pad_get_peer (sink);
  GPtrArray *inputs, *branches;

  if (from == NULL || self->n_pads++ >= MAX_PADS || is_busy (sink)
      || has_frames (from)) {
    gst_clear_object (&from);
    return;
  }
  inputs = list_links (from);
  for (guint i = 0; i < inputs->len; i++) {
    branches = list_links (inputs->pdata[i]);
    for (guint k = 0; k < branches->len; k++)
      if (branches->pdata[k] != from)
        search_branch (self, branches->pdata[k]);
    g_ptr_array_unref (branches);
    if (!is_found (self))
      search_up (self, inputs->pdata[i]);
  }
  g_ptr_array_unref (inputs);
  gst_object_unref (from);
}

/* --- The warning --- */

/* Returns: the minimum limit of a queue (buffers, bytes or ns) that leaves room for @n
 * more frames. @level is its current level. If @duration, the duration of a frame, and
 * @time, the time of the frames in the queue (both in ns), are known, @level is
 * extrapolated in proportion to time; otherwise in proportion to @frames, the number of
 * frames in the queue */
static guint64
enlarge (guint64 level, guint n, guint64 frames, GstClockTime duration,
    GstClockTime time)
{
  if (time > 0 && duration > 0)
    return gst_util_uint64_scale_ceil (level, time + n * duration, time);
  return gst_util_uint64_scale_ceil (level, frames + n, MAX (frames, 1));
}

/* Returns: (transfer full): a text that lists the limits of the queue @name that are too
 * low, and the values that they need. @full is the sink pad of the queue */
static gchar *
get_cure (GstPad * full, const gchar * name, guint n, GstClockTime duration)
{
  GString *text = g_string_new (NULL);
  guint64 frames, time, level, most, need;

  get_limit (full, "buffers", &frames, &most);
  get_limit (full, "time", &time, &most);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    if (!get_limit (full, limits[i], &level, &most))
      continue;
    need = enlarge (level, n, frames, duration, time);
    if (need > most)
      g_string_append_printf (text, "%smax-size-%s of %s at least %"
          G_GUINT64_FORMAT, text->len > 0 ? ", " : "", limits[i],
          name, need);
  }
  return g_string_free (text, FALSE);
}

/* Posts a warning if upstream is blocked. Returns: whether it is */
static gboolean
warn (GstMgpuStall * self, guint n, GstClockTime duration)
{
  Search search = { self->element, };
  gboolean found;
  gchar *cure, *name;

  search_up (&search, self->pad);
  found = is_found (&search);
  GST_MGPU_DEBUG_OBJECT (self->element, "%u frames are missing; %s", n, found
      ? "another branch blocks upstream" : "upstream is not blocked");
  if (search.full != NULL) {
    name = gst_object_get_name (GST_OBJECT_PARENT (search.full));
    cure = get_cure (search.full, name, n, duration);
    GST_ELEMENT_WARNING (self->element, STREAM, FAILED,
        ("%s: no more frames arrive, and %u more are needed before one is "
            "pushed, because %s in another branch is full: make %s (0 = no "
            "limit)",
            GST_OBJECT_NAME (self->element), n, name, cure),
        ("upstream is blocked"));
    g_free (cure);
    g_free (name);
  } else if (search.branch != NULL) {
    GST_ELEMENT_WARNING (self->element, STREAM, FAILED,
        ("%s: no more frames arrive, and %u more are needed before one is "
            "pushed, because the branch that begins at %s:%s is blocked: put "
            "a queue there that can hold that many frames", GST_OBJECT_NAME (self->element), n,
            GST_DEBUG_PAD_NAME (search.branch)), ("upstream is blocked"));
  }
  gst_clear_object (&search.full);
  gst_clear_object (&search.branch);
  return found;
}

/* --- The time without a frame --- */

static void plan (GstMgpuStall * self, GstClockTime time);

/* Inspects the stream at the scheduled time, in the thread of the system clock. Schedules
 * another inspection if a frame has arrived meanwhile, or if upstream is not blocked, for
 * example because the source is slow. */
static gboolean
look (GstClock * clock, GstClockTime time, GstClockID id, gpointer data)
{
  GstMgpuStall *self = data;
  GstClockTime now = gst_clock_get_time (clock), next, duration, patience;
  gboolean is_late;
  guint n;

  g_mutex_lock (&self->lock);
  patience = self->patience;
  next = self->last + patience;
  is_late = self->is_waiting && now >= next;
  n = self->n_missing;
  duration = self->duration;
  g_mutex_unlock (&self->lock);

  if (is_late) {
    GST_MGPU_LOG_OBJECT (self->element, "checking whether upstream is blocked");
    if (warn (self, n, duration))
      return TRUE;
    next = now + patience;
  }
  g_mutex_lock (&self->lock);
  if (self->id == id) {
    g_clear_pointer (&self->id, gst_clock_id_unref);
    if (self->is_waiting)
      plan (self, next);
  }
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static void
release (gpointer data)
{
  gst_object_unref (((GstMgpuStall *) data)->element);
}

/* Schedules the next inspection of the stream. The caller holds the lock. */
static void
plan (GstMgpuStall * self, GstClockTime time)
{
  GstClock *clock = gst_system_clock_obtain ();

  self->id = gst_clock_new_single_shot_id (clock, time);
  gst_object_ref (self->element);
  gst_clock_id_wait_async (self->id, look, self, release);
  gst_object_unref (clock);
}

void
gst_mgpu_stall_expect (GstMgpuStall * self, guint n_missing,
    GstClockTime duration, GstClockTime patience)
{
  GstClock *clock = gst_system_clock_obtain ();

  GST_MGPU_LOG_OBJECT (self->element, "will check for a blocked stream if no "
      "frame arrives for %"
      GST_TIME_FORMAT, GST_TIME_ARGS (patience));
  g_mutex_lock (&self->lock);
  self->last = gst_clock_get_time (clock);
  self->patience = patience;
  self->duration = duration;
  self->n_missing = n_missing;
  self->is_waiting = TRUE;
  if (self->id == NULL)
    plan (self, self->last + patience);
  g_mutex_unlock (&self->lock);
  gst_object_unref (clock);
}

void
gst_mgpu_stall_end (GstMgpuStall * self)
{
  GstClockID id;

  g_mutex_lock (&self->lock);
  self->is_waiting = FALSE;
  id = g_steal_pointer (&self->id);
  g_mutex_unlock (&self->lock);
  if (id != NULL) {
    gst_clock_id_unschedule (id);
    gst_clock_id_unref (id);
  }
}
