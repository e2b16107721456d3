/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of bits of a code */
#define MGPU_TAG_MAX_BITS 64

/* Holds a family of tags: squares of cells with a border, and the codes of their cells. */
typedef struct
{
  gchar *name;
  guint n_bits;                 /* number of bits of a code, up to MGPU_TAG_MAX_BITS */
  guint distance;               /* minimum Hamming distance between two codes in any orientation,
                                 * and between a code and its own rotations */
  guint border;                 /* width of the border square in cells, including the border */
  guint width;                  /* width of the tag in cells, including bits outside the border */
  gboolean is_white;            /* whether the border is white, and the margin around it black */
  /* Cell of each bit, beginning with the most significant bit of a code: column and row relative to
   * the upper left cell of the border; negative for cells left of or above the border. A set bit is
   * a white cell. */
  gint8 x[MGPU_TAG_MAX_BITS], y[MGPU_TAG_MAX_BITS];
  guint n_codes;
  guint64 *codes;               /* code of each id */
} MgpuTagDictionary;

/* Returns: (transfer full) (nullable): the family @name, which is one of AprilTag 3, such as
 * tag36h11, one of ArUco, such as tagAruco4x4_50, or OpenCV's name of one of these, such as
 * DICT_4X4_50. With the suffix b2, as in tag36h11b2, the black border is two cells wide, as on
 * Kalibr's boards. NULL if there is none */
MgpuTagDictionary * mgpu_tag_dictionary_find (const gchar * name);

/* Returns: (transfer full): a copy of @family */
MgpuTagDictionary * mgpu_tag_dictionary_copy (const MgpuTagDictionary * family);

void mgpu_tag_dictionary_free (MgpuTagDictionary * family);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MgpuTagDictionary, mgpu_tag_dictionary_free)

/* Returns: (transfer full): names of all families, beginning with the families of AprilTag */
GStrv mgpu_tag_dictionary_list (void);

/* Returns: the code that is read from a tag with the code @code of @family after a clockwise
 * rotation by @quarters * 90 degrees */
guint64 mgpu_tag_dictionary_turn (const MgpuTagDictionary * family, guint64 code, guint quarters);

/* Sets the member @distance of @family to the minimum distance of its codes. Compares all pairs of
 * codes. */
void mgpu_tag_dictionary_measure (MgpuTagDictionary * family);

G_END_DECLS
