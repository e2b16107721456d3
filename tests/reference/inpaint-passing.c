/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws moving objects that pass behind a mask that does not move: see
 * docs/algorithms/inpaint-passing.md. */
#include "inpaint-passing.h"

#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define N_TRACKS 16
#define SUB 256                 /* number of units of an object's position per pixel */
#define PAST 8                  /* number of past frames whose positions predict how a track
                                 * continues */
#define MOST 32                 /* maximum absolute value of the cost of one pixel for a position */
#define CERTAIN 512             /* minimum gain for a position to be accepted */
#define MIN_AREA 64             /* minimum number of pixels of a connected part that starts a
                                 * track */
#define LONGEST 128             /* maximum number of frames for which a track may be invisible */
#define MAX_PART (1 << 20)      /* maximum number of pixels of the area around the hole */
#define NEAR(plane) (((plane)->max + 1) / 16)
#define NEAR_CHROMA(plane) (((plane)->max + 1) / 32)

typedef struct
{
  int is_alive, is_whole, born, lost;
  uint8_t *shape, *luma;        /* shape of the object (1 for each of its pixels) and its luma, in
                                 * the area around the hole */
  uint16_t *samples[4];
  int n, x0, y0, x1, y1;        /* number of pixels of the shape, and the box around them */
  int x, y, base_x, base_y;     /* current position of the object, and position at which it had the
                                 * stored shape */
  int next_x, next_y, speed_x, speed_y; /* expected position in the next frame, and speed in units
                                         * per frame */
  int past_x[PAST], past_y[PAST];
} Track;

struct _RefInpaintPassing
{
  int n, is_rgb, width, height;
  int has_mask, count;          /* number of frames since the mask changed */
  uint8_t *mask;
  int left, top, w, h;          /* area around the hole, in pixels of the frame */
  uint8_t *hidden, *raw, *moving, *claimed, *luma, *one, *two;
  int *label, *area, *touches, *owners, *over;  /* @over: N_TRACKS numbers for each label: pixels
                                                 * that are common to the track and the labeled
                                                 * part */
  int n_labels;
  Track tracks[N_TRACKS];
  int seen[N_TRACKS], covered[N_TRACKS];        /* numbers of pixels of each track that are visible,
                                                 * and that are hidden */
};

RefInpaintPassing *
ref_inpaint_passing_new (int n, int is_rgb, int width, int height)
{
  RefInpaintPassing *self = calloc (1, sizeof (*self));
  size_t size = (size_t) width * height;
  int ok = self != NULL;
  uint8_t **bytes[] = { &self->mask, &self->hidden, &self->raw, &self->moving,
    &self->claimed, &self->luma, &self->one, &self->two
  };
  int **ints[] = { &self->label, &self->area, &self->touches, &self->owners };

  for (int i = 0; i < 8 && ok; i++)
    ok = (*bytes[i] = calloc (size, 1)) != NULL;
  for (int i = 0; i < 4 && ok; i++)
    ok = (*ints[i] = calloc (size + 1, sizeof (int))) != NULL;
  ok = ok && (self->over = calloc ((size + 1) * N_TRACKS, sizeof (int)));
  for (int i = 0; i < N_TRACKS && ok; i++) {
    ok = (self->tracks[i].shape = calloc (size, 1)) != NULL
        && (self->tracks[i].luma = calloc (size, 1)) != NULL;
    for (int c = 0; c < n && ok; c++)
      ok = (self->tracks[i].samples[c] = calloc (size, 2)) != NULL;
  }
  if (!ok) {
    ref_inpaint_passing_free (self);
    return NULL;
  }
  self->n = n;
  self->is_rgb = is_rgb;
  self->width = width;
  self->height = height;
  return self;
}

void
ref_inpaint_passing_forget (RefInpaintPassing * self)
{
  self->count = 0;
  for (int i = 0; i < N_TRACKS; i++)
    self->tracks[i].is_alive = 0;
}

void
ref_inpaint_passing_free (RefInpaintPassing * self)
{
  if (self == NULL)
    return;
  free (self->mask);
  free (self->hidden);
  free (self->raw);
  free (self->moving);
  free (self->claimed);
  free (self->luma);
  free (self->one);
  free (self->two);
  free (self->label);
  free (self->area);
  free (self->touches);
  free (self->owners);
  free (self->over);
  for (int i = 0; i < N_TRACKS; i++) {
    free (self->tracks[i].shape);
    free (self->tracks[i].luma);
    for (int c = 0; c < 4; c++)
      free (self->tracks[i].samples[c]);
  }
  free (self);
}

/* Rounds the coordinate @a, in units of 1 / SUB of a pixel, to whole pixels; halves are rounded
 * up. */
static int
pixels (int a)
{
  return (a + SUB / 2 + 65536 * SUB) / SUB - 65536;
}

static int
is_in (const RefInpaintPassing * self, int x, int y)
{
  return x >= 0 && y >= 0 && x < self->w && y < self->h;
}

/* Returns the number of columns between a track's position and the position at which it had its
 * stored shape. */
static int
moved_x (const Track * track)
{
  return pixels (track->x - track->base_x);
}

static int
moved_y (const Track * track)
{
  return pixels (track->y - track->base_y);
}

/* ---- The frame ------------------------------------------------------------------- */

/* Finds the area around the hole: the box around it, with a margin of the length of the box's
 * longer side. */
static void
find_part (RefInpaintPassing * self)
{
  int w = self->width, h = self->height, x0 = w, y0 = h, x1 = 0, y1 = 0, margin;

  for (int i = 0; i < w * h; i++) {
    if (!self->mask[i])
      continue;
    x0 = i % w < x0 ? i % w : x0;
    y0 = i / w < y0 ? i / w : y0;
    x1 = i % w >= x1 ? i % w + 1 : x1;
    y1 = i / w >= y1 ? i / w + 1 : y1;
  }
  margin = x1 - x0 > y1 - y0 ? x1 - x0 : y1 - y0;
  margin = margin > 32 ? margin : 32;
  x0 = x0 > margin ? (x0 - margin) / 4 * 4 : 0;
  y0 = y0 > margin ? (y0 - margin) / 4 * 4 : 0;
  x1 = x1 + margin < w ? x1 + margin : w;
  y1 = y1 + margin < h ? y1 + margin : h;
  self->left = x0;
  self->top = y0;
  self->w = x1 - x0;
  self->h = y1 - y0;
  for (int i = 0; i < self->w * self->h; i++)
    self->hidden[i] = self->mask[(y0 + i / self->w) * w + x0 + i % self->w];
}

/* Sets @raw for pixels that differ from the background, and @moving for pixels with at least 4 raw
 * pixels in their neighborhood. */
static void
find_moving (RefInpaintPassing * self, const RefPlane * in,
    const RefPlane * plate)
{
  for (int y = 0; y < self->h; y++) {
    for (int x = 0; x < self->w; x++) {
      int i = y * self->w + x;

      self->luma[i] = ref_get (&in[0], self->left + x, self->top + y) * 255
          / in[0].max;
      self->raw[i] = 0;
      for (int c = 0; c < self->n && c < 3 && !self->hidden[i]; c++) {
        int u = (self->left + x) >> ref_subsampling (self->width, in[c].width);
        int v = (self->top + y) >> ref_subsampling (self->height, in[c].height);
        int near = c > 0 && !self->is_rgb ? NEAR_CHROMA (&in[c])
            : NEAR (&in[c]);

        self->raw[i] |= abs (ref_get (&in[c], u, v)
            - ref_get (&plate[c], u, v)) > near;
      }
    }
  }
  for (int y = 0; y < self->h; y++) {
    for (int x = 0; x < self->w; x++) {
      int n = 0;

      for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++)
          n += is_in (self, u, v) && self->raw[v * self->w + u];
      self->moving[y * self->w + x] = !self->hidden[y * self->w + x] && n >= 4;
    }
  }
}

/* Sets a pixel of @to to @value if any pixel of @from within @radius has this value. */
static void
grow (const RefInpaintPassing * self, const uint8_t * from, int radius,
    int value, uint8_t * to)
{
  for (int i = 0; i < self->w * self->h; i++) {
    int x = i % self->w, y = i / self->w;

    to[i] = !value;
    for (int v = y - radius; v <= y + radius; v++)
      for (int u = x - radius; u <= x + radius; u++)
        if (is_in (self, u, v) && from[v * self->w + u] == value)
          to[i] = value;
  }
}

/* ---- Positions ------------------------------------------------------------------- */

/* Returns the cost of the hypothesis that a track is displaced by (@dx, @dy) from the position at
 * which it had its stored shape. */
static int
get_cost (const RefInpaintPassing * self, const Track * track, int dx, int dy)
{
  int step = 1, sum = 0;

  while ((track->x1 - track->x0) * (track->y1 - track->y0) > 4096 * step * step)
    step++;
  for (int y = track->y0; y < track->y1; y += step) {
    for (int x = track->x0; x < track->x1; x += step) {
      int i = y * self->w + x, k = i + dy * self->w + dx, difference;

      if (!track->shape[i] || !is_in (self, x + dx, y + dy) || self->hidden[k]
          || self->claimed[k])
        continue;
      difference = abs (track->luma[i] - self->luma[k]);
      sum += !self->moving[k] ? MOST : difference < MOST ? difference - MOST
          : 0;
    }
  }
  return sum * step * step;
}

/* Tries positions at most @range away from (@x, @y), which are @step apart, and sets (@x, @y) to
 * the best one. */
static int
search (const RefInpaintPassing * self, const Track * track, int guess_x,
    int guess_y, int range, int step, int *x, int *y)
{
  int middle_x = *x, middle_y = *y, best = 0, is_first = 1;

  for (int v = middle_y - range; v <= middle_y + range; v += step) {
    for (int u = middle_x - range; u <= middle_x + range; u += step) {
      int cost = get_cost (self, track, u, v) + (u - guess_x) * (u - guess_x)
          + (v - guess_y) * (v - guess_y);

      if (is_first || cost < best) {
        best = cost;
        *x = u;
        *y = v;
      }
      is_first = 0;
    }
  }
  return best;
}

/* Fits a line to the last positions of a track, and predicts its next position and its speed from
 * this line. */
static void
fit (const RefInpaintPassing * self, Track * track)
{
  int age = self->count - track->born + 1, n = age < PAST ? age : PAST;
  int x = 0, y = 0, speed_x = 0, speed_y = 0;

  for (int j = 0; j < n; j++) {
    int at = (self->count - n + 1 + j) % PAST;

    x += 2 * (3 * j - n + 1) * track->past_x[at];
    y += 2 * (3 * j - n + 1) * track->past_y[at];
    speed_x += 6 * (2 * j - n + 1) * track->past_x[at];
    speed_y += 6 * (2 * j - n + 1) * track->past_y[at];
  }
  track->next_x = x / (n * (n - 1));
  track->next_y = y / (n * (n - 1));
  track->speed_x = speed_x / (n * (n * n - 1));
  track->speed_y = speed_y / (n * (n * n - 1));
}

/* Moves a track to the position around which it is searched for: by its mean speed or, if it is
 * invisible, along its fitted line. */
static void
guess (const RefInpaintPassing * self, Track * track)
{
  int age = self->count - track->born, n = age < PAST ? age : PAST;
  int first = (self->count - n) % PAST;

  if (track->lost > 0) {
    track->x = track->next_x;
    track->y = track->next_y;
  } else if (n > 1) {
    track->x += (track->x - track->past_x[first]) / (n - 1);
    track->y += (track->y - track->past_y[first]) / (n - 1);
  }
}

/* Finds the position of a track in this frame, and assigns the moving pixels there to it. */
static void
move (RefInpaintPassing * self, Track * track)
{
  int range = self->count - track->born <= 2 ? 10
      : 4 + (track->lost < 20 ? track->lost : 20);
  int step = 1 + range / 8, guess_x, guess_y, u, v, cost;

  guess (self, track);
  u = guess_x = moved_x (track);
  v = guess_y = moved_y (track);

  range = range / step * step;
  cost = search (self, track, guess_x, guess_y, range, step, &u, &v);
  cost = search (self, track, guess_x, guess_y, step - 1, 1, &u, &v);
  track->x = track->next_x;
  track->y = track->next_y;
  track->lost++;
  if (cost <= -CERTAIN && cost <= -track->n / 4) {
    track->x = track->base_x + SUB * u;
    track->y = track->base_y + SUB * v;
    track->lost = 0;
    for (int i = 0; i < self->w * self->h; i++)
      if (track->shape[i] && is_in (self, i % self->w + u, i / self->w + v)
          && self->moving[i + v * self->w + u])
        self->claimed[i + v * self->w + u] = 1;
  }
  track->past_x[self->count % PAST] = track->x;
  track->past_y[self->count % PAST] = track->y;
  track->next_x += track->speed_x;
  track->next_y += track->speed_y;
  if (track->lost == 0)
    fit (self, track);
}

/* Moves all tracks. Tracks that extend farther down in the frame are processed first, because they
 * are in front. */
static void
move_all (RefInpaintPassing * self)
{
  int is_done[N_TRACKS] = { 0 };

  memset (self->claimed, 0, (size_t) self->w * self->h);
  while (1) {
    int next = -1, lowest = 0;

    for (int i = 0; i < N_TRACKS; i++) {
      const Track *track = &self->tracks[i];
      int low = track->y1 + moved_y (track);

      if (track->is_alive && !is_done[i] && (next < 0 || low > lowest)) {
        next = i;
        lowest = low;
      }
    }
    if (next < 0)
      return;
    is_done[next] = 1;
    move (self, &self->tracks[next]);
  }
}

/* ---- Moving parts --------------------------------------------------------------- */

/* Counts the pixels of the connected part with the given label, and determines whether it touches
 * the hole. */
static void
measure (RefInpaintPassing * self, int label)
{
  self->area[label] = self->touches[label] = 0;
  for (int i = 0; i < self->w * self->h; i++) {
    int x = i % self->w, y = i / self->w;

    if (self->label[i] != label)
      continue;
    self->area[label]++;
    for (int v = y - 2; v <= y + 2; v++)
      for (int u = x - 2; u <= x + 2; u++)
        self->touches[label] |= is_in (self, u, v)
            && self->hidden[v * self->w + u];
  }
}

/* Finds the column at which a connected part with two people side by side is divided: a column with
 * few pixels between two columns with many. Returns 0 if there is none. */
static int
find_neck (const RefInpaintPassing * self, int label, int *counts, int *sums)
{
  int best = 0, left = 0;

  memset (counts, 0, self->w * sizeof (int));
  for (int i = 0; i < self->w * self->h; i++)
    counts[i % self->w] += self->label[i] == label;
  for (int x = 0; x < self->w; x++) {
    sums[x] = 0;
    for (int u = x - 2; u <= x + 2; u++)
      sums[x] += u >= 0 && u < self->w ? counts[u] : 0;
  }
  for (int x = 0; x < self->w; x++) {
    int before = 0, behind = 0, most;

    for (int u = 0; u < self->w; u++) {
      if (u < x && counts[u] > 0 && sums[u] > before)
        before = sums[u];
      if (u > x && counts[u] > 0 && sums[u] > behind)
        behind = sums[u];
    }
    most = before < behind ? before : behind;
    if (4 * left >= self->area[label] && 4 * (self->area[label] - left)
        >= self->area[label] && 3 * sums[x] <= 2 * most
        && (best == 0 || sums[x] < sums[best]))
      best = x;
    left += counts[x];
  }
  return best;
}

/* Assigns a label, starting at 1, to each connected part of moving pixels. */
static int
find_labels (RefInpaintPassing * self)
{
  int w = self->w, n = w * self->h, goes_on;
  int *counts = malloc (2 * w * sizeof (int));

  if (counts == NULL)
    return 0;
  self->n_labels = 0;
  grow (self, self->moving, 1, 1, self->one);
  memset (self->label, 0, n * sizeof (int));
  for (int first = 0; first < n; first++) {
    if (!self->one[first] || self->hidden[first] || self->label[first])
      continue;
    self->label[first] = ++self->n_labels;
    do {
      goes_on = 0;
      for (int i = first; i < n; i++)
        for (int v = i / w - 1; v <= i / w + 1 && self->one[i]
            && !self->hidden[i] && !self->label[i]; v++)
          for (int u = i % w - 1; u <= i % w + 1; u++)
            if (is_in (self, u, v) && self->label[v * w + u] == self->n_labels)
              self->label[i] = self->n_labels, goes_on = 1;
    } while (goes_on);
  }
  for (int i = 0; i < n; i++)
    self->label[i] = self->moving[i] ? self->label[i] : 0;
  for (int label = 1; label <= self->n_labels; label++) {
    int x = 0;

    do {
      measure (self, label);
      x = self->area[label] < 4 * MIN_AREA ? 0
          : find_neck (self, label, counts, counts + w);
      self->n_labels += x > 0;
      for (int i = 0; i < n && x > 0; i++)
        if (self->label[i] == label && i % w >= x)
          self->label[i] = self->n_labels;
    } while (x > 0);
  }
  free (counts);
  return 1;
}

/* Returns 1 if a track is visible in the connected part with the given label. */
static int
is_seen_in (const RefInpaintPassing * self, int track, int label)
{
  int over = self->over[label * N_TRACKS + track], n = self->area[label];

  n = n < self->seen[track] ? n : self->seen[track];
  return over > 0 && 4 * over >= n;
}

/* Counts the pixels that are common to each track and each connected part. */
static void
find_owners (RefInpaintPassing * self)
{
  memset (self->over, 0, (self->n_labels + 1) * N_TRACKS * sizeof (int));
  for (int k = 0; k < N_TRACKS; k++) {
    const Track *track = &self->tracks[k];
    int dx = moved_x (track), dy = moved_y (track);

    self->seen[k] = self->covered[k] = 0;
    for (int i = 0; i < self->w * self->h && track->is_alive; i++) {
      int at = i + dy * self->w + dx;

      if (!track->shape[i] || !is_in (self, i % self->w + dx, i / self->w + dy))
        continue;
      self->covered[k] += self->hidden[at] != 0;
      self->seen[k] += !self->hidden[at];
      if (!self->hidden[at])
        self->over[self->label[at] * N_TRACKS + k]++;
    }
  }
  for (int label = 1; label <= self->n_labels; label++) {
    self->owners[label] = 0;
    for (int k = 0; k < N_TRACKS; k++)
      self->owners[label] += self->tracks[k].is_alive
          && is_seen_in (self, k, label);
  }
}

/* ---- Tracks ---------------------------------------------------------------------- */

/* Sets the shape of a track to the pixels that are set in the array @one, with gaps closed. */
static void
take_shape (RefInpaintPassing * self, Track * track, const RefPlane * in)
{
  grow (self, self->one, 2, 1, self->two);
  grow (self, self->two, 2, 0, track->shape);
  track->n = track->x1 = track->y1 = 0;
  track->x0 = self->w;
  track->y0 = self->h;
  track->base_x = track->x;
  track->base_y = track->y;
  for (int i = 0; i < self->w * self->h; i++) {
    int x = i % self->w, y = i / self->w;

    track->luma[i] = self->luma[i];
    track->shape[i] = track->shape[i] && !self->hidden[i];
    for (int c = 0; c < self->n; c++)
      track->samples[c][i] = ref_get (&in[c],
          (self->left + x) >> ref_subsampling (self->width, in[c].width),
          (self->top + y) >> ref_subsampling (self->height, in[c].height));
    if (!track->shape[i])
      continue;
    track->n++;
    track->x0 = x < track->x0 ? x : track->x0;
    track->y0 = y < track->y0 ? y : track->y0;
    track->x1 = x >= track->x1 ? x + 1 : track->x1;
    track->y1 = y >= track->y1 ? y + 1 : track->y1;
  }
}

/* Returns 1 if half of a track lies within another track that was completely visible. */
static int
is_within (const RefInpaintPassing * self, const Track * track)
{
  for (int k = 0; k < N_TRACKS; k++) {
    const Track *other = &self->tracks[k];
    int dx = moved_x (track) - moved_x (other);
    int dy = moved_y (track) - moved_y (other), n = 0;

    for (int i = 0; i < self->w * self->h && other->is_alive
        && other->is_whole; i++)
      n += track->shape[i] && is_in (self, i % self->w + dx, i / self->w + dy)
          && other->shape[i + dy * self->w + dx];
    if (n > 0 && 2 * n >= track->n)
      return 1;
  }
  return 0;
}

/* Updates the shape of a track if it is visible separately, and ends the track if it has
 * disappeared. */
static void
renew (RefInpaintPassing * self, int k, const RefPlane * in)
{
  Track *track = &self->tracks[k];
  int is_alone = 1, touches = self->covered[k] > 0, area = 0, most = 0;
  const int *over = self->over + k;

  memset (self->one, 0, (size_t) self->w * self->h);
  for (int label = 1; label <= self->n_labels; label++)
    most = over[label * N_TRACKS] > most ? over[label * N_TRACKS] : most;
  for (int label = 1; label <= self->n_labels; label++) {
    int here = over[label * N_TRACKS];

    if (!is_seen_in (self, k, label))
      continue;
    if (here < most && 4 * here >= most && 4 * self->area[label] >= track->n) {
      self->owners[label] -= self->owners[label] == 1;
      continue;
    }
    is_alone &= self->owners[label] == 1;
    touches |= self->touches[label];
    area += self->area[label];
    for (int i = 0; i < self->w * self->h; i++)
      self->one[i] |= self->label[i] == label;
  }
  if (area > 0 && is_alone
      && (!touches || (!track->is_whole && area > track->n))) {
    track->is_whole |= !touches;
    take_shape (self, track, in);
  }
  if ((!track->is_whole && is_within (self, track))
      || self->seen[k] + self->covered[k] == 0 || track->lost > LONGEST
      || (track->lost > 3 && self->seen[k] > self->covered[k]))
    track->is_alive = 0;
}

static void
begin (RefInpaintPassing * self, int label, const RefPlane * in)
{
  for (int k = 0; k < N_TRACKS; k++) {
    Track *track = &self->tracks[k];

    if (track->is_alive)
      continue;
    for (int i = 0; i < self->w * self->h; i++)
      self->one[i] = self->label[i] == label;
    track->is_alive = 1;
    track->is_whole = !self->touches[label];
    track->born = self->count;
    track->lost = track->x = track->y = 0;
    track->next_x = track->next_y = track->speed_x = track->speed_y = 0;
    track->past_x[self->count % PAST] = track->past_y[self->count % PAST] = 0;
    take_shape (self, track, in);
    return;
  }
}

/* Fills the hidden pixels with the tracks that cover them. */
static int
show (const RefInpaintPassing * self, const RefPlane * out)
{
  int n = 0;

  for (int i = 0; i < self->w * self->h; i++) {
    int x = i % self->w, y = i / self->w, lowest = 0, at = 0;
    const Track *front = NULL;

    for (int k = 0; k < N_TRACKS && self->hidden[i]; k++) {
      const Track *track = &self->tracks[k];
      int u = x - moved_x (track), v = y - moved_y (track);

      if (!track->is_alive || !track->is_whole || !is_in (self, u, v)
          || !track->shape[v * self->w + u])
        continue;
      if (front == NULL || track->y1 + moved_y (track) > lowest) {
        front = track;
        lowest = track->y1 + moved_y (track);
        at = v * self->w + u;
      }
    }
    n += front != NULL;
    for (int c = 0; c < self->n && front != NULL; c++) {
      int sx = ref_subsampling (self->width, out[c].width);
      int sy = ref_subsampling (self->height, out[c].height);

      if (x % (1 << sx) == 0 && y % (1 << sy) == 0)
        ref_set (&out[c], (self->left + x) >> sx, (self->top + y) >> sy,
            front->samples[c][at]);
    }
  }
  return n;
}

int
ref_inpaint_passing (RefInpaintPassing * self, const RefPlane * in,
    const RefPlane * plate, const uint8_t * hidden, const RefPlane * out)
{
  int n = self->width * self->height, is_same = self->has_mask;

  for (int i = 0; i < n; i++) {
    is_same &= self->mask[i] == (hidden[i] != 0);
    self->mask[i] = hidden[i] != 0;
  }
  self->has_mask = 1;
  if (!is_same) {
    ref_inpaint_passing_forget (self);
    return 0;
  }
  if (memchr (self->mask, 1, n) == NULL)
    return 0;
  find_part (self);
  if (self->w * self->h > MAX_PART)
    return 0;
  find_moving (self, in, plate);
  move_all (self);
  if (!find_labels (self))
    return -1;
  find_owners (self);
  for (int k = 0; k < N_TRACKS; k++)
    if (self->tracks[k].is_alive)
      renew (self, k, in);
  for (int label = 1; label <= self->n_labels; label++)
    if (self->owners[label] == 0 && self->area[label] >= MIN_AREA)
      begin (self, label, in);
  self->count++;
  return show (self, out);
}
