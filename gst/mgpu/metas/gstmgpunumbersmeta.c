/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpunumbersmeta
 * @title: GstMgpuNumbersMeta
 * @short_description: lists of numbers that were computed from a frame
 */
#include <gst/mgpu/gstmgpunumbersmeta.h>

#include "gstmgpumeta-private.h"
#include <gst/mgpu/gstmgpuenum-private.h>

#include <string.h>

/* Size of a number of any type, in bytes */
#define NUMBER_SIZE 4
G_STATIC_ASSERT (sizeof (gint32) == NUMBER_SIZE);
G_STATIC_ASSERT (sizeof (gfloat) == NUMBER_SIZE);

typedef struct
{
  gchar *name;
  GstMgpuNumbersType type;
  guint n;
  GstBuffer *numbers;           /* buffer with one memory, which may contain more than this list */
  gsize offset;                 /* offset of the list in @numbers, in bytes */
} List;

/* The lists of a frame, in the order in which they were added. All copies of a GstMgpuNumbersMeta
 * share the lists; therefore the lists do not change after they were attached. */
struct _GstMgpuNumbersTables
{
  GstMiniObject parent;
  GArray *lists;
};

static const GEnumValue number_types[] = {
  {GST_MGPU_NUMBERS_TYPE_INT, "32-bit integers", "int"},
  {GST_MGPU_NUMBERS_TYPE_FLOAT, "32-bit floats", "float"},
  {0, NULL, NULL}
};

/**
 * gst_mgpu_numbers_type_get_type:
 *
 * Registers #GstMgpuNumbersType on the first call.
 *
 * Returns: the type that #GST_TYPE_MGPU_NUMBERS_TYPE stands for
 *
 * Since: 1.1
 */
GST_MGPU_DEFINE_ENUM (GstMgpuNumbersType, gst_mgpu_numbers_type, number_types);

static void
clear_list (gpointer data)
{
  List *list = data;

  g_free (list->name);
  gst_buffer_unref (list->numbers);
}

static void
tables_free (GstMiniObject * object)
{
  g_array_unref (((GstMgpuNumbersTables *) object)->lists);
  g_free (object);
}

/* Copies the meta if the whole frame was copied, and also if the content of the frame was cropped,
 * rotated or scaled. */
static gboolean
numbers_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  GstMgpuMetaTransform moved;

  if (!GST_MGPU_META_TRANSFORM_IS_MAP (type)
      && !gst_mgpu_meta_transform_parse (&moved, type, data))
    return gst_mgpu_meta_pass_on (dest, meta, buffer, type, data);
  gst_mgpu_meta_add (dest, meta->info,
      gst_mini_object_ref (((GstMgpuMeta *) meta)->tables));
  return TRUE;
}

/**
 * gst_mgpu_numbers_meta_api_get_type:
 *
 * Registers the API of #GstMgpuNumbersMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_NUMBERS_META_API_TYPE stands for
 *
 * Since: 1.1
 */
/**
 * gst_mgpu_numbers_meta_get_info: (skip)
 *
 * Registers #GstMgpuNumbersMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.1
 */
/* Sets no tags, so that elements which do not know this meta copy it to every frame that they
 * make. */
GST_MGPU_DEFINE_META (GstMgpuNumbersMeta, gst_mgpu_numbers_meta,
    numbers_meta_transform, NULL);

/* Copies the lists of @buffer, except one with the name @name. Returns: (transfer full): the lists,
 * to which the caller appends a list, and which it then attaches */
static GstMgpuNumbersTables *
copy_others (GstBuffer * buffer, const gchar * name)
{
  GstMgpuNumbersMeta *old = gst_buffer_get_mgpu_numbers_meta (buffer);
  GstMgpuNumbersTables *tables =
      gst_mgpu_tables_new (sizeof (*tables), tables_free);

  tables->lists = g_array_new (FALSE, FALSE, sizeof (List));
  g_array_set_clear_func (tables->lists, clear_list);
  for (guint i = 0; old != NULL && i < old->tables->lists->len; i++) {
    List list = g_array_index (old->tables->lists, List, i);

    if (strcmp (list.name, name) == 0)
      continue;
    list.name = g_strdup (list.name);
    gst_buffer_ref (list.numbers);
    g_array_append_val (tables->lists, list);
  }
  return tables;
}

/**
 * gst_buffer_add_mgpu_numbers_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @name: name of the list
 * @type: type of the numbers
 * @n: number of @numbers
 * @numbers: (transfer full): a buffer with one memory that has the numbers, usually a
 *   #GstMgpuMemory; the device may still be computing them
 * @offset: offset of the first number in this memory, in bytes
 *
 * Adds a list of numbers to a frame. Keeps lists of other names; replaces a list of the same name.
 *
 * Returns: (transfer none): the meta with all lists
 *
 * Since: 1.1
 */
GstMgpuNumbersMeta *
gst_buffer_add_mgpu_numbers_meta (GstBuffer * buffer, const gchar * name,
    GstMgpuNumbersType type, guint n, GstBuffer * numbers, gsize offset)
{
  List list = { NULL, type, n, numbers, offset };
  GstMgpuNumbersTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  tables = copy_others (buffer, name);
  list.name = g_strdup (name);
  g_array_append_val (tables->lists, list);
  return gst_mgpu_meta_add (buffer, gst_mgpu_numbers_meta_get_info (), tables);
}

/**
 * gst_buffer_add_mgpu_numbers_meta_bytes:
 * @buffer: (transfer none): a writable frame
 * @name: name of the list
 * @type: type of the numbers
 * @numbers: the numbers, 4 bytes each
 *
 * Adds a list of numbers that the host computed to a frame, as gst_buffer_add_mgpu_numbers_meta() does.
 *
 * Returns: (transfer none): the meta with all lists
 *
 * Since: 1.1
 */
GstMgpuNumbersMeta *
gst_buffer_add_mgpu_numbers_meta_bytes (GstBuffer * buffer, const gchar * name,
    GstMgpuNumbersType type, GBytes * numbers)
{
  g_return_val_if_fail (numbers != NULL, NULL);

  return gst_buffer_add_mgpu_numbers_meta (buffer, name, type,
      g_bytes_get_size (numbers) / NUMBER_SIZE,
      gst_buffer_new_wrapped_bytes (numbers), 0);
}

/**
 * gst_buffer_get_mgpu_numbers_meta:
 * @buffer: a frame
 *
 * Finds the numbers of a frame.
 *
 * Returns: (transfer none) (nullable): the meta with all lists of numbers of @buffer
 *
 * Since: 1.1
 */
GstMgpuNumbersMeta *
gst_buffer_get_mgpu_numbers_meta (GstBuffer * buffer)
{
  return (GstMgpuNumbersMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_NUMBERS_META_API_TYPE);
}

/**
 * gst_mgpu_numbers_meta_get_n_lists:
 * @meta: a #GstMgpuNumbersMeta
 *
 * Counts the lists.
 *
 * Returns: the number of lists
 *
 * Since: 1.1
 */
guint
gst_mgpu_numbers_meta_get_n_lists (GstMgpuNumbersMeta * meta)
{
  return meta->tables->lists->len;
}

/* Returns: (transfer none) (nullable): the list @i; NULL when there is no such list */
static const List *
get_list (GstMgpuNumbersMeta * meta, guint i)
{
  return i < meta->tables->lists->len
      ? &g_array_index (meta->tables->lists, List, i) : NULL;
}

/**
 * gst_mgpu_numbers_meta_find:
 * @meta: a #GstMgpuNumbersMeta
 * @name: name of a list
 *
 * Finds a list by its name.
 *
 * Returns: the index of the list, from 0; -1 when there is none of this name
 *
 * Since: 1.1
 */
gint
gst_mgpu_numbers_meta_find (GstMgpuNumbersMeta * meta, const gchar * name)
{
  for (guint i = 0; i < meta->tables->lists->len; i++)
    if (strcmp (get_list (meta, i)->name, name) == 0)
      return i;
  return -1;
}

/**
 * gst_mgpu_numbers_meta_get_list:
 * @meta: a #GstMgpuNumbersMeta
 * @i: index of a list, from 0
 * @name: (out) (optional) (transfer none): name of the list, which lives as long as @meta
 * @type: (out) (optional): type of its numbers
 * @n: (out) (optional): length of the list
 *
 * Describes a list. Does not wait for the device.
 *
 * Returns: %FALSE when there is no such list
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_numbers_meta_get_list (GstMgpuNumbersMeta * meta, guint i,
    const gchar ** name, GstMgpuNumbersType * type, guint * n)
{
  const List *list = get_list (meta, i);

  if (list == NULL)
    return FALSE;
  if (name != NULL)
    *name = list->name;
  if (type != NULL)
    *type = list->type;
  if (n != NULL)
    *n = list->n;
  return TRUE;
}

/**
 * gst_mgpu_numbers_meta_get_bytes:
 * @meta: a #GstMgpuNumbersMeta
 * @i: index of a list, from 0
 *
 * Reads a list. Blocks until the device has computed it.
 *
 * Returns: (transfer full) (nullable): the numbers, 4 bytes each; %NULL when there is no such list
 *   or it cannot be read
 *
 * Since: 1.1
 */
GBytes *
gst_mgpu_numbers_meta_get_bytes (GstMgpuNumbersMeta * meta, guint i)
{
  const List *list = get_list (meta, i);

  return list == NULL ? NULL : gst_mgpu_bytes_from_part (list->numbers,
      list->offset, (gsize) list->n * NUMBER_SIZE);
}

/**
 * gst_mgpu_numbers_meta_get_values:
 * @meta: a #GstMgpuNumbersMeta
 * @i: index of a list, from 0
 * @n: (out): length of the returned array
 *
 * Reads a list of either type as #gdouble, which represents every #gint32 and #gfloat exactly.
 * Blocks until the device has computed it.
 *
 * Returns: (transfer full) (nullable) (array length=n): the numbers, to be freed by g_free(); %NULL
 *   when there is no such list or it cannot be read
 *
 * Since: 1.1
 */
gdouble *
gst_mgpu_numbers_meta_get_values (GstMgpuNumbersMeta * meta, guint i, guint * n)
{
  const List *list = get_list (meta, i);
  g_autoptr (GBytes) bytes = gst_mgpu_numbers_meta_get_bytes (meta, i);
  const guint8 *data;
  gdouble *values;

  *n = 0;
  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, NULL);
  values = g_new (gdouble, MAX (list->n, 1));
  for (guint k = 0; k < list->n; k++) {
    gint32 integer;
    gfloat real;

    memcpy (&integer, data + (gsize) k * NUMBER_SIZE, NUMBER_SIZE);
    memcpy (&real, data + (gsize) k * NUMBER_SIZE, NUMBER_SIZE);
    values[k] = list->type == GST_MGPU_NUMBERS_TYPE_INT ? integer : real;
  }
  *n = list->n;
  return values;
}

/**
 * gst_mgpu_numbers_meta_get_memory:
 * @meta: a #GstMgpuNumbersMeta
 * @i: index of a list, from 0
 * @offset: (out) (optional): where the list begins in the memory, in bytes
 *
 * Lets kernels read a list on the device.
 *
 * Returns: (transfer none) (nullable): the memory of the list, a #GstMgpuMemory if the device
 *   computed it; %NULL when there is no such list
 *
 * Since: 1.1
 */
GstMemory *
gst_mgpu_numbers_meta_get_memory (GstMgpuNumbersMeta * meta, guint i,
    gsize * offset)
{
  const List *list = get_list (meta, i);

  if (offset != NULL)
    *offset = list != NULL ? list->offset : 0;
  return list != NULL ? gst_mgpu_memory_of_buffer (list->numbers) : NULL;
}
