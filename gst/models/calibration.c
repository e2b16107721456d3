/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads cameras from calibration files, and checks what they say. */
#include "calibration-private.h"

#include <math.h>
#include <string.h>

/* Largest size of a calibration file, in bytes */
#define MAX_SIZE (1 << 20)

/* Largest difference from 0 or 1 of the products of the rows of a rotation */
#define MAX_SKEW 1e-3

/* Describes a camera in a file: its name, and how its values are found. */
typedef struct
{
  const MgpuTree *where;        /* what has its values */
  const gchar *matrix;          /* in files of OpenCV, name of the camera matrix without suffix */
  gchar suffix[2];              /* "1" to "9", or "" */
  gchar *name;
} Entry;

/* Names of the camera matrix in files of OpenCV */
static const gchar *const matrices[] = {
  "camera_matrix", "cameraMatrix", "Camera_Matrix", "K", "M", NULL
};

/* ---- Numbers ------------------------------------------------------------------- */

/* Finds the numbers of a value: those of a matrix are in its value "data".
 * Returns: the value with the numbers; NULL with the error set */
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
  mgpu_dpm_file_fail (file, "%s has %u numbers, and %d rows and %d columns",
      tree->name, *n, rows, cols);
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
    mgpu_dpm_file_fail (file, "%s has %u numbers, and needs %u to %u",
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
    return mgpu_dpm_file_fail (file, "%s is not a camera matrix without skew: "
        "fx 0 cx, 0 fy cy, 0 0 1", tree->name);
  camera->focal[0] = m[0];
  camera->focal[1] = m[4];
  camera->centre[0] = m[2];
  camera->centre[1] = m[5];
  return TRUE;
}

/* Tells whether the rows of @m are at right angles and have the length 1. */
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
    calibration->has_turn = TRUE;
  }
  if (projection != NULL) {
    if (mgpu_calibration_read_numbers (file, projection, 12, 12, p) == 0)
      return FALSE;
    if (!(p[0] > 0 && p[5] > 0))
      return mgpu_dpm_file_fail (file, "%s: focal lengths are %g and %g, and "
          "have to be above 0", projection->name, p[0], p[5]);
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
        || mgpu_dpm_file_fail (file, "%s has %u coefficients, and needs 4, 5, "
        "8, 12 or 14", name, n);
  return n == 4 || mgpu_dpm_file_fail (file, "%s has %u coefficients, and "
      "needs 4", name, n);
}

static gboolean
check_camera (const MgpuDpmFile * file, const MgpuCalibration * calibration)
{
  static const gchar *const axes[] = { "x", "y" };
  const MgpuCamera *camera = &calibration->camera;
  const gint sizes[2] = { camera->width, camera->height };

  for (guint i = 0; i < 2; i++) {
    if (!(camera->focal[i] > 0))
      return mgpu_dpm_file_fail (file, "%s: the focal length f%s is %g, and "
          "has to be above 0", calibration->name, axes[i], camera->focal[i]);
    if (sizes[i] > 0
        && fabs (camera->centre[i]) > MGPU_CALIBRATION_FAR * sizes[i])
      return mgpu_dpm_file_fail (file, "%s: the centre c%s is %g, which is too "
          "far from a frame of %dx%d", calibration->name, axes[i],
          camera->centre[i], sizes[0], sizes[1]);
  }
  return (sizes[0] > 0) == (sizes[1] > 0)
      || mgpu_dpm_file_fail (file, "%s: the width or the height is missing",
      calibration->name);
}

/* ---- Which camera ---------------------------------------------------------------- */

static void
entry_clear (Entry * entry)
{
  g_free (entry->name);
}

static void
add_entry (GArray * entries, const MgpuTree * where, const gchar * matrix,
    const gchar * suffix, const gchar * name)
{
  Entry entry = {.where = where,.matrix = matrix,.name = g_strdup (name) };

  g_strlcpy (entry.suffix, suffix, sizeof (entry.suffix));
  g_array_append_val (entries, entry);
}

/* Lists the cameras in @root. */
static void
find_entries (const MgpuTree * root, GArray * entries)
{
  for (guint i = 0; i < root->children->len; i++) {
    const MgpuTree *child = g_ptr_array_index (root->children, i);

    if (mgpu_tree_find (child, "camera_model") != NULL)
      add_entry (entries, child, NULL, "", child->name);
  }
  if (entries->len > 0)
    return;
  if (mgpu_tree_find (root, "distortion_model") != NULL) {
    const MgpuTree *name = mgpu_tree_find (root, "camera_name");

    add_entry (entries, root, NULL, "",
        name != NULL ? name->text->str : "camera");
    return;
  }
  for (guint k = 0; k < 10; k++)
    for (guint i = 0; matrices[i] != NULL; i++) {
      const gchar suffix[2] = { k == 0 ? '\0' : '0' + k, '\0' };
      g_autofree gchar *name = g_strconcat (matrices[i], suffix, NULL);

      if (mgpu_tree_find (root, name) != NULL) {
        add_entry (entries, root, matrices[i], suffix, name);
        break;
      }
    }
}

/* Tells whether @camera is the name of @entry, the number with which the name ends, or left
 * or right for entry 0 or 1. */
static gboolean
is_chosen (const Entry * entry, guint index, const gchar * camera)
{
  const gchar *number = entry->name + strlen (entry->name);

  while (number > entry->name && g_ascii_isdigit (number[-1]))
    number--;
  return strcmp (camera, entry->name) == 0
      || (*number != '\0' && strcmp (camera, number) == 0)
      || (index == 0 && strcmp (camera, "left") == 0)
      || (index == 1 && strcmp (camera, "right") == 0);
}

/* Returns: the entry that @camera chooses; NULL with the error set */
static const Entry *
choose_entry (const MgpuDpmFile * file, GArray * entries, const gchar * camera)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < entries->len; i++) {
    const Entry *entry = &g_array_index (entries, Entry, i);

    if (camera == NULL || is_chosen (entry, i, camera))
      return entry;
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", entry->name);
  }
  if (entries->len == 0)
    mgpu_dpm_file_fail (file, "not a calibration: there is no camera_matrix, "
        "cameraMatrix, K, M1, distortion_model or cam0");
  else
    mgpu_dpm_file_fail (file, "there is no camera \"%s\": the file has %s",
        camera, names->str);
  return NULL;
}

static gboolean
read_entry (const MgpuDpmFile * file, const Entry * entry,
    MgpuCalibration * calibration)
{
  if (entry->matrix != NULL)
    return mgpu_calibration_read_opencv (file, entry->where, entry->matrix,
        entry->suffix, calibration);
  if (mgpu_tree_find (entry->where, "camera_model") != NULL)
    return mgpu_calibration_read_kalibr (file, entry->where, calibration);
  return mgpu_calibration_read_ros (file, entry->where, calibration);
}

/* Returns: (transfer full): the content of the file; NULL with the error set */
static MgpuTree *
read_tree (const MgpuDpmFile * file)
{
  GMappedFile *mapped = mgpu_dpm_file_open (file);
  MgpuTree *root = NULL;
  gsize length;

  if (mapped == NULL)
    return NULL;
  length = g_mapped_file_get_length (mapped);
  if (length > MAX_SIZE)
    mgpu_dpm_file_fail (file, "not a calibration: the file has more than %d "
        "MiB", MAX_SIZE >> 20);
  else
    root = mgpu_tree_read (file, g_mapped_file_get_contents (mapped), length);
  g_mapped_file_unref (mapped);
  return root;
}

MgpuCalibration *
mgpu_calibration_load (const gchar * path, const gchar * camera,
    GError ** error)
{
  const MgpuDpmFile file = { path, error };
  g_autoptr (MgpuTree) root = read_tree (&file);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  MgpuCalibration *calibration = NULL;
  const Entry *entry;

  g_array_set_clear_func (entries, (GDestroyNotify) entry_clear);
  if (root == NULL)
    return NULL;
  find_entries (root, entries);
  if ((entry = choose_entry (&file, entries, camera)) == NULL)
    return NULL;
  calibration = g_new0 (MgpuCalibration, 1);
  calibration->name = g_utf8_make_valid (entry->name, -1);
  calibration->camera.beta = 1;
  if (!read_entry (&file, entry, calibration)
      || !check_camera (&file, calibration))
    g_clear_pointer (&calibration, mgpu_calibration_free);
  return calibration;
}

void
mgpu_calibration_free (MgpuCalibration * calibration)
{
  g_free (calibration->name);
  g_free (calibration);
}
