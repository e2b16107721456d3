/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstmgputrackassign.h"

#include <string.h>

/* Largest number of rows (tracks) or columns (regions) of a group for which the best
 * assignment is computed. The time grows with the third power of this number: 256 rows
 * and columns take 0.1 s. */
#define MAX_EXACT 256

#define PAIR(i) g_array_index (pairs, GstMgpuTrackPair, i)

/* Returns: the root of the tree that contains node @i, in the union-find forest @parents:
 * node i has the parent @parents[i]. The root serves as number of the node's group */
static guint
find_root (guint * parents, guint i)
{
  while (parents[i] != i)
    i = parents[i] = parents[parents[i]];
  return i;
}

/* Solves the assignment problem for an @n x @n matrix of @costs by shortest augmenting
 * paths with potentials (Kuhn, Munkres). Sets @chosen[column] to the row that is assigned
 * to the column. Rows and columns are numbered from 1; row and column 0 of all arrays are
 * work space. */
static void
solve (guint n, const gint64 * costs, guint * chosen)
{
  gint64 *u = g_new0 (gint64, 3 * (n + 1)), *v = u + n + 1, *least = v + n + 1;
  guint *before = g_new0 (guint, n + 1);
  gboolean *is_used = g_new0 (gboolean, n + 1);

  memset (chosen, 0, (n + 1) * sizeof (*chosen));
  for (guint row = 1; row <= n; row++) {
    guint column = 0;

    chosen[0] = row;
    memset (is_used, 0, (n + 1) * sizeof (*is_used));
    for (guint j = 0; j <= n; j++)
      least[j] = G_MAXINT64;
    do {
      guint from = chosen[column], next = 0;
      gint64 delta = G_MAXINT64;

      is_used[column] = TRUE;
      for (guint j = 1; j <= n; j++) {
        gint64 cost;

        if (is_used[j])
          continue;
        cost = costs[(gsize) (from - 1) * n + j - 1] - u[from] - v[j];
        if (cost < least[j]) {
          least[j] = cost;
          before[j] = column;
        }
        if (least[j] < delta) {
          delta = least[j];
          next = j;
        }
      }
      for (guint j = 0; j <= n; j++) {
        if (is_used[j]) {
          u[chosen[j]] += delta;
          v[j] -= delta;
        } else if (least[j] != G_MAXINT64) {
          least[j] -= delta;
        }
      }
      column = next;
    } while (chosen[column] != 0);
    for (; column != 0; column = before[column])
      chosen[column] = chosen[before[column]];
  }
  g_free (is_used);
  g_free (before);
  g_free (u);
}

/* Chooses those pairs of a group (pairs of a track, its row, and a region, its column) in
 * which no row and no column occurs twice and whose sum of weights is the largest possible.
 * Sets the weights of all other pairs of the group to 0. The array @members has the indices
 * of the group's pairs. The array @numbers is room to number the rows and columns of the
 * group. */
static void
choose_exactly (GArray * pairs, const GArray * members, guint n_rows,
    guint * numbers)
{
  guint rows = 0, columns = 0, n;
  gint64 *costs;
  guint *chosen;

  for (guint i = 0; i < members->len; i++) {
    GstMgpuTrackPair *p = &PAIR (g_array_index (members, guint, i));

    if (numbers[p->row] == G_MAXUINT)
      numbers[p->row] = rows++;
    if (numbers[n_rows + p->column] == G_MAXUINT)
      numbers[n_rows + p->column] = columns++;
  }
  /* Makes the cost matrix square by adding entries of 0, which stand for rows or columns
   * without a pair. */
  n = MAX (rows, columns);
  costs = g_new0 (gint64, (gsize) n * n);
  chosen = g_new (guint, n + 1);
  for (guint i = 0; i < members->len; i++) {
    GstMgpuTrackPair *p = &PAIR (g_array_index (members, guint, i));

    costs[(gsize) numbers[p->row] * n + numbers[n_rows + p->column]] =
        -p->weight;
  }
  solve (n, costs, chosen);
  for (guint i = 0; i < members->len; i++) {
    GstMgpuTrackPair *p = &PAIR (g_array_index (members, guint, i));

    if (chosen[numbers[n_rows + p->column] + 1] != numbers[p->row] + 1)
      p->weight = 0;
  }
  g_free (chosen);
  g_free (costs);
}

static gint
compare_weights (gconstpointer a, gconstpointer b, gpointer data)
{
  const GArray *pairs = data;
  guint i = *(const guint *) a, j = *(const guint *) b;

  if (PAIR (i).weight != PAIR (j).weight)
    return PAIR (i).weight > PAIR (j).weight ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* Chooses pairs of a group, as choose_exactly() does, but not always the best ones: takes
 * again and again the pair with the largest weight among those that can still be chosen. */
static void
choose_greedily (GArray * pairs, GArray * members, guint n_rows,
    guint * numbers)
{
  g_array_sort_with_data (members, compare_weights, pairs);
  for (guint i = 0; i < members->len; i++) {
    GstMgpuTrackPair *p = &PAIR (g_array_index (members, guint, i));
    guint *row = &numbers[p->row], *column = &numbers[n_rows + p->column];

    if (*row != G_MAXUINT || *column != G_MAXUINT)
      p->weight = 0;
    else
      *row = *column = 0;
  }
}

/* Returns: whether the group of the pairs @members has too many rows or columns for
 * choose_exactly() */
static gboolean
is_large (const GArray * pairs, const GArray * members)
{
  guint rows = 0, last = G_MAXUINT, columns = 0;
  GHashTable *seen;

  /* Returns at once if there are few pairs: a group has no more rows, and no more
   * columns, than pairs. */
  if (members->len <= MAX_EXACT)
    return FALSE;
  seen = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < members->len; i++) {
    const GstMgpuTrackPair *p = &PAIR (g_array_index (members, guint, i));

    /* Counts the rows: all pairs of one row follow each other in the array. */
    rows += p->row != last;
    last = p->row;
    g_hash_table_add (seen, GUINT_TO_POINTER (p->column));
  }
  columns = g_hash_table_size (seen);
  g_hash_table_unref (seen);
  return MAX (rows, columns) > MAX_EXACT;
}

/* Divides pairs into groups: pairs are in one group if they share a row or a column,
 * directly or through other pairs. Returns: (transfer full): an array of groups, each an
 * array with the indices of its pairs */
static GPtrArray *
make_groups (const GArray * pairs, guint n_rows, guint n_columns)
{
  GPtrArray *groups =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  guint *parents = g_new (guint, n_rows + n_columns);
  GArray **lists = g_new0 (GArray *, n_rows + n_columns);

  for (guint i = 0; i < n_rows + n_columns; i++)
    parents[i] = i;
  for (guint i = 0; i < pairs->len; i++)
    parents[find_root (parents, n_rows + PAIR (i).column)] =
        find_root (parents, PAIR (i).row);
  for (guint i = 0; i < pairs->len; i++) {
    guint root = find_root (parents, PAIR (i).row);

    if (lists[root] == NULL) {
      lists[root] = g_array_new (FALSE, FALSE, sizeof (guint));
      g_ptr_array_add (groups, lists[root]);
    }
    g_array_append_val (lists[root], i);
  }
  g_free (lists);
  g_free (parents);
  return groups;
}

void
gst_mgpu_track_assign (GArray * pairs, guint n_rows, guint n_columns)
{
  GPtrArray *groups = make_groups (pairs, n_rows, n_columns);
  guint *numbers = g_new (guint, n_rows + n_columns);
  guint n = 0;

  /* Marks each row (track) and each column (region) as not numbered in any group yet. */
  memset (numbers, 0xff, (n_rows + n_columns) * sizeof (*numbers));
  for (guint i = 0; i < groups->len; i++) {
    GArray *members = groups->pdata[i];

    if (members->len == 1)
      continue;
    if (is_large (pairs, members))
      choose_greedily (pairs, members, n_rows, numbers);
    else
      choose_exactly (pairs, members, n_rows, numbers);
  }
  for (guint i = 0; i < pairs->len; i++)
    if (PAIR (i).weight > 0)
      PAIR (n++) = PAIR (i);
  g_array_set_size (pairs, n);
  g_free (numbers);
  g_ptr_array_unref (groups);
}
