/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows tracks: objects that move around hidden pixels. See
 * docs/algorithms/inpaint-passing.md. */
#include "tracks.h"

#include <string.h>

#include "moving.h"

/* Positions of tracks (moving objects) are in units of 1 / SUB pixel */
#define SUB_SHIFT 8
#define SUB (1 << SUB_SHIFT)

/* Number of past frames whose positions are used to predict the further movement of a track */
#define PAST 8

/* WEIGHT: largest amount, in 8-bit gray levels, by which one pixel raises or lowers the cost of
 * a position of a track (see get_cost()).
 * CERTAIN: a position is accepted only if its cost is at most -CERTAIN.
 * MAX_COMPARED: largest number of pixels that are compared for one position */
#define WEIGHT 32
#define CERTAIN 512
#define MAX_COMPARED 4096

/* How far from its expected position a track is searched for, in pixels. In its first two
 * frames: YOUNG_RANGE. Later: RANGE, plus 1 for each frame since the track was last found; this
 * increase is at most MAX_LOST */
#define YOUNG_RANGE 10
#define RANGE 4
#define MAX_LOST 20

/* MIN_PART: smallest number of pixels of a part (connected group of moving pixels) that begins
 * a track.
 * LONGEST: a track ends when it has not been found for more than this number of frames.
 * LONGEST_IN_SIGHT: the same limit while most of the track's pixels should be visible */
#define MIN_PART 64
#define LONGEST 128
#define LONGEST_IN_SIGHT 3

/* How a pixel counts in the cost of a position of a track:
 * IGNORED: not at all, because it is hidden, or was found to belong to another track in this
 *   frame.
 * STILL: it is visible and does not move.
 * MOVING: it is visible and moves */
enum
{
  IGNORED,
  STILL,
  MOVING
};

typedef struct
{
  gint x, y;
} Point;

typedef struct
{
  gboolean is_alive;
  gboolean is_whole;            /* whether the template (@shape and @luma) shows the whole
                                 * object: no part of it was hidden */
  gint born;                    /* number of the frame in which the track began */
  gint lost;                    /* number of frames since the track was last found; 0 if it was
                                 * found in this frame */
  guint8 *shape;                /* mask of the template: for each pixel, whether it belonged to
                                 * the object in the frame from which the template was taken */
  guint8 *luma;                 /* luma of the template: first color component of the frame
                                 * from which the template was taken */
  MgpuBox box;                  /* box around the pixels of @shape */
  gint n;                       /* number of pixels of @shape */
  Point at, base;               /* @at: position of the object in this frame; @base: its
                                 * position in the frame from which the template was taken; both
                                 * in 1 / SUB pixel */
  Point next;                   /* position of the object expected in the next frame, in 1 /
                                 * SUB pixel */
  Point speed;                  /* expected movement of the object from one frame to the
                                 * next, in 1 / SUB pixel */
  Point past[PAST];             /* positions of the object in the last PAST frames: the
                                 * position in frame k has the index k modulo PAST */
  gint n_visible, n_hidden;     /* numbers of pixels of @shape that are visible, and that are
                                 * hidden, at the present position */
} Track;

struct _MgpuInpaintTracks
{
  gint width, height;
  gint count;                   /* number of the current frame, counted from 0 */
  guint8 *hidden, *moving;
  guint8 *kinds;                /* for each pixel: IGNORED, STILL or MOVING */
  guint8 *luma;                 /* first color component of this frame */
  gint *labels;                 /* for each pixel: index, in the array @parts, of its connected
                                 * group of moving pixels; 0 if the pixel does not move */
  GArray *parts;                /* array of MgpuInpaintPart, the connected groups of moving pixels
                                 * of this frame; NULL between frames */
  /* For each element of @parts (connected group of moving pixels), MGPU_INPAINT_TRACKS numbers:
   * number i is how many pixels the group has in common with track i */
  gint *common;
  Track tracks[MGPU_INPAINT_TRACKS];
};

MgpuInpaintTracks *
mgpu_inpaint_tracks_new (const guint8 * hidden, gint width, gint height)
{
  MgpuInpaintTracks *self = g_new0 (MgpuInpaintTracks, 1);
  gsize n = (gsize) width * height;

  self->width = width;
  self->height = height;
  self->hidden = g_memdup2 (hidden, n);
  self->moving = g_malloc (n);
  self->kinds = g_malloc (n);
  self->luma = g_malloc (n);
  self->labels = g_new (gint, n);
  return self;
}

void
mgpu_inpaint_tracks_free (MgpuInpaintTracks * self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < MGPU_INPAINT_TRACKS; i++) {
    g_free (self->tracks[i].shape);
    g_free (self->tracks[i].luma);
  }
  g_free (self->hidden);
  g_free (self->moving);
  g_free (self->kinds);
  g_free (self->luma);
  g_free (self->labels);
  g_free (self);
}

void
mgpu_inpaint_tracks_forget (MgpuInpaintTracks * self)
{
  for (guint i = 0; i < MGPU_INPAINT_TRACKS; i++)
    self->tracks[i].is_alive = FALSE;
}

/* Converts a distance from 1 / SUB pixel to whole pixels. Returns: the distance in pixels,
 * rounded to the nearest integer; halves are rounded up */
static gint
to_pixels (gint a)
{
  return (a + SUB / 2) >> SUB_SHIFT;
}

/* Returns: how far a track (moving object) has moved, in pixels, since the frame from which
 * its template was taken */
static Point
get_move (const Track * track)
{
  Point move = { to_pixels (track->at.x - track->base.x),
    to_pixels (track->at.y - track->base.y)
  };

  return move;
}

/* Returns: the part of the box of @track whose pixels stay inside the frame when they are moved
 * by @move pixels */
static MgpuBox
get_inside (const MgpuInpaintTracks * self, const Track * track, Point move)
{
  MgpuBox box = { MAX (track->box.x0, -move.x), MAX (track->box.y0, -move.y),
    MIN (track->box.x1, self->width - move.x),
    MIN (track->box.y1, self->height - move.y)
  };

  return box;
}

/* --- Position of a track --- */

/* Adds the costs of every @step-th of @n pixels of a row. @shape and @luma: mask and luma of the
 * template of a track, 0 or 1 and 0 to 255; @kinds and @now: kinds and luma of the pixels of the
 * frame onto which the template is moved. Has no branches in the loop, because the processor could
 * not predict them.
 * Returns: the sum */
static inline gint
add_row (const guint8 * shape, const guint8 * luma, const guint8 * kinds,
    const guint8 * now, gint n, gint step)
{
  gint sum = 0;

  for (gint x = 0; x < n; x += step) {
    guint8 apart = MAX (luma[x], now[x]) - MIN (luma[x], now[x]);
    gint8 near = (gint8) MIN (apart, WEIGHT) - WEIGHT;

    sum += (gint8) (((near & -(kinds[x] == MOVING))
            | (WEIGHT & -(kinds[x] == STILL))) & -shape[x]);
  }
  return sum;
}

/* Returns: the lowest of the numbers @from, @from + @step, @from + 2 * @step and so on that is
 * at least @least */
static gint
skip (gint from, gint least, gint step)
{
  return least <= from ? from : from + (least - from + step - 1) / step * step;
}

/* Computes the cost of moving the template of a track by @move pixels. Samples every @step-th
 * column and row of the moved shape. A pixel that is hidden or belongs to another track adds
 * nothing. A pixel that does not move adds WEIGHT. A moving pixel lowers the cost; it does so
 * by more if its luma is closer to the luma of the template.
 * Returns: the cost */
static gint
get_cost (const MgpuInpaintTracks * self, const Track * track, gint step,
    Point move)
{
  MgpuBox box = get_inside (self, track, move);
  gint shift = move.y * self->width + move.x, sum = 0;
  gint x0 = skip (track->box.x0, box.x0, step), n = box.x1 - x0;

  for (gint y = skip (track->box.y0, box.y0, step); y < box.y1 && n > 0;
      y += step) {
    gint i = y * self->width + x0;
    const guint8 *shape = track->shape + i, *luma = track->luma + i;
    const guint8 *kinds = self->kinds + i + shift;
    const guint8 *now = self->luma + i + shift;

    /* Compilers use vector instructions only if they know that the step is 1. */
    sum += step == 1 ? add_row (shape, luma, kinds, now, n, 1)
        : add_row (shape, luma, kinds, now, n, step);
  }
  return sum * step * step;
}

/* Searches for a track around the position *place: tries up to @n steps of @step pixels to each
 * side, and sets *place to the position with the lowest cost. The distance from @guess adds to
 * the cost. Only every @spacing-th column and row of the track's shape is compared.
 * Returns: the cost of the best position */
static gint
search (const MgpuInpaintTracks * self, const Track * track, gint spacing,
    Point guess, gint n, gint step, Point * place)
{
  Point middle = *place;
  gint best = G_MAXINT;

  for (gint j = -n; j <= n; j++) {
    for (gint i = -n; i <= n; i++) {
      Point here = { middle.x + i * step, middle.y + j * step };
      gint dx = here.x - guess.x, dy = here.y - guess.y;
      gint cost = get_cost (self, track, spacing, here) + dx * dx + dy * dy;

      if (cost < best) {
        best = cost;
        *place = here;
      }
    }
  }
  return best;
}

/* Excludes the moving pixels that belong to @track from the costs of the tracks that are searched
 * for after it. The track was found after a movement by @move pixels. */
static void
claim (MgpuInpaintTracks * self, const Track * track, Point move)
{
  MgpuBox box = get_inside (self, track, move);
  gint shift = move.y * self->width + move.x;

  for (gint y = box.y0; y < box.y1; y++)
    for (gint i = y * self->width + box.x0; i < y * self->width + box.x1; i++)
      if (track->shape[i] && self->moving[i + shift])
        self->kinds[i + shift] = IGNORED;
}

/* Fits a straight line, by least squares, to the positions of a track in the last frames. Sets
 * the position that this line predicts for the next frame, and the movement from one frame to
 * the next. */
static void
fit_line (const MgpuInpaintTracks * self, Track * track)
{
  gint n = MIN (self->count - track->born + 1, PAST);
  Point next = { 0, 0 }, speed = { 0, 0 };

  for (gint j = 0; j < n; j++) {
    Point past = track->past[(self->count - n + 1 + j) % PAST];

    next.x += 2 * (3 * j - n + 1) * past.x;
    next.y += 2 * (3 * j - n + 1) * past.y;
    speed.x += 6 * (2 * j - n + 1) * past.x;
    speed.y += 6 * (2 * j - n + 1) * past.y;
  }
  track->next = (Point) {next.x / (n * (n - 1)), next.y / (n * (n - 1))};
  n *= n * n - 1;
  track->speed = (Point) {speed.x / n, speed.y / n};
}

/* Returns: the movement at which the search for the track begins, in pixels since the frame
 * from which its template was taken. If the track was found in the last frame, it is expected
 * to continue with its average speed; otherwise along the line fitted to its positions */
static Point
get_guess (const MgpuInpaintTracks * self, const Track * track)
{
  gint n = MIN (self->count - track->born, PAST);
  Point first = track->past[(self->count - n) % PAST];
  Track moved = *track;

  if (track->lost > 0) {
    moved.at = track->next;
  } else if (n > 1) {
    moved.at.x += (track->at.x - first.x) / (n - 1);
    moved.at.y += (track->at.y - first.y) / (n - 1);
  }
  return get_move (&moved);
}

/* Finds the position of a track (moving object) in this frame. If the track is not found, the
 * position is extrapolated along the line fitted to its last positions. */
static void
follow (MgpuInpaintTracks * self, Track * track)
{
  gint area = (track->box.x1 - track->box.x0)
      * (track->box.y1 - track->box.y0);
  gint range = self->count - track->born <= 2 ? YOUNG_RANGE
      : RANGE + MIN (track->lost, MAX_LOST);
  gint step = 1 + range / 8, spacing = 1, cost;
  Point guess, place;

  while (area > MAX_COMPARED * spacing * spacing)
    spacing++;
  guess = place = get_guess (self, track);
  search (self, track, spacing, guess, range / step, step, &place);
  cost = search (self, track, spacing, guess, step - 1, 1, &place);
  track->at = track->next;
  track->lost++;
  if (cost <= -CERTAIN && cost <= -track->n / 4) {
    track->lost = 0;
    track->at.x = track->base.x + SUB * place.x;
    track->at.y = track->base.y + SUB * place.y;
    claim (self, track, place);
  }
  track->past[self->count % PAST] = track->at;
  track->next.x += track->speed.x;
  track->next.y += track->speed.y;
  if (track->lost == 0)
    fit_line (self, track);
}

/* Returns: whether track @a is in front of track @b: TRUE if @a reaches lower in the frame than
 * @b, or equally low and has the lower index */
static gboolean
is_in_front (const Track * a, const Track * b)
{
  gint low_a = a->box.y1 + get_move (a).y, low_b = b->box.y1 + get_move (b).y;

  return low_a > low_b || (low_a == low_b && a < b);
}

/* Writes to @order the indices of all tracks that are followed, sorted from front to
 * back.
 * Returns: the number of these tracks */
static guint
sort (const MgpuInpaintTracks * self, guint order[MGPU_INPAINT_TRACKS])
{
  guint n = 0;

  for (guint i = 0; i < MGPU_INPAINT_TRACKS; i++) {
    guint at = n;

    if (!self->tracks[i].is_alive)
      continue;
    for (; at > 0 && is_in_front (&self->tracks[i],
            &self->tracks[order[at - 1]]); at--)
      order[at] = order[at - 1];
    order[at] = i;
    n++;
  }
  return n;
}

static void
follow_all (MgpuInpaintTracks * self)
{
  guint order[MGPU_INPAINT_TRACKS], n = sort (self, order);

  for (gint i = 0; i < self->width * self->height; i++)
    self->kinds[i] = self->hidden[i] ? IGNORED
        : self->moving[i] ? MOVING : STILL;
  for (guint i = 0; i < n; i++)
    follow (self, &self->tracks[order[i]]);
}

/* --- Pixels that belong to a track --- */

/* Counts the pixels that the part (connected group of moving pixels) with the label @label has
 * in common with track @i.
 * Returns: the number; 0 if it is less than a quarter of the part and also less than a quarter
 * of the visible pixels of the track */
static gint
get_common (const MgpuInpaintTracks * self, guint i, guint label)
{
  gint n = self->common[label * MGPU_INPAINT_TRACKS + i];
  gint least = MIN (g_array_index (self->parts, MgpuInpaintPart, label).n,
      self->tracks[i].n_visible);

  return 4 * n >= least ? n : 0;
}

/* Counts the pixels that each track has in common with each part (connected group of
 * moving pixels) of this frame. */
static void
count_common (MgpuInpaintTracks * self)
{
  self->common = g_new0 (gint, self->parts->len * MGPU_INPAINT_TRACKS);
  for (guint i = 0; i < MGPU_INPAINT_TRACKS; i++) {
    Track *track = &self->tracks[i];
    Point move = get_move (track);
    gint shift = move.y * self->width + move.x;
    MgpuBox box = get_inside (self, track, move);

    track->n_visible = track->n_hidden = 0;
    for (gint y = box.y0; y < box.y1 && track->is_alive; y++) {
      for (gint k = y * self->width + box.x0; k < y * self->width + box.x1;
          k++) {
        if (!track->shape[k])
          continue;
        if (self->hidden[k + shift]) {
          track->n_hidden++;
        } else {
          track->n_visible++;
          self->common[self->labels[k + shift] * MGPU_INPAINT_TRACKS + i]++;
        }
      }
    }
  }
  for (guint label = 1; label < self->parts->len; label++)
    for (guint i = 0; i < MGPU_INPAINT_TRACKS; i++)
      if (self->tracks[i].is_alive && get_common (self, i, label) > 0)
        g_array_index (self->parts, MgpuInpaintPart, label).n_owners++;
}

/* Adds the pixels of the part (connected group of moving pixels) with the label @label to
 * the mask @shape, and enlarges *box to contain them. */
static void
add_part (const MgpuInpaintTracks * self, gint label, guint8 * shape,
    MgpuBox * box)
{
  MgpuBox part = g_array_index (self->parts, MgpuInpaintPart, label).box;

  for (gint y = part.y0; y < part.y1; y++)
    for (gint i = y * self->width + part.x0; i < y * self->width + part.x1; i++)
      shape[i] |= self->labels[i] == label;
  box->x0 = MIN (box->x0, part.x0);
  box->y0 = MIN (box->y0, part.y0);
  box->x1 = MAX (box->x1, part.x1);
  box->y1 = MAX (box->y1, part.y1);
}

/* Takes the template of a track (the pixels of the object and their luma) from the current
 * frame. @shape (transfer full): mask of the pixels of the connected groups in which the track
 * is seen. @around: a box that contains all these pixels. */
static void
take_look (MgpuInpaintTracks * self, Track * track, guint8 * shape,
    MgpuBox around)
{
  MgpuBox box = { self->width, self->height, 0, 0 };

  around = mgpu_inpaint_close (shape, self->width, self->height, around);
  track->n = 0;
  for (gint y = around.y0; y < around.y1; y++) {
    for (gint x = around.x0; x < around.x1; x++) {
      gsize i = (gsize) y * self->width + x;

      shape[i] = shape[i] && !self->hidden[i];
      if (!shape[i])
        continue;
      track->n++;
      box.x0 = MIN (box.x0, x);
      box.y0 = MIN (box.y0, y);
      box.x1 = MAX (box.x1, x + 1);
      box.y1 = MAX (box.y1, y + 1);
    }
  }
  g_free (track->shape);
  g_free (track->luma);
  track->shape = shape;
  track->luma = g_memdup2 (self->luma, (gsize) self->width * self->height);
  track->box = box;
  track->base = track->at;
}

/* Takes the template of track @i from this frame, unless another track is seen in the same
 * group of pixels. The track must also be seen whole, or with more pixels than before. A large
 * connected group of pixels is added to the template only if it is the largest group of the
 * track; otherwise it can begin a separate track.
 * Returns: whether the template was taken from this frame */
static gboolean
renew (MgpuInpaintTracks * self, guint i)
{
  Track *track = &self->tracks[i];
  guint8 *shape = g_malloc0 ((gsize) self->width * self->height);
  MgpuBox box = { self->width, self->height, 0, 0 };
  gboolean is_alone = TRUE, touches = track->n_hidden > 0;
  gint n = 0, most = 0;

  for (guint label = 1; label < self->parts->len; label++)
    most = MAX (most, self->common[label * MGPU_INPAINT_TRACKS + i]);
  for (guint label = 1; label < self->parts->len; label++) {
    MgpuInpaintPart *part =
        &g_array_index (self->parts, MgpuInpaintPart, label);
    gint common = get_common (self, i, label);

    if (common == 0)
      continue;
    if (common < most && 4 * common >= most && 4 * part->n >= track->n) {
      part->n_owners -= part->n_owners == 1;
      continue;
    }
    is_alone = is_alone && part->n_owners == 1;
    touches = touches || part->touches;
    n += part->n;
    add_part (self, label, shape, &box);
  }
  if (n == 0 || !is_alone || (touches && (track->is_whole || n <= track->n))) {
    g_free (shape);
    return FALSE;
  }
  track->is_whole |= !touches;
  take_look (self, track, shape, box);
  return TRUE;
}

/* Returns: whether another track, whose object was seen whole, covers at least half of the
 * pixels of @track */
static gboolean
is_covered (const MgpuInpaintTracks * self, const Track * track)
{
  for (guint k = 0; k < MGPU_INPAINT_TRACKS; k++) {
    const Track *other = &self->tracks[k];
    Point a = get_move (track), b = get_move (other);
    Point move = { a.x - b.x, a.y - b.y };
    MgpuBox box = get_inside (self, track, move);
    gint n = 0;

    if (!other->is_alive || !other->is_whole)
      continue;
    for (gint y = box.y0; y < box.y1; y++)
      for (gint x = box.x0; x < box.x1; x++)
        n += track->shape[y * self->width + x]
            && other->shape[(y + move.y) * self->width + x + move.x];
    if (n > 0 && 2 * n >= track->n)
      return TRUE;
  }
  return FALSE;
}

/* Returns: whether a track is to end. It ends when it has left the frame, was not found for too
 * long, or shows the same object as another track */
static gboolean
is_over (const MgpuInpaintTracks * self, const Track * track)
{
  return track->n_visible + track->n_hidden == 0 || track->lost > LONGEST
      || (track->lost > LONGEST_IN_SIGHT
      && track->n_visible > track->n_hidden)
      || (!track->is_whole && is_covered (self, track));
}

/* Begins a track with the part (connected group of moving pixels) that has the label @label and
 * belongs to no track.
 * Returns: the index of the new track; MGPU_INPAINT_TRACKS if there is no room for another
 * track */
static guint
begin (MgpuInpaintTracks * self, gint label)
{
  const MgpuInpaintPart *part =
      &g_array_index (self->parts, MgpuInpaintPart, label);
  MgpuBox box = { self->width, self->height, 0, 0 };
  Track *track = self->tracks;
  guint8 *shape;

  while (track < self->tracks + MGPU_INPAINT_TRACKS && track->is_alive)
    track++;
  if (track == self->tracks + MGPU_INPAINT_TRACKS)
    return MGPU_INPAINT_TRACKS;
  shape = g_malloc0 ((gsize) self->width * self->height);
  track->is_alive = TRUE;
  track->is_whole = !part->touches;
  track->born = self->count;
  track->lost = 0;
  track->next = track->speed = (Point) {0, 0};
  track->at = track->past[self->count % PAST] = (Point) {0, 0};
  add_part (self, label, shape, &box);
  take_look (self, track, shape, box);
  return track - self->tracks;
}

guint
mgpu_inpaint_tracks_add (MgpuInpaintTracks * self, const guint8 * luma,
    const guint8 * differs)
{
  guint looks = 0;

  memcpy (self->luma, luma, (gsize) self->width * self->height);
  mgpu_inpaint_find_moving (differs, self->hidden, self->width, self->height,
      self->moving);
  follow_all (self);
  self->parts = mgpu_inpaint_find_parts (self->moving, self->hidden,
      self->width, self->height, self->labels);
  count_common (self);
  for (guint i = 0; i < MGPU_INPAINT_TRACKS; i++) {
    if (!self->tracks[i].is_alive)
      continue;
    if (renew (self, i))
      looks |= 1u << i;
    self->tracks[i].is_alive = !is_over (self, &self->tracks[i]);
  }
  for (guint label = 1; label < self->parts->len; label++) {
    const MgpuInpaintPart *part =
        &g_array_index (self->parts, MgpuInpaintPart, label);

    if (part->n_owners == 0 && part->n >= MIN_PART)
      looks |= 1u << begin (self, label);
  }
  g_clear_pointer (&self->common, g_free);
  g_clear_pointer (&self->parts, g_array_unref);
  self->count++;
  return looks & ((1u << MGPU_INPAINT_TRACKS) - 1);
}

void
mgpu_inpaint_tracks_get (const MgpuInpaintTracks * self, guint i,
    MgpuBox * box, gint * dx, gint * dy)
{
  Point move = get_move (&self->tracks[i]);

  *box = self->tracks[i].box;
  *dx = move.x;
  *dy = move.y;
}

guint
mgpu_inpaint_tracks_show (const MgpuInpaintTracks * self, guint8 * owners)
{
  guint order[MGPU_INPAINT_TRACKS], n = sort (self, order), shown = 0;

  memset (owners, 0, (gsize) self->width * self->height);
  while (n-- > 0) {
    const Track *track = &self->tracks[order[n]];
    Point move = get_move (track);
    MgpuBox box = get_inside (self, track, move);
    gint shift = move.y * self->width + move.x;

    for (gint y = box.y0; y < box.y1 && track->is_whole; y++)
      for (gint i = y * self->width + box.x0; i < y * self->width + box.x1; i++)
        if (track->shape[i] && self->hidden[i + shift]) {
          owners[i + shift] = 1 + order[n];
          shown |= 1u << order[n];
        }
  }
  return shown;
}
