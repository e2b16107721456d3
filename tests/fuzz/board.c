/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes files of boards and of dictionaries of tags. */
#include "fuzz.h"

#include <gst/models/board.h>
#include <gst/models/dictionary-load.h>

#include <math.h>

static void
check_board (const char *path)
{
  g_autoptr (MgpuBoard) board = NULL;
  GError *error = NULL;

  board = mgpu_board_load (path, &error);
  fuzz_check_error (board != NULL, error);
  for (guint i = 0; board != NULL && i < board->n_tags; i++) {
    g_assert (i == 0 || board->tags[i].id > board->tags[i - 1].id);
    for (guint k = 0; k < 12; k++)
      g_assert (isfinite (board->tags[i].points[k]));
  }
}

static void
check_dictionary (const char *path)
{
  g_autoptr (MgpuTagDictionary) family = NULL;
  GError *error = NULL;

  family = mgpu_tag_dictionary_load (path, &error);
  fuzz_check_error (family != NULL, error);
  if (family == NULL)
    return;
  g_assert (family->n_bits <= MGPU_TAG_MAX_BITS && family->n_codes > 0);
  g_assert (g_utf8_validate (family->name, -1, NULL));
  for (guint i = 0; i < family->n_codes; i++)
    g_assert (family->codes[i] <= G_MAXUINT64 >> (64 - family->n_bits));
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  check_board (fuzz_file (data, size));
  check_dictionary (fuzz_file (data, size));
  return 0;
}
