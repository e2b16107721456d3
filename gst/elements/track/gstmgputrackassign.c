/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Assigns regions to tracks with the minimum total cost, or greedily where the optimum
 * would take too long. */
#include "gstmgputrackassign.h"

#include <stdlib.h>
#include <string.h>

/* Limit of the work for optimal assignments in a frame. The work for a group is n * n * n,
 * where n is the number of rows (tracks) or columns (regions) of the group, whichever is
 * larger. Time is proportional to the sum over all groups: 2^23 (one group with n = 203, or
 * 256 groups with n = 32) takes about 20 ms. */
#define MAX_WORK (1 << 23)

#define PAIR(i) g_array_index (pairs, GstMgpuTrackPair, i)

/* A group (connected component) of pairs: pairs that share rows or columns, directly or
 * through other pairs. */
typedef struct
{
  GArray *members;              /* array of guint: the indices of the group's pairs */
  guint n;                      /* number of rows or columns, whichever is larger */
  guint first;                  /* index of the group's first pair */
} Group;

static void
group_clear (gpointer data)
{
  g_array_unref (((Group *) data)->members);
}

/* Returns: the union-find root of node @i, which identifies the node's group. @parents[i]
 * is the parent of node i */
static guint
find_root (guint * parents, guint i)
{
  while (parents[i] != i)
    i = parents[i] = parents[parents[i]];
  return i;
}

/* Solves the assignment problem for the @n x @n matrix @costs by shortest augmenting paths
 * with potentials (Kuhn, Munkres). Sets @chosen[column] to the row that is assigned to the
 * column. Rows and columns are numbered from 1; row 0 and column 0 of all arrays are work
 * space. */
static void
solve (guint n, const gint64 * costs, guint * chosen)
{
  gint64 *u = g_new0 (gint64, 3 * (n + 1)), *v = u + n + 1, *least = v + n + 1;
  g_autofree guint *before = g_new0 (guint, n + 1);
  g_autofree gboolean *is_used = g_new0 (gboolean, n + 1);

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
  g_free (u);
}

/* Chooses pairs of a group such that no row (track) and no column (region) is in two of
 * them, and the sum of their weights is maximal. Sets the weights of all other pairs of the
 * group to 0. The array @numbers has the numbers that number_members() gave to rows and
 * columns. */
static void
choose_exactly (GArray * pairs, const Group * group, guint n_rows,
    const guint * numbers)
{
  const GArray *members = group->members;
  /* Square cost matrix; an entry of 0 means that the row and the column are not a pair. */
  g_autofree gint64 *costs = g_new0 (gint64, (gsize) group->n * group->n);
  g_autofree guint *chosen = g_new (guint, group->n + 1);

  for (guint i = 0; i < members->len; i++) {
    GstMgpuTrackPair *p = &PAIR (g_array_index (members, guint, i));

    costs[(gsize) numbers[p->row] * group->n + numbers[n_rows + p->column]] =
        -p->weight;
  }
  solve (group->n, costs, chosen);
  for (guint i = 0; i < members->len; i++) {
    GstMgpuTrackPair *p = &PAIR (g_array_index (members, guint, i));

    if (chosen[numbers[n_rows + p->column] + 1] != numbers[p->row] + 1)
      p->weight = 0;
  }
}

static gint
compare_keys (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* Chooses pairs of a group greedily, as an approximation of choose_exactly(): repeatedly
 * takes the pair with the largest weight whose row and column are still free. Sets the
 * number of each row and column that is taken to G_MAXUINT. */
static void
choose_greedily (GArray * pairs, const Group * group, guint n_rows,
    guint * numbers)
{
  const GArray *members = group->members;
  g_autofree guint64 *keys = g_new (guint64, members->len);

  /* The upper bits of a key are the weight, the lower bits the index: of pairs with the
   * same weight, the one with the lower index comes first. */
  for (guint i = 0; i < members->len; i++) {
    guint index = g_array_index (members, guint, i);

    keys[i] = (guint64) (G_MAXUINT32 - PAIR (index).weight) << 32 | index;
  }
  qsort (keys, members->len, sizeof (*keys), compare_keys);
  for (guint i = 0; i < members->len; i++) {
    GstMgpuTrackPair *p = &PAIR ((guint32) keys[i]);
    guint *row = &numbers[p->row], *column = &numbers[n_rows + p->column];

    if (*row == G_MAXUINT || *column == G_MAXUINT)
      p->weight = 0;
    else
      *row = *column = G_MAXUINT;
  }
}

/* Divides pairs into groups: pairs are in one group if they share a row or a column,
 * directly or through other pairs. Returns: (transfer full): an array of Group */
static GArray *
make_groups (const GArray * pairs, guint n_rows, guint n_columns)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_autofree guint *parents = g_new (guint, n_rows + n_columns);
  GArray **lists = g_new0 (GArray *, n_rows + n_columns);

  g_array_set_clear_func (groups, group_clear);
  for (guint i = 0; i < n_rows + n_columns; i++)
    parents[i] = i;
  for (guint i = 0; i < pairs->len; i++)
    parents[find_root (parents, n_rows + PAIR (i).column)] =
        find_root (parents, PAIR (i).row);
  for (guint i = 0; i < pairs->len; i++) {
    guint root = find_root (parents, PAIR (i).row);

    if (lists[root] == NULL) {
      Group group = { g_array_new (FALSE, FALSE, sizeof (guint)), 0, i };

      lists[root] = group.members;
      g_array_append_val (groups, group);
    }
    g_array_append_val (lists[root], i);
  }
  g_free (lists);
  return groups;
}

/* Numbers the rows and the columns of @group, each starting with 0. Writes the numbers to
 * @numbers, where they have to be G_MAXUINT before. Sets the member @n of the group. */
static void
number_members (const GArray * pairs, Group * group, guint n_rows,
    guint * numbers)
{
  guint rows = 0, columns = 0;

  for (guint i = 0; i < group->members->len; i++) {
    const GstMgpuTrackPair *p =
        &PAIR (g_array_index (group->members, guint, i));

    if (numbers[p->row] == G_MAXUINT)
      numbers[p->row] = rows++;
    if (numbers[n_rows + p->column] == G_MAXUINT)
      numbers[n_rows + p->column] = columns++;
  }
  group->n = MAX (rows, columns);
}

static gint
compare_groups (gconstpointer a, gconstpointer b)
{
  const Group *x = a, *y = b;

  if (x->n != y->n)
    return x->n < y->n ? -1 : 1;
  return x->first < y->first ? -1 : 1;
}

void
gst_mgpu_track_assign (GArray * pairs, guint n_rows, guint n_columns)
{
  g_autoptr (GArray) groups = make_groups (pairs, n_rows, n_columns);
  g_autofree guint *numbers = g_new (guint, n_rows + n_columns);
  guint64 work = 0;
  guint n = 0;

  for (guint i = 0; i < n_rows + n_columns; i++)
    numbers[i] = G_MAXUINT;
  for (guint i = 0; i < groups->len; i++)
    number_members (pairs, &g_array_index (groups, Group, i), n_rows, numbers);
  g_array_sort (groups, compare_groups);
  for (guint i = 0; i < groups->len; i++) {
    const Group *group = &g_array_index (groups, Group, i);

    if (group->members->len == 1)
      continue;
    work += (guint64) group->n * group->n * group->n;
    if (work <= MAX_WORK)
      choose_exactly (pairs, group, n_rows, numbers);
    else
      choose_greedily (pairs, group, n_rows, numbers);
  }
  for (guint i = 0; i < pairs->len; i++)
    if (PAIR (i).weight > 0)
      PAIR (n++) = PAIR (i);
  g_array_set_size (pairs, n);
}
