/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The picture and the painted mask of retouch, with the steps that can be undone. */
#include "retouch.h"

#include <string.h>

/* Maximum number of steps that can be undone; older steps are forgotten */
#define MAX_STEPS 100

/* The state before a step, which is restored when the step is undone */
typedef struct
{
  GdkPixbuf *picture;
  RetouchBox box;               /* box in which the step changed the mask */
  guint8 *mask;                 /* old mask in this box, without gaps between rows */
} Step;

struct _RetouchCanvas
{
  GdkPixbuf *picture;
  gint width, height, stride;
  guint8 *mask;
  GQueue steps;                 /* queue of Step, latest step first */

  guint8 *before;               /* the mask at the beginning of the stroke */
  RetouchBox changed;           /* box that changed since then */
  gdouble x, y, radius;         /* position and radius of the brush */
  guint8 value;                 /* mask value that the brush paints */
};

static void
step_free (gpointer data)
{
  Step *step = data;

  g_object_unref (step->picture);
  g_free (step->mask);
  g_free (step);
}

RetouchCanvas *
retouch_canvas_new (GdkPixbuf * picture)
{
  RetouchCanvas *self = g_new0 (RetouchCanvas, 1);

  self->picture = g_object_ref (picture);
  self->width = gdk_pixbuf_get_width (picture);
  self->height = gdk_pixbuf_get_height (picture);
  self->stride = (self->width + 3) & ~3;
  self->mask = g_malloc0_n (self->height, self->stride);
  self->before = g_malloc0_n (self->height, self->stride);
  g_queue_init (&self->steps);
  return self;
}

void
retouch_canvas_free (RetouchCanvas * self)
{
  if (self == NULL)
    return;
  g_queue_clear_full (&self->steps, step_free);
  g_object_unref (self->picture);
  g_free (self->mask);
  g_free (self->before);
  g_free (self);
}

GdkPixbuf *
retouch_canvas_get_picture (RetouchCanvas * self)
{
  return self->picture;
}

guint8 *
retouch_canvas_get_mask (RetouchCanvas * self, gint * stride)
{
  *stride = self->stride;
  return self->mask;
}

gboolean
retouch_canvas_is_empty (RetouchCanvas * self)
{
  for (gint y = 0; y < self->height; y++)
    if (memchr (self->mask + (gsize) y * self->stride, 255, self->width))
      return FALSE;
  return TRUE;
}

/* ---- Steps -------------------------------------------------------------------- */

static RetouchBox
intersect (RetouchBox a, RetouchBox b)
{
  gint x1 = MIN (a.x + a.width, b.x + b.width);
  gint y1 = MIN (a.y + a.height, b.y + b.height);
  RetouchBox box = { MAX (a.x, b.x), MAX (a.y, b.y), 0, 0 };

  box.width = MAX (x1 - box.x, 0);
  box.height = MAX (y1 - box.y, 0);
  return box;
}

static RetouchBox
unite (RetouchBox a, RetouchBox b)
{
  RetouchBox box = { MIN (a.x, b.x), MIN (a.y, b.y), 0, 0 };

  if (a.width == 0 || a.height == 0)
    return b;
  if (b.width == 0 || b.height == 0)
    return a;
  box.width = MAX (a.x + a.width, b.x + b.width) - box.x;
  box.height = MAX (a.y + a.height, b.y + b.height) - box.y;
  return box;
}

static void
copy_box (guint8 * to, gsize to_stride, const guint8 * from, gsize from_stride,
    RetouchBox box)
{
  for (gint y = 0; y < box.height; y++)
    memcpy (to + y * to_stride, from + y * from_stride, box.width);
}

static guint8 *
at (RetouchCanvas * self, guint8 * mask, RetouchBox box)
{
  return mask + (gsize) box.y * self->stride + box.x;
}

/* Adds a step for undo: stores the picture and the old mask in the box. */
static void
push (RetouchCanvas * self, RetouchBox box)
{
  Step *step = g_new (Step, 1);

  step->picture = g_object_ref (self->picture);
  step->box = box;
  step->mask = g_malloc_n (MAX (box.width, 1), MAX (box.height, 1));
  copy_box (step->mask, box.width, at (self, self->before, box), self->stride,
      box);
  g_queue_push_head (&self->steps, step);
  if (g_queue_get_length (&self->steps) > MAX_STEPS)
    step_free (g_queue_pop_tail (&self->steps));
}

static void
begin (RetouchCanvas * self)
{
  RetouchBox none = { 0, 0, 0, 0 };

  memcpy (self->before, self->mask, (gsize) self->height * self->stride);
  self->changed = none;
}

gboolean
retouch_canvas_can_undo (RetouchCanvas * self)
{
  return !g_queue_is_empty (&self->steps);
}

void
retouch_canvas_undo (RetouchCanvas * self)
{
  Step *step = g_queue_pop_head (&self->steps);

  if (step == NULL)
    return;
  g_set_object (&self->picture, step->picture);
  copy_box (at (self, self->mask, step->box), self->stride, step->mask,
      step->box.width, step->box);
  step_free (step);
}

void
retouch_canvas_set_picture (RetouchCanvas * self, GdkPixbuf * picture)
{
  RetouchBox all = { 0, 0, self->width, self->height };

  begin (self);
  push (self, all);
  g_set_object (&self->picture, picture);
  memset (self->mask, 0, (gsize) self->height * self->stride);
}

/* ---- Painting ----------------------------------------------------------------- */

RetouchBox
retouch_canvas_stroke_to (RetouchCanvas * self, gdouble x, gdouble y)
{
  gdouble r = self->radius, dx = x - self->x, dy = y - self->y;
  gdouble length = dx * dx + dy * dy;
  RetouchBox all = { 0, 0, self->width, self->height }, box;

  /* The limits make the coordinates fit into an integer; positions beyond them are far
   * outside the picture. */
  box.x = (gint) CLAMP (MIN (x, self->x) - r - 1, -1e6, 1e6);
  box.y = (gint) CLAMP (MIN (y, self->y) - r - 1, -1e6, 1e6);
  box.width = (gint) CLAMP (MAX (x, self->x) + r + 2, -1e6, 1e6) - box.x;
  box.height = (gint) CLAMP (MAX (y, self->y) + r + 2, -1e6, 1e6) - box.y;
  box = intersect (all, box);
  for (gint v = box.y; v < box.y + box.height; v++) {
    guint8 *row = self->mask + (gsize) v * self->stride;

    for (gint u = box.x; u < box.x + box.width; u++) {
      /* (dx, dy): vector from the nearest point of the brush's path to the center of the pixel */
      gdouble px = u + 0.5 - self->x, py = v + 0.5 - self->y;
      gdouble t = length > 0 ? CLAMP ((px * dx + py * dy) / length, 0, 1) : 0;

      px -= t * dx;
      py -= t * dy;
      if (px * px + py * py <= r * r)
        row[u] = self->value;
    }
  }
  self->x = x;
  self->y = y;
  self->changed = unite (self->changed, box);
  return box;
}

RetouchBox
retouch_canvas_begin_stroke (RetouchCanvas * self, gdouble x, gdouble y,
    gdouble diameter, gboolean erase)
{
  begin (self);
  self->x = x;
  self->y = y;
  /* With the minimum radius, the brush always paints the pixel that contains its
   * center. */
  self->radius = MAX (diameter / 2, 0.71);
  self->value = erase ? 0 : 255;
  return retouch_canvas_stroke_to (self, x, y);
}

void
retouch_canvas_end_stroke (RetouchCanvas * self)
{
  if (memcmp (self->before, self->mask, (gsize) self->height * self->stride))
    push (self, self->changed);
}

void
retouch_canvas_add_rectangle (RetouchCanvas * self, RetouchBox box)
{
  RetouchBox all = { 0, 0, self->width, self->height };

  begin (self);
  self->changed = intersect (all, box);
  for (gint y = 0; y < self->changed.height; y++)
    memset (at (self, self->mask, self->changed) + (gsize) y * self->stride,
        255, self->changed.width);
  retouch_canvas_end_stroke (self);
}

gboolean
retouch_canvas_add_mask (RetouchCanvas * self, GdkPixbuf * mask,
    GError ** error)
{
  RetouchBox all = { 0, 0, self->width, self->height };
  const guint8 *pixels = gdk_pixbuf_read_pixels (mask);
  gint step = gdk_pixbuf_get_n_channels (mask);

  if (gdk_pixbuf_get_width (mask) != self->width
      || gdk_pixbuf_get_height (mask) != self->height) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "the mask has %dx%d pixels, but the picture has %dx%d: scale it to "
        "that size", gdk_pixbuf_get_width (mask), gdk_pixbuf_get_height (mask),
        self->width, self->height);
    return FALSE;
  }
  begin (self);
  self->changed = all;
  for (gint y = 0; y < self->height; y++) {
    const guint8 *p = pixels + (gsize) y * gdk_pixbuf_get_rowstride (mask);

    /* Uses the threshold that mgpuinpaint uses for masks. */
    for (gint x = 0; x < self->width; x++, p += step) {
      guint grey = (77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8;

      if ((step == 4 ? (grey * p[3] + 127) / 255 : grey) >= 128)
        self->mask[(gsize) y * self->stride + x] = 255;
    }
  }
  retouch_canvas_end_stroke (self);
  return TRUE;
}
