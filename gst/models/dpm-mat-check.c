/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks that a MATLAB file of version 5 is well-formed. This is needed because libmatio does not
 * check the numbers in a file. With wrong numbers, it crashes, or needs gigabytes of memory and
 * minutes. */
#include "dpm-file.h"

#include <gio/gio.h>
#include <string.h>

#define HEAD 128                /* size of the header of a MATLAB file, in bytes */
#define ORDER 126               /* offset of the byte order mark in this header, in bytes */

#define MAX_DEPTH 32            /* maximum depth of nested arrays in a file; models have a depth
                                 * of 6 */
#define MAX_RANK 16

/* Maximum size of all decompressed data elements of a file, in bytes, and maximum number of
 * values in an array */
#define MAX_INFLATED (256 << 20)

/* Types of the data elements of a MATLAB file */
enum
{
  TYPE_INT8 = 1,
  TYPE_INT32 = 5,
  TYPE_UINT32 = 6,
  TYPE_MATRIX = 14,
  TYPE_COMPRESSED = 15
};

/* Classes of the arrays of a MATLAB file */
enum
{
  CLASS_CELL = 1,
  CLASS_STRUCT,
  CLASS_OBJECT,
  CLASS_CHAR,
  CLASS_SPARSE,
  CLASS_DOUBLE,
  CLASS_UINT64 = 15
};

#define IS_COMPLEX 0x800

typedef struct
{
  const gchar *at;
  gsize left;
  gboolean is_little;
} Bytes;

typedef struct
{
  guint32 type;
  Bytes bytes;
} Part;

static gboolean check_matrix (Bytes bytes, guint depth);

static guint32
get_word (const Bytes * bytes, gsize offset)
{
  guint32 word;

  memcpy (&word, bytes->at + offset, sizeof (word));
  return bytes->is_little ? GUINT32_FROM_LE (word) : GUINT32_FROM_BE (word);
}

/* Takes the next data element from the beginning of @bytes, and sets @part to its type and
 * content. A data element consists of its type, its size and its content, padded to a multiple
 * of 8 bytes. An element with up to 4 bytes of content may be stored in 8 bytes. Returns: FALSE
 * when the element is damaged */
static gboolean
take (Bytes * bytes, Part * part)
{
  guint32 word;
  gsize head = 8, size;

  if (bytes->left < 8)
    return FALSE;
  word = get_word (bytes, 0);
  part->type = word & 0xffff;
  size = word >> 16;
  if (size > 0) {
    head = 4;
    if (size > 4)
      return FALSE;
  } else {
    size = get_word (bytes, 4);
  }
  if (size > bytes->left - head)
    return FALSE;
  part->bytes = (Bytes) {
    bytes->at + head, size, bytes->is_little
  };
  size = MIN (head + size + (part->type == TYPE_COMPRESSED ? 0
          : -(head + size) % 8), bytes->left);
  bytes->at += size;
  bytes->left -= size;
  return TRUE;
}

static gboolean
take_type (Bytes * bytes, guint32 type, Part * part)
{
  return take (bytes, part) && part->type == type;
}

/* Takes @n data elements from @bytes. @depth is the nesting depth of the array that contains
 * them. Returns: whether all of them are well-formed arrays */
static gboolean
check_matrices (Bytes * bytes, gsize n, guint depth)
{
  Part part;

  if (n > bytes->left / 8)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!take_type (bytes, TYPE_MATRIX, &part)
        || !check_matrix (part.bytes, depth + 1))
      return FALSE;
  return TRUE;
}

/* Takes the content of an array of @n structures from @bytes. This is a data element with the
 * length of field names, a data element with the names of the fields, and an array for each
 * field of each structure. Returns: whether all these data elements are well-formed */
static gboolean
check_structures (Bytes * bytes, gsize n, guint depth)
{
  Part length, names;
  guint32 size;

  if (!take_type (bytes, TYPE_INT32, &length) || length.bytes.left != 4
      || !take_type (bytes, TYPE_INT8, &names))
    return FALSE;
  size = get_word (&length.bytes, 0);
  if (size == 0 || names.bytes.left % size != 0)
    return FALSE;
  for (gsize end = size; end <= names.bytes.left; end += size)
    if (names.bytes.at[end - 1] != '\0')
      return FALSE;
  return check_matrices (bytes, n * (names.bytes.left / size), depth);
}

/* Takes a data element from @bytes. Returns: whether it contains @n values of any type that
 * MATLAB may use for them */
static gboolean
check_values (Bytes * bytes, gsize n, gboolean is_text)
{
  static const guint8 sizes[] = {
    0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4
  };
  Part part;
  gsize size;

  if (n == 0 && bytes->left == 0)
    return TRUE;
  if (!take (bytes, &part) || part.type >= G_N_ELEMENTS (sizes))
    return FALSE;
  size = sizes[part.type];
  /* Allows more bytes than characters for text, because some characters take several bytes. */
  return size > 0 && (is_text ? part.bytes.left >= n * size
      : part.bytes.left == n * size);
}

/* Takes the dimensions of an array from @bytes, and sets *n to the number of its values.
 * Returns: FALSE when the dimensions are damaged, or when @bytes has too few bytes left for
 * this number of values */
static gboolean
take_dimensions (Bytes * bytes, gboolean is_sparse, gsize * n)
{
  Part part;

  if (!take_type (bytes, TYPE_INT32, &part) || part.bytes.left % 4 != 0
      || part.bytes.left < 8 || part.bytes.left > 4 * MAX_RANK)
    return FALSE;
  *n = 1;
  for (gsize i = 0; i < part.bytes.left; i += 4) {
    guint32 dimension = get_word (&part.bytes, i);

    if (dimension > MAX_INFLATED)
      return FALSE;
    *n *= dimension;
    if (!is_sparse && *n > bytes->left)
      return FALSE;
    *n = MIN (*n, MAX_INFLATED);
  }
  return TRUE;
}

static gboolean
check_matrix (Bytes bytes, guint depth)
{
  Part flags, name;
  guint class;
  gsize n;

  if (bytes.left == 0)
    return TRUE;
  if (depth > MAX_DEPTH || !take_type (&bytes, TYPE_UINT32, &flags)
      || flags.bytes.left != 8)
    return FALSE;
  class = get_word (&flags.bytes, 0) & 0xff;
  if (!take_dimensions (&bytes, class == CLASS_SPARSE, &n)
      || !take_type (&bytes, TYPE_INT8, &name))
    return FALSE;
  /* Refuses an element of an array that has a name, because libmatio would read the bytes of the
   * name as sizes, which could be gigabytes. */
  if (depth > 0 && name.bytes.left > 0)
    return FALSE;
  switch (class) {
    case CLASS_CELL:
      return check_matrices (&bytes, n, depth);
    case CLASS_OBJECT:
      return take (&bytes, &name) && check_structures (&bytes, n, depth);
    case CLASS_STRUCT:
      return check_structures (&bytes, n, depth);
    case CLASS_CHAR:
      return check_values (&bytes, n, TRUE);
    default:
      /* Refuses sparse arrays, functions and other classes of arrays that models do not
       * contain. */
      return class >= CLASS_DOUBLE && class <= CLASS_UINT64
          && check_values (&bytes, n, FALSE)
          && (!(get_word (&flags.bytes, 0) & IS_COMPLEX)
          || check_values (&bytes, n, FALSE));
  }
}

/* Decompresses a data element. Returns: (transfer full) (nullable): the decompressed bytes;
 * NULL when the compressed bytes are damaged, or when the result has more than @room bytes */
static GByteArray *
inflate (const Bytes * bytes, gsize room)
{
  GConverter *converter = G_CONVERTER (g_zlib_decompressor_new
      (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  GByteArray *array = g_byte_array_new ();
  GConverterResult result = G_CONVERTER_CONVERTED;
  gsize from = 0;

  while (result == G_CONVERTER_CONVERTED && array->len < room) {
    guint8 buffer[16384];
    gsize n_read, n_written;

    result = g_converter_convert (converter, bytes->at + from,
        bytes->left - from, buffer, sizeof (buffer),
        G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
    if (result == G_CONVERTER_ERROR)
      break;
    from += n_read;
    g_byte_array_append (array, buffer, n_written);
  }
  g_object_unref (converter);
  if (result != G_CONVERTER_FINISHED || array->len > room)
    g_clear_pointer (&array, g_byte_array_unref);
  return array;
}

/* Checks a compressed data element. *@room is the number of bytes that the remaining data
 * elements of the file may have after decompression. */
static gboolean
check_compressed (const Bytes * bytes, gsize * room)
{
  GByteArray *array = inflate (bytes, *room);
  Bytes all = {.is_little = bytes->is_little };
  Part part;
  gboolean ok;

  if (array == NULL)
    return FALSE;
  all.at = (const gchar *) array->data;
  all.left = array->len;
  *room -= array->len;
  ok = take_type (&all, TYPE_MATRIX, &part) && check_matrix (part.bytes, 0);
  g_byte_array_unref (array);
  return ok;
}

gboolean
mgpu_dpm_mat_is_sound (const gchar * text, gsize length)
{
  gsize room = MAX_INFLATED;
  Bytes bytes;
  Part part;

  if (length < HEAD)
    return FALSE;
  bytes = (Bytes) {
    text + HEAD, length - HEAD, text[ORDER] == 'I'
  };
  while (bytes.left > 0)
    if (!take (&bytes, &part) || (part.type == TYPE_COMPRESSED
            ? !check_compressed (&part.bytes, &room)
            : part.type != TYPE_MATRIX || !check_matrix (part.bytes, 0)))
      return FALSE;
  return TRUE;
}
