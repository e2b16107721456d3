/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Labels connected components by union-find. @parents has an int for each element: the index of
 * its parent, which is an element of the same component with a lower index; a root is its own
 * parent. After all pairs of connected elements were merged, the root of each element is the
 * element of its component with the lowest index, whatever the order of the merges was.
 *
 * The steps, between which there is a barrier of all work-items or a new launch:
 * 1. parents[i] = i for each element i
 * 2. labels_merge() for each pair of connected elements
 * 3. labels_flatten() for each element: parents[i] is then the label of element i
 *
 * Work-items of any number of work-groups may do a step at the same time. A parent that another
 * work-item replaces meanwhile stays an ancestor, so it does not matter which one is read. */
#ifndef LABELS_H
#define LABELS_H

/* LABELS_PLAIN is 1 if parents are read without atomic operations, because atomic reads of the
 * root of a large component would wait for each other. A plain read may return an old parent;
 * labels are then valid only in the next launch, not after a barrier. Emulators that check for
 * races report plain reads. */
#ifndef LABELS_PLAIN
#define LABELS_PLAIN 0
#endif

/* Address space of the array @parents: global or local */
#ifndef LABELS_SPACE
#define LABELS_SPACE global
#endif

static int
labels_parent (volatile LABELS_SPACE int *parents, int i)
{
#if LABELS_PLAIN
  return parents[i];
#else
  return atomic_or (&parents[i], 0);
#endif
}

/* Returns the root of element i. */
static int
labels_find (volatile LABELS_SPACE int *parents, int i)
{
  int parent = labels_parent (parents, i);

  while (parent != i) {
    i = parent;
    parent = labels_parent (parents, i);
  }
  return i;
}

/* Returns the root of element i. Sets the parent of each element on the path to its grandparent
 * (path halving): otherwise rows that are merged at the same time would make paths as long as a
 * component is high. */
static int
labels_find_and_halve (volatile LABELS_SPACE int *parents, int i)
{
  int parent = labels_parent (parents, i);

  while (parent != i) {
    int next = labels_parent (parents, parent);

    if (next != parent)
      atomic_min (&parents[i], next);
    i = parent;
    parent = next;
  }
  return i;
}

/* Joins the components of elements a and b. */
static void
labels_merge (volatile LABELS_SPACE int *parents, int a, int b)
{
  int low, high, old;

  a = labels_find_and_halve (parents, a);
  b = labels_find_and_halve (parents, b);
  while (a != b) {
    low = min (a, b);
    high = max (a, b);
    /* Continues if another work-item has given @high a parent in the meantime. @high then keeps
     * the lower one of two parents, and the component of the other parent still has to be
     * joined. */
    old = atomic_min (&parents[high], low);
    if (old == high)
      break;
    a = labels_find_and_halve (parents, old);
    b = labels_find_and_halve (parents, low);
  }
}

/* Sets the parent of element i to its root. Returns: the root */
static int
labels_flatten (volatile LABELS_SPACE int *parents, int i)
{
  int parent = labels_parent (parents, i), root = labels_find (parents, parent);

  if (parent != root)
    atomic_min (&parents[i], root);
  return root;
}

#endif
