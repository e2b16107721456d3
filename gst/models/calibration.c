/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads cameras from calibration files, and checks their values. */
#include "calibration-private.h"

#include <math.h>
#include <string.h>

/* Describes a camera in a file: its name, and where its values are in the file. */
typedef struct
{
  const MgpuTree *where;        /* subtree of the file that contains the values of the camera */
  const gchar *matrix;          /* in files of OpenCV, name of the camera matrix without suffix */
  gchar suffix[2];              /* suffix of the camera matrix in files of OpenCV: "1" to "9", or
                                 * "" */
  gchar *name;
} Entry;

/* Names of the camera matrix in files of OpenCV */
static const gchar *const matrices[] = {
  "camera_matrix", "cameraMatrix", "Camera_Matrix", "K", "M", NULL
};

static gboolean
check_camera (const MgpuDpmFile * file, const MgpuCalibration * calibration)
{
  static const gchar *const axes[] = { "x", "y" };
  const MgpuCamera *camera = &calibration->camera;
  const gint sizes[2] = { camera->width, camera->height };

  for (guint i = 0; i < 2; i++) {
    if (!(camera->focal[i] > 0))
      return mgpu_dpm_file_fail (file, "%s: the focal length f%s is %g, but it "
          "has to be above 0", calibration->name, axes[i], camera->focal[i]);
    if (sizes[i] > 0
        && fabs (camera->centre[i]) > MGPU_CALIBRATION_FAR * sizes[i])
      return mgpu_dpm_file_fail (file, "%s: the center c%s is %g, which is too "
          "far from a frame of %dx%d", calibration->name, axes[i],
          camera->centre[i], sizes[0], sizes[1]);
  }
  return (sizes[0] > 0) == (sizes[1] > 0)
      || mgpu_dpm_file_fail (file, "%s: the width or the height is missing",
      calibration->name);
}

/* ---- Choice of the camera ---------------------------------------------------------------- */

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

/* Returns: whether @camera is the name of @entry, the number at the end of this name, or "left" or
 * "right" for entry 0 or 1 */
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
    mgpu_dpm_file_fail (file, "the file is not a calibration, because it has "
        "no camera_matrix, cameraMatrix, K, M1, distortion_model or cam0");
  else
    mgpu_dpm_file_fail (file, "the file has no camera \"%s\", but only %s",
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

MgpuCalibration *
mgpu_calibration_load (const gchar * path, const gchar * camera,
    GError ** error)
{
  const MgpuDpmFile file = { path, error };
  g_autoptr (MgpuTree) root = mgpu_tree_load (&file);
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
