/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the types of values that occur in all kinds of calibration files. */
#include "calibration-private.h"

#include <math.h>
#include <string.h>

/* Maximum difference of the scalar products of the rows of a rotation matrix from 0 or 1 */
#define MAX_SKEW 1e-3

/* Finds the numbers of a value; the numbers of a matrix are in its value "data". Returns: the value
 * with the numbers; NULL with the error set */
static const MgpuTree *
find_data (const MgpuDpmFile * file, const MgpuTree * tree, guint * n)
{
  const MgpuTree *data = mgpu_tree_find (tree, "data");
  gint rows = 0, cols = 0;

  *n = 0;
  data = data != NULL ? data : tree;
  for (const gchar * at = data->text->str; *at != '\0'; (*n)++) {
    at += strspn (at, " \t\r\n");
    if (*at == '\0')
      break;
    at += strcspn (at, " \t\r\n");
  }
  if (data == tree)
    return data;
  if (!mgpu_calibration_read_int (file, tree, "rows", 1, 1 << 16, &rows)
      || !mgpu_calibration_read_int (file, tree, "cols", 1, 1 << 16, &cols))
    return NULL;
  if ((gint64) rows * cols == *n)
    return data;
  mgpu_dpm_file_fail (file, "%s has %u numbers, which does not match its %d "
      "rows and %d columns", tree->name, *n, rows, cols);
  return NULL;
}

guint
mgpu_calibration_read_numbers (const MgpuDpmFile * file, const MgpuTree * tree,
    guint least, guint most, gdouble * numbers)
{
  guint n;
  const MgpuTree *data = find_data (file, tree, &n);

  if (data == NULL)
    return 0;
  if (n < least || n > most) {
    if (least == most)
      mgpu_dpm_file_fail (file, "%s has %u numbers, but it needs %u",
          tree->name, n, least);
    else
      mgpu_dpm_file_fail (file, "%s has %u numbers, but it needs %u to %u",
          tree->name, n, least, most);
    return 0;
  }
  return mgpu_dpm_file_read_numbers (file, tree->name, data->text->str, n,
      numbers) ? n : 0;
}

gboolean
mgpu_calibration_read_int (const MgpuDpmFile * file, const MgpuTree * where,
    const gchar * name, gint low, gint high, gint * value)
{
  const MgpuTree *tree = mgpu_tree_find (where, name);
  gdouble number;

  return tree == NULL || (mgpu_dpm_file_read_numbers (file, name,
          tree->text->str, 1, &number)
      && mgpu_dpm_file_get_int (file, name, number, low, high, value));
}

gboolean
mgpu_calibration_read_matrix (const MgpuDpmFile * file, const MgpuTree * tree,
    MgpuCamera * camera)
{
  gdouble m[9];

  if (mgpu_calibration_read_numbers (file, tree, 9, 9, m) == 0)
    return FALSE;
  if (m[1] != 0 || m[3] != 0 || m[6] != 0 || m[7] != 0 || m[8] != 1)
    return mgpu_dpm_file_fail (file, "%s is not a camera matrix without skew, "
        "of the form fx 0 cx, 0 fy cy, 0 0 1", tree->name);
  camera->focal[0] = m[0];
  camera->focal[1] = m[4];
  camera->centre[0] = m[2];
  camera->centre[1] = m[5];
  return TRUE;
}

/* Returns: whether the rows of @m are orthogonal and have the length 1 */
static gboolean
is_rotation (const gdouble m[9])
{
  for (guint i = 0; i < 3; i++)
    for (guint j = i; j < 3; j++) {
      gdouble product = m[3 * i] * m[3 * j] + m[3 * i + 1] * m[3 * j + 1]
          + m[3 * i + 2] * m[3 * j + 2];

      if (fabs (product - (i == j)) > MAX_SKEW)
        return FALSE;
    }
  return TRUE;
}

static gdouble
find_determinant (const gdouble m[9])
{
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
      + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

gboolean
mgpu_calibration_read_turn (const MgpuDpmFile * file, const MgpuTree * turn,
    const MgpuTree * projection, MgpuCalibration * calibration)
{
  gdouble *to = calibration->projection;
  gdouble p[12];

  if (turn != NULL) {
    if (mgpu_calibration_read_numbers (file, turn, 9, 9,
            calibration->turn) == 0)
      return FALSE;
    if (!is_rotation (calibration->turn))
      return mgpu_dpm_file_fail (file, "%s is not a rotation", turn->name);
    if (find_determinant (calibration->turn) < 0)
      return mgpu_dpm_file_fail (file, "%s contains a reflection: its "
          "determinant is -1, but it has to be 1", turn->name);
    calibration->has_turn = TRUE;
  }
  if (projection != NULL) {
    if (mgpu_calibration_read_numbers (file, projection, 12, 12, p) == 0)
      return FALSE;
    if (!(p[0] > 0 && p[5] > 0))
      return mgpu_dpm_file_fail (file, "%s: focal lengths are %g and %g, but "
          "they have to be above 0", projection->name, p[0], p[5]);
    to[0] = p[0];
    to[1] = p[5];
    to[2] = p[2];
    to[3] = p[6];
    calibration->has_projection = TRUE;
  }
  return TRUE;
}

gboolean
mgpu_calibration_check_count (const MgpuDpmFile * file, const gchar * name,
    MgpuLens lens, guint n)
{
  if (lens == MGPU_LENS_BROWN)
    return n == 4 || n == 5 || n == 8 || n == 12 || n == 14
        || mgpu_dpm_file_fail (file, "%s has %u coefficients, but it needs 4, "
        "5, 8, 12 or 14", name, n);
  return n == 4 || mgpu_dpm_file_fail (file, "%s has %u coefficients, but it "
      "needs 4", name, n);
}
