/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the tag families that the library contains. */
#include "../suite.h"

#include <string.h>

#include <gst/vision/tags/dictionary.h>

/* Number of codes up to which all pairs of codes of a family are compared. Of larger families, this
 * number of codes is compared with all other codes. */
#define ALL 2500
#define SOME 60

/* Families, and the first and last code of each in the layout of AprilTag 3 */
static const struct
{
  const gchar *name;
  guint n_bits, distance, border, width;
  gboolean is_white;
  guint n_codes;
  guint64 first, last;
} known[] = {
  {"tagAruco4x4_100", 16, 3, 6, 8, FALSE, 100, 0xbe50, 0x68e5},
  {"tagAruco4x4_1000", 16, 2, 6, 8, FALSE, 1000, 0xbe50, 0xfffc},
  {"tagAruco4x4_250", 16, 3, 6, 8, FALSE, 250, 0xbe50, 0x7692},
  {"tagAruco4x4_50", 16, 4, 6, 8, FALSE, 50, 0xbe50, 0x4ac0},
  {"tagAruco5x5_100", 25, 7, 7, 9, FALSE, 100, 0x152c6e3, 0x53b7e0},
  {"tagAruco5x5_1000", 25, 5, 7, 9, FALSE, 1000, 0x152c6e3, 0x1fe5661},
  {"tagAruco5x5_250", 25, 6, 7, 9, FALSE, 250, 0x152c6e3, 0x15dac7},
  {"tagAruco5x5_50", 25, 8, 7, 9, FALSE, 50, 0x152c6e3, 0xff1de7},
  {"tagAruco6x6_100", 36, 12, 8, 10, FALSE, 100, 0x187359537, 0x59db9027b},
  {"tagAruco6x6_1000", 36, 9, 8, 10, FALSE, 1000, 0x187359537, 0xfbe4bfb57},
  {"tagAruco6x6_250", 36, 11, 8, 10, FALSE, 250, 0x187359537, 0x7026405e7},
  {"tagAruco6x6_50", 36, 13, 8, 10, FALSE, 50, 0x187359537, 0x97924acf5},
  {"tagAruco7x7_100", 49, 18, 9, 11, FALSE, 100, 0x1baac5d5162e1,
      0x17705fad153a0},
  {"tagAruco7x7_1000", 49, 14, 9, 11, FALSE, 1000, 0x1baac5d5162e1,
      0x1cf5833fd8395},
  {"tagAruco7x7_250", 49, 17, 9, 11, FALSE, 250, 0x1baac5d5162e1,
      0x1da5ee84cbec2},
  {"tagAruco7x7_50", 49, 19, 9, 11, FALSE, 50, 0x1baac5d5162e1, 0xe575f5c45142},
  {"tagArucoMIP36h12", 36, 12, 8, 10, FALSE, 250, 0xd2a2af057, 0x4d79815ad},
  {"tag16h5", 16, 5, 6, 8, FALSE, 30, 0x27c8, 0xb57a},
  {"tag25h9", 25, 9, 7, 9, FALSE, 35, 0x156f1f4, 0xa64f8d},
  {"tag36h10", 36, 10, 8, 10, FALSE, 2320, 0x1a42f9469, 0xd9f564f30},
  {"tag36h11", 36, 11, 8, 10, FALSE, 587, 0xd7e00984b, 0xe8b772fe0},
  {"tagCircle21h7", 21, 7, 5, 9, TRUE, 38, 0x157863, 0x1ec1e3},
  {"tagCircle49h12", 49, 12, 5, 11, TRUE, 65535, 0xc6c921d8614a,
      0x1e520c2997b43},
  {"tagCustom48h12", 48, 12, 6, 10, TRUE, 42211, 0xd6c8ae76dff0,
      0x18bccac8b0f5},
  {"tagStandard41h12", 41, 12, 5, 9, TRUE, 2115, 0x1bd8a64ad10, 0x1ee40155a64},
  {"tagStandard52h13", 52, 13, 6, 10, TRUE, 48714, 0x4064a19651ff1,
      0xcdc7a163acc66},
};

static guint
get_distance (guint64 a, guint64 b)
{
  return __builtin_popcountll (a ^ b);
}

/* Tests that each family equals the family of AprilTag 3: sizes, layout and codes. */
GST_START_TEST (tables)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    g_autoptr (MgpuTagDictionary) family =
        mgpu_tag_dictionary_find (known[i].name);

    fail_unless (family != NULL, "%s", known[i].name);
    fail_unless_equals_string (family->name, known[i].name);
    fail_unless_equals_int (family->n_bits, known[i].n_bits);
    fail_unless_equals_int (family->distance, known[i].distance);
    fail_unless_equals_int (family->border, known[i].border);
    fail_unless_equals_int (family->width, known[i].width);
    fail_unless_equals_int (family->is_white, known[i].is_white);
    fail_unless_equals_int (family->n_codes, known[i].n_codes);
    fail_unless_equals_uint64 (family->codes[0], known[i].first);
    fail_unless_equals_uint64 (family->codes[family->n_codes - 1],
        known[i].last);
  }
}

GST_END_TEST;

/* Tests that the cells of the bits differ, are not part of the border, and map to each other when
 * the tag is rotated. */
GST_START_TEST (layouts)
{
  g_auto (GStrv) names = mgpu_tag_dictionary_list ();

  for (guint f = 0; names[f] != NULL; f++) {
    g_autoptr (MgpuTagDictionary) family = mgpu_tag_dictionary_find (names[f]);
    gint last = family->border - 1;
    gint outside = (gint) (family->width - family->border) / 2;
    guint64 code = family->codes[0];

    for (guint i = 0; i < family->n_bits; i++) {
      gint x = family->x[i], y = family->y[i];

      for (guint k = 0; k < i; k++)
        if (family->x[k] == x && family->y[k] == y)
          fail ("%s: two bits in one cell", names[f]);
      fail_unless (MIN (x, y) >= -outside && MAX (x, y) <= last + outside);
      /* Checks that no bit is in the border itself or in the ring of the other color around it. */
      fail_if (MIN (x, y) >= -1 && MAX (x, y) <= last + 1
          && (MIN (x, y) <= 0 || MAX (x, y) >= last), "%s: %d %d", names[f], x,
          y);
    }
    for (guint quarters = 0; quarters < 4; quarters++)
      code = mgpu_tag_dictionary_turn (family, code, 1);
    fail_unless_equals_uint64 (code, family->codes[0]);
    fail_unless_equals_uint64 (mgpu_tag_dictionary_turn (family, code, 3),
        mgpu_tag_dictionary_turn (family, mgpu_tag_dictionary_turn (family,
                code, 1), 2));
  }
}

GST_END_TEST;

/* Returns the minimum Hamming distance of the code with the index @i, in any orientation, from
 * other codes and from itself rotated. */
static guint
measure_code (const MgpuTagDictionary * family, guint i)
{
  guint least = family->n_bits;

  for (guint quarters = 0; quarters < 4; quarters++) {
    guint64 code =
        mgpu_tag_dictionary_turn (family, family->codes[i], quarters);

    for (guint k = 0; k < family->n_codes; k++)
      if (k != i || quarters > 0)
        least = MIN (least, get_distance (code, family->codes[k]));
  }
  return least;
}

/* Tests that codes differ, in any orientation, by at least the Hamming distance in the family's
 * name. */
GST_START_TEST (distances)
{
  g_auto (GStrv) names = mgpu_tag_dictionary_list ();

  for (guint f = 0; names[f] != NULL; f++) {
    g_autoptr (MgpuTagDictionary) family = mgpu_tag_dictionary_find (names[f]);
    guint said = family->distance;

    if (family->n_codes <= ALL) {
      mgpu_tag_dictionary_measure (family);
      fail_unless (family->distance == said, "%s: %u, not %u", names[f],
          family->distance, said);
      continue;
    }
    for (guint s = 0; s < SOME; s++) {
      guint i = (guint64) s * (family->n_codes - 1) / (SOME - 1);

      fail_unless (measure_code (family, i) >= said, "%s: %u", names[f], i);
    }
  }
}

GST_END_TEST;

/* Tests a tag that is rotated by a quarter turn: its upper left cell is read at the upper right. */
GST_START_TEST (turns)
{
  g_autoptr (MgpuTagDictionary) family = mgpu_tag_dictionary_find ("tag16h5");

  for (guint i = 0; i < family->n_bits; i++) {
    guint64 turned = mgpu_tag_dictionary_turn (family,
        G_GUINT64_CONSTANT (1) << (family->n_bits - 1 - i), 1);
    guint k = family->n_bits - 1 - (guint) __builtin_ctzll (turned);

    fail_unless_equals_int (__builtin_popcountll (turned), 1);
    fail_unless_equals_int (family->x[k],
        (gint) family->border - 1 - family->y[i]);
    fail_unless_equals_int (family->y[k], family->x[i]);
  }
}

GST_END_TEST;

GST_START_TEST (names)
{
  static const gchar *const pairs[][2] = {
    {"DICT_4X4_50", "tagAruco4x4_50"}, {"DICT_7X7_1000", "tagAruco7x7_1000"},
    {"DICT_ARUCO_ORIGINAL", "tagArucoOriginal"},
    {"DICT_ARUCO_MIP_36h12", "tagArucoMIP36h12"},
    {"DICT_APRILTAG_36h11", "tag36h11"}, {"DICT_APRILTAG_36h11b2", "tag36h11b2"}
  };
  static const gchar *const wrong[] = { "", "tag", "tag36h1", "DICT_", "36h11",
    "tagAruco4x4_51", "tagAruco4x4", "b2", "tagStandard41h12b2",
    "tag36h11b2b2b2b2"
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_autoptr (MgpuTagDictionary) family =
        mgpu_tag_dictionary_find (pairs[i][0]);

    fail_unless (family != NULL, "%s", pairs[i][0]);
    fail_unless_equals_string (family->name, pairs[i][1]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    fail_unless (mgpu_tag_dictionary_find (wrong[i]) == NULL, "%s", wrong[i]);
  {
    g_autoptr (MgpuTagDictionary) thin = mgpu_tag_dictionary_find ("tag36h11");
    g_autoptr (MgpuTagDictionary) thick =
        mgpu_tag_dictionary_find ("tag36h11b2");

    fail_unless (thick->border == 10 && thick->width == 12);
    fail_unless (thick->x[0] == thin->x[0] + 1
        && thick->y[5] == thin->y[5] + 1);
    fail_unless_equals_uint64 (mgpu_tag_dictionary_turn (thick, thin->codes[9],
            1), mgpu_tag_dictionary_turn (thin, thin->codes[9], 1));
  }
  {
    g_autoptr (MgpuTagDictionary) whole =
        mgpu_tag_dictionary_find ("tagAruco6x6_1000");
    g_autoptr (MgpuTagDictionary) part =
        mgpu_tag_dictionary_find ("tagAruco6x6_250");
    g_autoptr (MgpuTagDictionary) copy = mgpu_tag_dictionary_copy (part);

    fail_unless (memcmp (whole->codes, copy->codes, 250 * sizeof (guint64))
        == 0);
    fail_unless_equals_string (copy->name, "tagAruco6x6_250");
  }
}

GST_END_TEST;

CHECK_TESTS (mgputagdictionary)
{
  tcase_add_test (tc, tables);
  tcase_add_test (tc, layouts);
  tcase_add_test (tc, distances);
  tcase_add_test (tc, turns);
  tcase_add_test (tc, names);
}
