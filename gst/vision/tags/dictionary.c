/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the families of tags that the library contains: see tests/tools/tag-dictionaries.py. */
#include "dictionary.h"

#include <gio/gio.h>
#include <string.h>

#include "mgpu-tags.h"

/* Difference between successive codes that were tried when a family was generated */
#define STEP 982451653u

/* Suffix of the names of families with a border of two cells, as Kalibr prints them */
#define THICK "b2"

/* Size, in bytes, of the numbers that follow the name of a family in a table */
#define N_NUMBERS 9

/* Maximum number of cells from edge to edge of a border */
#define MAX_BORDER 14

/* Families whose codes are the first codes of another family */
static const struct
{
  const gchar *name, *whole;
  guint n_codes, distance;
} parts[] = {
  {"tagAruco4x4_50", "tagAruco4x4_1000", 50, 4},
  {"tagAruco4x4_100", "tagAruco4x4_1000", 100, 3},
  {"tagAruco4x4_250", "tagAruco4x4_1000", 250, 3},
  {"tagAruco5x5_50", "tagAruco5x5_1000", 50, 8},
  {"tagAruco5x5_100", "tagAruco5x5_1000", 100, 7},
  {"tagAruco5x5_250", "tagAruco5x5_1000", 250, 6},
  {"tagAruco6x6_50", "tagAruco6x6_1000", 50, 13},
  {"tagAruco6x6_100", "tagAruco6x6_1000", 100, 12},
  {"tagAruco6x6_250", "tagAruco6x6_1000", 250, 11},
  {"tagAruco7x7_50", "tagAruco7x7_1000", 50, 19},
  {"tagAruco7x7_100", "tagAruco7x7_1000", 100, 18},
  {"tagAruco7x7_250", "tagAruco7x7_1000", 250, 17}
};

/* ---- The tables ------------------------------------------------------------------- */

/* Reads the number at *@from in the table, which is stored in groups of 7 bits, lowest first.
 * Returns: the number */
static guint64
read_number (const guint8 ** from)
{
  guint64 number = 0;
  guint shift = 0;

  do {
    number |= (guint64) (**from & 127) << shift;
    shift += 7;
  } while (*(*from)++ & 128);
  return number;
}

static guint64
get_mask (const MgpuTagDictionary * family)
{
  return G_MAXUINT64 >> (64 - family->n_bits);
}

/* Returns: the numbers of the family at @at, which follow its name: number of bits, minimum
 * distance, width of the border, width of the tag, whether the border is white, and four bytes of
 * the number of codes */
static const guint8 *
get_numbers (const guint8 * at)
{
  return at + 1 + *at;
}

static guint
get_n_codes (const guint8 * numbers)
{
  guint32 n_codes;

  memcpy (&n_codes, numbers + 5, sizeof (n_codes));
  return GUINT32_FROM_LE (n_codes);
}

/* Reads the family at @at. */
static MgpuTagDictionary *
read_family (const guint8 * at)
{
  MgpuTagDictionary *self = g_new0 (MgpuTagDictionary, 1);
  guint64 code = 0;

  self->name = g_strndup ((const gchar *) at + 1, *at);
  at = get_numbers (at);
  self->n_bits = at[0];
  self->distance = at[1];
  self->border = at[2];
  self->width = at[3];
  self->is_white = at[4];
  self->n_codes = get_n_codes (at);
  at += N_NUMBERS;
  for (guint i = 0; i < self->n_bits; i++) {
    self->x[i] = (gint8) * at++;
    self->y[i] = (gint8) * at++;
  }
  self->codes = g_new (guint64, self->n_codes);
  for (guint i = 0; i < self->n_codes; i++) {
    code = (code + read_number (&at) * STEP) & get_mask (self);
    self->codes[i] = code;
  }
  return self;
}

/* Returns: the end of the family at @at, where the next family begins */
static const guint8 *
skip_family (const guint8 * at)
{
  const guint8 *numbers = get_numbers (at);

  at = numbers + N_NUMBERS + 2 * numbers[0];
  for (guint i = get_n_codes (numbers); i > 0; i--)
    read_number (&at);
  return at;
}

/* Adds to @families the position of each family of the table in @file. */
static void
add_table (GPtrArray * families, const gchar * file)
{
  gchar *path = g_strconcat ("/org/gst-mgpu/tags/", file, NULL);
  GBytes *bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE,
      NULL);
  gsize size;
  const guint8 *at = g_bytes_get_data (bytes, &size), *end = at + size;

  for (; at < end; at = skip_family (at))
    g_ptr_array_add (families, (gpointer) at);
  /* Does not copy the table, because it is a part of the library, and is never freed. */
  g_bytes_unref (bytes);
  g_free (path);
}

/* Returns: (transfer none): the positions of all families in the tables, AprilTag families first.
 * The first call finds the positions, which takes as long as reading all families */
static const GPtrArray *
get_families (void)
{
  static gsize once;

  if (g_once_init_enter (&once)) {
    GPtrArray *families = g_ptr_array_new ();

    /* Makes the linker keep the tables. */
    mgpu_tags_get_resource ();
    add_table (families, "apriltag.bin");
    add_table (families, "aruco.bin");
    g_once_init_leave (&once, (gsize) families);
  }
  return (const GPtrArray *) once;
}

/* Returns: (transfer full) (nullable): the family @name of the tables */
static MgpuTagDictionary *
find (const gchar * name)
{
  const GPtrArray *families = get_families ();
  gsize length = strlen (name);

  for (guint i = 0; i < families->len; i++) {
    const guint8 *at = families->pdata[i];

    if (*at == length && memcmp (at + 1, name, length) == 0)
      return read_family (at);
  }
  return NULL;
}

/* ---- Names ------------------------------------------------------------------------- */

/* Returns: (transfer full): the AprilTag name of the family that OpenCV calls @name; a copy of
 * @name if OpenCV has no such name */
static gchar *
translate (const gchar * name)
{
  gchar *lower, *result;

  if (g_str_has_prefix (name, "DICT_APRILTAG_"))
    return g_strconcat ("tag", name + strlen ("DICT_APRILTAG_"), NULL);
  if (strcmp (name, "DICT_ARUCO_ORIGINAL") == 0)
    return g_strdup ("tagArucoOriginal");
  if (strcmp (name, "DICT_ARUCO_MIP_36h12") == 0)
    return g_strdup ("tagArucoMIP36h12");
  if (!g_str_has_prefix (name, "DICT_"))
    return g_strdup (name);
  lower = g_ascii_strdown (name + strlen ("DICT_"), -1);
  result = g_strconcat ("tagAruco", lower, NULL);
  g_free (lower);
  return result;
}

/* Returns: (transfer full) (nullable): the family @name with a border of one cell */
static MgpuTagDictionary *
find_thin (const gchar * name)
{
  gchar *here = translate (name);
  const gchar *whole = here;
  MgpuTagDictionary *self;
  guint part;

  for (part = 0; part < G_N_ELEMENTS (parts); part++)
    if (strcmp (parts[part].name, here) == 0)
      break;
  if (part < G_N_ELEMENTS (parts))
    whole = parts[part].whole;
  self = find (whole);
  if (self != NULL && whole != here) {
    g_free (self->name);
    self->name = g_strdup (here);
    self->n_codes = parts[part].n_codes;
    self->distance = parts[part].distance;
  }
  g_free (here);
  return self;
}

/* Makes the border of @self a cell thicker. */
static void
thicken (MgpuTagDictionary * self)
{
  gchar *name = g_strconcat (self->name, THICK, NULL);

  g_free (self->name);
  self->name = name;
  self->border += 2;
  self->width += 2;
  for (guint i = 0; i < self->n_bits; i++) {
    self->x[i]++;
    self->y[i]++;
  }
}

MgpuTagDictionary *
mgpu_tag_dictionary_find (const gchar * name)
{
  if (g_str_has_suffix (name, THICK)) {
    gchar *thin = g_strndup (name, strlen (name) - strlen (THICK));
    MgpuTagDictionary *self = mgpu_tag_dictionary_find (thin);

    g_free (thin);
    /* Refuses a thick white border if the family has bits outside the border, because these bits
     * would lie in the margin of the border. */
    if (self != NULL && (self->is_white || self->border + 2 > MAX_BORDER))
      g_clear_pointer (&self, mgpu_tag_dictionary_free);
    if (self != NULL)
      thicken (self);
    return self;
  }
  return find_thin (name);
}

GStrv
mgpu_tag_dictionary_list (void)
{
  const GPtrArray *families = get_families ();
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < families->len; i++) {
    const guint8 *at = families->pdata[i];

    g_ptr_array_add (names, g_strndup ((const gchar *) at + 1, *at));
  }
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_ptr_array_add (names, g_strdup (parts[i].name));
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (names, FALSE);
}

MgpuTagDictionary *
mgpu_tag_dictionary_copy (const MgpuTagDictionary * family)
{
  MgpuTagDictionary *copy = g_memdup2 (family, sizeof (*family));

  copy->name = g_strdup (family->name);
  copy->codes = g_memdup2 (family->codes,
      family->n_codes * sizeof (*family->codes));
  return copy;
}

void
mgpu_tag_dictionary_free (MgpuTagDictionary * family)
{
  g_free (family->name);
  g_free (family->codes);
  g_free (family);
}

/* ---- Distances --------------------------------------------------------------------- */

/* Sets from[i] to the bit that a clockwise rotation by 90 degrees moves to the cell of bit i. */
static void
find_turn (const MgpuTagDictionary * self, guint8 from[MGPU_TAG_MAX_BITS])
{
  gint last = self->border - 1;

  for (guint i = 0; i < self->n_bits; i++)
    for (guint k = 0; k < self->n_bits; k++)
      if (self->x[k] == self->y[i] && self->y[k] == last - self->x[i])
        from[i] = k;
}

static guint64
turn (const MgpuTagDictionary * self, const guint8 from[MGPU_TAG_MAX_BITS],
    guint64 code)
{
  guint64 turned = 0;

  for (guint i = 0; i < self->n_bits; i++)
    turned = turned << 1 | (code >> (self->n_bits - 1 - from[i]) & 1);
  return turned;
}

guint64
mgpu_tag_dictionary_turn (const MgpuTagDictionary * self, guint64 code,
    guint quarters)
{
  guint8 from[MGPU_TAG_MAX_BITS] = { 0 };

  find_turn (self, from);
  for (quarters &= 3; quarters > 0; quarters--)
    code = turn (self, from, code);
  return code;
}

void
mgpu_tag_dictionary_measure (MgpuTagDictionary * self)
{
  guint8 from[MGPU_TAG_MAX_BITS] = { 0 };
  guint least = self->n_bits;

  find_turn (self, from);
  for (guint i = 0; i < self->n_codes; i++) {
    guint64 code = self->codes[i];

    for (guint quarters = 0; quarters < 4; quarters++) {
      for (guint k = quarters == 0 ? i + 1 : i; k < self->n_codes; k++)
        least = MIN (least, (guint) __builtin_popcountll (code
                ^ self->codes[k]));
      code = turn (self, from, code);
    }
  }
  self->distance = least;
}
