/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Keeps the recent positions of tracked objects, which mgpuoverlay draws as trails. */
#include "trails.h"

/* Maximum number of objects that have a trail at the same time. Further objects get none. */
#define MAX_TRAILS 1024

typedef struct
{
  gint64 id;
  guint64 first;                /* number of the frame to which the first point of the trail
                                 * belongs; frames are counted from the start of the stream */
  GArray *points;               /* array of MgpuOverlayPoint, one for each frame starting
                                 * with the frame @first */
} Trail;

struct _MgpuTrails
{
  GPtrArray *trails;            /* array of Trail: the trails of all objects, oldest trail
                                 * first */
  guint64 n_frames;             /* number of frames that have arrived so far */
};

static void
trail_free (gpointer data)
{
  Trail *trail = data;

  g_array_unref (trail->points);
  g_free (trail);
}

MgpuTrails *
mgpu_trails_new (void)
{
  MgpuTrails *self = g_new0 (MgpuTrails, 1);

  self->trails = g_ptr_array_new_with_free_func (trail_free);
  return self;
}

void
mgpu_trails_free (MgpuTrails * self)
{
  g_ptr_array_unref (self->trails);
  g_free (self);
}

void
mgpu_trails_clear (MgpuTrails * self)
{
  g_ptr_array_set_size (self->trails, 0);
}

/* Returns: (nullable): the trail of the object with the id @id, which is made if the object
 * has none; NULL if there are too many trails */
static Trail *
find_trail (MgpuTrails * self, gint64 id)
{
  Trail *trail;

  for (guint i = 0; i < self->trails->len; i++) {
    trail = self->trails->pdata[i];
    if (trail->id == id)
      return trail;
  }
  if (self->trails->len >= MAX_TRAILS)
    return NULL;
  trail = g_new0 (Trail, 1);
  trail->id = id;
  trail->first = self->n_frames;
  trail->points = g_array_new (FALSE, FALSE, sizeof (MgpuOverlayPoint));
  g_ptr_array_add (self->trails, trail);
  return trail;
}

/* Adds the position of an object in the current frame to its trail. For earlier frames in
 * which the object was not seen, adds its last known position. */
static void
add_point (MgpuTrails * self, const GstMgpuDetection * d)
{
  MgpuOverlayPoint point = { d->x + d->width / 2.0, (gdouble) d->y + d->height };
  Trail *trail = find_trail (self, d->tracking_id);

  if (trail == NULL)
    return;
  while (trail->first + trail->points->len < self->n_frames) {
    MgpuOverlayPoint last = g_array_index (trail->points, MgpuOverlayPoint,
        trail->points->len - 1);

    g_array_append_val (trail->points, last);
  }
  if (trail->first + trail->points->len == self->n_frames)
    g_array_append_val (trail->points, point);
}

/* Removes from @trail the points of frames before frame number @begin. Returns: whether the
 * trail has points left */
static gboolean
forget (Trail * trail, guint64 begin)
{
  if (trail->first < begin) {
    guint n = MIN (begin - trail->first, trail->points->len);

    g_array_remove_range (trail->points, 0, n);
    trail->first = begin;
  }
  return trail->points->len > 0;
}

void
mgpu_trails_add (MgpuTrails * self, const GPtrArray * objects, guint length)
{
  guint64 begin = self->n_frames > length ? self->n_frames - length : 0;

  for (guint i = self->trails->len; i-- > 0;)
    if (!forget (self->trails->pdata[i], begin))
      g_ptr_array_remove_index (self->trails, i);
  for (guint i = 0; i < objects->len && length > 0; i++) {
    const GstMgpuDetection *d = objects->pdata[i];

    if (d->tracking_id >= 0)
      add_point (self, d);
  }
  self->n_frames++;
}

void
mgpu_trails_draw (const MgpuTrails * self, MgpuOverlay * overlay)
{
  for (guint i = 0; i < self->trails->len; i++) {
    const Trail *trail = self->trails->pdata[i];

    mgpu_overlay_add_trail (overlay, trail->id,
        (const MgpuOverlayPoint *) trail->points->data, trail->points->len);
  }
}
