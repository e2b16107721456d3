/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads boards of tags: Kalibr's AprilGrid, and lists of corners. */
#include "board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration-private.h"

/* Largest number of columns and rows of a grid, and of tags of a board */
#define MAX_SIDE 100
#define MAX_TAGS 10000

/* Largest id */
#define MAX_ID 65535

/* Largest distance of a corner from the origin, and length of a side, in meters */
#define MAX_METRES 1000

/* Maximum relative difference between the sides and diagonals of a tag and the sides and diagonals
 * of a square */
#define MAX_SKEW 0.01

/* ---- Grids ------------------------------------------------------------------------- */

/* Reads the number @name of @root. Returns: FALSE with the error set if the value is missing or
 * invalid */
static gboolean
read_number (const MgpuDpmFile * file, const MgpuTree * root,
    const gchar * name, gdouble low, gdouble high, gdouble * value)
{
  const MgpuTree *tree = mgpu_tree_find (root, name);

  if (tree == NULL)
    return mgpu_dpm_file_fail (file, "there is no %s", name);
  if (!mgpu_dpm_file_read_numbers (file, name, tree->text->str, 1, value))
    return FALSE;
  return (*value >= low && *value <= high) || mgpu_dpm_file_fail (file,
      "%s is %g, but it has to be from %g to %g", name, *value, low, high);
}

static gboolean
read_count (const MgpuDpmFile * file, const MgpuTree * root,
    const gchar * name, gint * value)
{
  *value = 0;
  if (!mgpu_calibration_read_int (file, root, name, 1, MAX_SIDE, value))
    return FALSE;
  return *value > 0 || mgpu_dpm_file_fail (file, "there is no %s", name);
}

/* Reads an AprilGrid. */
static MgpuBoard *
read_grid (const MgpuDpmFile * file, const MgpuTree * root)
{
  gint columns, rows, first = 0;
  gdouble size, spacing;

  if (!read_count (file, root, "tagCols", &columns)
      || !read_count (file, root, "tagRows", &rows)
      || !read_number (file, root, "tagSize", 1e-4, MAX_METRES, &size)
      || !read_number (file, root, "tagSpacing", 0, 100, &spacing)
      || !mgpu_calibration_read_int (file, root, "codeOffset", 0, MAX_ID
          - MAX_TAGS, &first))
    return NULL;
  return mgpu_board_new_grid (columns, rows, size, spacing, first);
}

MgpuBoard *
mgpu_board_new_grid (guint columns, guint rows, gdouble size, gdouble spacing,
    guint first)
{
  MgpuBoard *self = g_new0 (MgpuBoard, 1);

  self->n_tags = columns * rows;
  self->tags = g_new0 (MgpuBoardTag, self->n_tags);
  for (guint i = 0; i < self->n_tags; i++) {
    MgpuBoardTag *tag = &self->tags[i];
    gdouble x = i % columns * size * (1 + spacing);
    gdouble y = i / columns * size * (1 + spacing);

    tag->id = first + i;
    for (guint k = 0; k < 4; k++) {
      tag->points[3 * k] = x + (k == 1 || k == 2 ? size : 0);
      tag->points[3 * k + 1] = y + (k < 2 ? size : 0);
    }
  }
  return self;
}

/* ---- Lists --------------------------------------------------------------------------- */

static gdouble
get_distance (const gdouble * a, const gdouble * b)
{
  gdouble x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

  return sqrt (x * x + y * y + z * z);
}

/* Checks that the corners of a tag are those of a square. Returns: FALSE with the error set if
 * not */
static gboolean
check_square (const MgpuDpmFile * file, const gchar * name,
    const gdouble points[12])
{
  gdouble size = get_distance (points, points + 3);
  gboolean ok = size >= 1e-4 && size <= MAX_METRES;

  for (guint i = 0; i < 12; i++)
    ok = ok && fabs (points[i]) <= MAX_METRES;
  for (guint i = 0; ok && i < 4; i++) {
    const gdouble *next = points + 3 * ((i + 1) % 4);
    const gdouble *across = points + 3 * ((i + 2) % 4);

    ok = fabs (get_distance (points + 3 * i, next) - size) <= MAX_SKEW * size
        && fabs (get_distance (points + 3 * i, across) - size * G_SQRT2)
        <= MAX_SKEW * size;
  }
  return ok || mgpu_dpm_file_fail (file, "%s: the values are not the x, y and "
      "z of the corners of a square, in meters", name);
}

/* Reads the tag @tree, whose key is tag_ID, and adds it to @tags. */
static gboolean
read_tag (const MgpuDpmFile * file, const MgpuTree * tree, GArray * tags)
{
  MgpuBoardTag tag = { 0 };
  gchar *end;
  guint64 id = g_ascii_strtoull (tree->name + strlen ("tag_"), &end, 10);

  if (!g_ascii_isdigit (tree->name[strlen ("tag_")]) || *end != '\0'
      || id > MAX_ID)
    return mgpu_dpm_file_fail (file, "%s: the id has to be an integer from 0 "
        "to %d", tree->name, MAX_ID);
  if (tags->len == MAX_TAGS)
    return mgpu_dpm_file_fail (file, "there are more than %d tags", MAX_TAGS);
  tag.id = id;
  if (mgpu_calibration_read_numbers (file, tree, 12, 12, tag.points) == 0
      || !check_square (file, tree->name, tag.points))
    return FALSE;
  g_array_append_val (tags, tag);
  return TRUE;
}

static gint
compare_tags (gconstpointer a, gconstpointer b)
{
  const MgpuBoardTag *x = a, *y = b;

  return x->id < y->id ? -1 : x->id > y->id;
}

static MgpuBoard *
read_list (const MgpuDpmFile * file, const MgpuTree * root)
{
  MgpuBoard *self = g_new0 (MgpuBoard, 1);
  GArray *tags = g_array_new (FALSE, FALSE, sizeof (MgpuBoardTag));
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < root->children->len; i++) {
    const MgpuTree *child = g_ptr_array_index (root->children, i);

    if (g_str_has_prefix (child->name, "tag_"))
      ok = read_tag (file, child, tags);
  }
  if (ok && tags->len == 0)
    ok = mgpu_dpm_file_fail (file, "the file does not describe a board, "
        "because it has neither target_type nor tag_ID");
  if (tags->len > 1)
    qsort (tags->data, tags->len, sizeof (MgpuBoardTag), compare_tags);
  self->n_tags = tags->len;
  self->tags = (MgpuBoardTag *) g_array_free (tags, FALSE);
  for (guint i = 1; ok && i < self->n_tags; i++)
    if (self->tags[i].id == self->tags[i - 1].id)
      ok = mgpu_dpm_file_fail (file, "tag_%u is defined twice",
          self->tags[i].id);
  if (!ok)
    g_clear_pointer (&self, mgpu_board_free);
  return self;
}

/* ---- Boards -------------------------------------------------------------------------- */

static MgpuBoard *
read_board (const MgpuDpmFile * file, const MgpuTree * root)
{
  const MgpuTree *type = mgpu_tree_find (root, "target_type");

  if (type == NULL)
    return read_list (file, root);
  if (strcmp (g_strstrip (type->text->str), "aprilgrid") == 0)
    return read_grid (file, root);
  mgpu_dpm_file_fail (file, "target_type has to be aprilgrid");
  return NULL;
}

MgpuBoard *
mgpu_board_load (const gchar * path, GError ** error)
{
  const MgpuDpmFile file = { path, error };
  g_autoptr (MgpuTree) root = mgpu_tree_load (&file);
  MgpuBoard *self = root != NULL ? read_board (&file, root) : NULL;
  const MgpuTree *family;

  if (self == NULL)
    return NULL;
  family = mgpu_tree_find (root, "family");
  if (family != NULL && *g_strstrip (family->text->str) != '\0')
    self->family = g_utf8_make_valid (family->text->str, -1);
  return self;
}

const MgpuBoardTag *
mgpu_board_find (const MgpuBoard * self, const gchar * family, guint id)
{
  const MgpuBoardTag key = { id, {0} };

  if (self->family != NULL && strcmp (self->family, family) != 0)
    return NULL;
  return bsearch (&key, self->tags, self->n_tags, sizeof (MgpuBoardTag),
      compare_tags);
}

void
mgpu_board_free (MgpuBoard * self)
{
  g_free (self->family);
  g_free (self->tags);
  g_free (self);
}
