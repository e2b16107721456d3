/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes files of masks. */
#include "fuzz.h"

#include <gst/frame/gstmgpumask.h>

#define WIDTH 16
#define HEIGHT 12

/* Prepares the target; libFuzzer calls this first. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  /* gdk-pixbuf has critical warnings for files that say they have no pixel. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  return 0;
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  gboolean scale = size > 0 && data[size - 1] & 1;
  const gchar *path = fuzz_file (data, size);
  GError *error = NULL;
  guint8 *mask = gst_mgpu_mask_load (path, WIDTH, HEIGHT, scale,
      "mask-location", &error);
  guint sum = 0;

  fuzz_check_error (mask != NULL, error);
  for (guint i = 0; mask != NULL && i < WIDTH * HEIGHT; i++)
    sum += mask[i];
  g_assert (sum <= 255 * WIDTH * HEIGHT);
  g_free (mask);
  return 0;
}
