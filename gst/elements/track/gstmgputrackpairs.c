/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the pairs of a track and a region whose boxes overlap. */
#include "gstmgputrackpairs.h"

#include <stdlib.h>

/* Limit of the absolute value of coordinates of box edges, in pixels from the upper left
 * corner of the frame. Boxes are clipped there, so that areas in units of (1/16 px)^2 fit
 * into 64 bits after a multiplication by GST_MGPU_TRACK_OVERLAP_ONE. */
#define MAX_PLACE 65536

/* Maximum number of columns that are compared with a row, and maximum number of
 * pairs of a row */
#define MAX_COMPARED 1024
#define MAX_PAIRS 64

#define ITEM(array, i) g_array_index (array, GstMgpuTrackItem, i)

/* An item, for sorting by the horizontal center of its box, from left to right. */
typedef struct
{
  guint type;
  gint64 middle;                /* horizontal center of the box, in units of 1/32 px */
  guint i;                      /* index of the item in its array */
} Place;

/* Converts the coordinate @value from pixels to units of 1/16 pixel, rounded to the
 * nearest. */
static gint64
to_place (gdouble value)
{
  /* MAX_PLACE makes the number to be rounded positive, because a conversion to an integer
   * rounds towards 0. */
  return (gint64) ((CLAMP (value, -MAX_PLACE, MAX_PLACE) + MAX_PLACE) * 16
      + 0.5);
}

GstMgpuTrackItem
gst_mgpu_track_item (guint index, guint type, gdouble left, gdouble top,
    gdouble width, gdouble height)
{
  GstMgpuTrackItem item = { index, type, {to_place (left), to_place (top),
          to_place (left + width), to_place (top + height)}
  };

  return item;
}

/* Returns: the intersection over union of the boxes @a and @b, in units of
 * 1 / GST_MGPU_TRACK_OVERLAP_ONE, rounded down; 0 if it is below @least */
static gint64
get_overlap (const GstMgpuTrackBox * a, const GstMgpuTrackBox * b, gint64 least)
{
  gint64 width = MIN (a->right, b->right) - MAX (a->left, b->left);
  gint64 height = MIN (a->bottom, b->bottom) - MAX (a->top, b->top);
  guint64 both, all;

  if (width <= 0 || height <= 0)
    return 0;
  both = (guint64) (width * height) * GST_MGPU_TRACK_OVERLAP_ONE;
  all = (a->right - a->left) * (a->bottom - a->top)
      + (b->right - b->left) * (b->bottom - b->top) - width * height;
  /* Rejects most pairs by a multiplication, because a division takes more time. */
  return both < all * least ? 0 : both / all;
}

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  if (x->type != y->type)
    return x->type < y->type ? -1 : 1;
  if (x->middle != y->middle)
    return x->middle < y->middle ? -1 : 1;
  return x->i < y->i ? -1 : x->i > y->i;
}

/* Returns: (transfer full): a Place for each element of @items, ordered by class and from
 * left to right */
static Place *
sort_items (const GArray * items)
{
  Place *places = g_new (Place, items->len);

  for (guint i = 0; i < items->len; i++) {
    const GstMgpuTrackItem *item = &ITEM (items, i);

    places[i] = (Place) {
    item->type, item->box.left + item->box.right, i};
  }
  if (items->len > 0)
    qsort (places, items->len, sizeof (*places), compare_places);
  return places;
}

/* Finds, for each row, the column at which the search for its pairs begins. @places is an
 * array of @n_places columns. The search begins at the first column that is not left of the
 * row. If several rows and columns have the same center, the searches of these rows begin at
 * successive columns; otherwise all these rows would consider the same few columns. Returns:
 * (transfer full): an index in @places for each row */
static guint *
find_starts (const GArray * rows, const Place * places, guint n_places)
{
  g_autofree Place *sorted = sort_items (rows);
  guint *starts = g_new (guint, rows->len);
  guint at = 0;

  for (guint i = 0; i < rows->len; i++) {
    const Place *row = &sorted[i];
    gboolean is_same = i > 0 && row->type == row[-1].type
        && row->middle == row[-1].middle;

    if (is_same) {
      at += at < n_places && places[at].type == row->type
          && places[at].middle == row->middle;
    } else {
      while (at < n_places && (places[at].type < row->type
              || (places[at].type == row->type
                  && places[at].middle < row->middle)))
        at++;
    }
    starts[row->i] = at;
  }
  return starts;
}

/* Returns: the horizontal distance between the column @place and the row @row, in units of 1/32 px;
 * G_MAXINT64 if their classes differ */
static gint64
get_distance (const GstMgpuTrackItem * row, const Place * place)
{
  return place->type == row->type ? ABS (place->middle - row->box.left
      - row->box.right) : G_MAXINT64;
}

static gint
compare_columns (gconstpointer a, gconstpointer b)
{
  const GstMgpuTrackPair *x = a, *y = b;

  return x->column < y->column ? -1 : x->column > y->column;
}

/* Appends the pairs of one row to @pairs; @start is the index in @places at which the search
 * begins. */
static void
add_pairs (const GstMgpuTrackItem * row, const GArray * columns,
    const Place * places, guint start, gint64 least, GArray * pairs)
{
  /* Two boxes with an IoU of @least differ in width by a factor of at most 1 / @least. This
   * limits the distance of their centers. */
  gint64 reach = 2 * GST_MGPU_TRACK_OVERLAP_ONE
      * (row->box.right - row->box.left) / least;
  guint first = pairs->len, left = start, right = start;

  while (right - left < MAX_COMPARED && pairs->len - first < MAX_PAIRS) {
    gint64 to_left = left > 0 ? get_distance (row, &places[left - 1])
        : G_MAXINT64;
    gint64 to_right = right < columns->len
        ? get_distance (row, &places[right]) : G_MAXINT64;
    const GstMgpuTrackItem *column;
    GstMgpuTrackPair pair;

    if (MIN (to_left, to_right) > reach)
      break;
    column = &ITEM (columns,
        places[to_left < to_right ? --left : right++].i);
    pair = (GstMgpuTrackPair) {
    row->index, column->index, get_overlap (&row->box, &column->box, least)};
    if (pair.weight > 0)
      g_array_append_val (pairs, pair);
  }
  if (pairs->len > first)
    qsort (&g_array_index (pairs, GstMgpuTrackPair, first), pairs->len - first,
        sizeof (GstMgpuTrackPair), compare_columns);
}

void
gst_mgpu_track_list_pairs (const GArray * rows, const GArray * columns,
    gint64 least, GArray * pairs)
{
  g_autofree Place *places = sort_items (columns);
  g_autofree guint *starts = find_starts (rows, places, columns->len);

  g_array_set_size (pairs, 0);
  for (guint i = 0; i < rows->len; i++)
    add_pairs (&ITEM (rows, i), columns, places, starts[i], least, pairs);
}
