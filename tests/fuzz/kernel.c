/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes files of users' kernels: their //! lines, and the search for kernels. */
#include "fuzz.h"

#include <string.h>

#include <gst/models/kernel-load.h>

/* Returns: the number of lines of @text */
static guint
count_lines (const gchar * text)
{
  guint n = 1;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

static void
check_text (const MgpuKernelText * text)
{
  guint n = count_lines (text->text), last = 0;

  g_assert (text->functions->len > 0);
  g_assert (text->passes->len <= MGPU_KERNEL_MAX_PASSES);
  for (guint i = 0; i < text->passes->len; i++)
    g_assert (g_array_index (text->passes, guint, i) < text->functions->len);
  for (guint i = 0; i < text->params->len; i++) {
    const MgpuKernelParam *p =
        &g_array_index (text->params, MgpuKernelParam, i);

    g_assert (p->value >= p->min && p->value <= p->max);
    g_assert (g_utf8_validate (p->text, -1, NULL));
  }
  for (guint i = 0; i < text->parts->len; i++) {
    const MgpuKernelPart *p = &g_array_index (text->parts, MgpuKernelPart, i);

    g_assert (p->line >= last && p->line <= n + 1 && p->first > 0);
    last = p->line;
  }
  for (guint i = 0; i < text->functions->len; i++) {
    const MgpuKernelFunction *f = &g_array_index (text->functions,
        MgpuKernelFunction, i);

    g_assert (f->divisor[0] > 0 && f->divisor[1] > 0);
    g_assert (strlen (f->name) > 0);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  GError *error = NULL;
  MgpuKernelText *text = mgpu_kernel_text_load (fuzz_file (data, size), NULL,
      &error);
  gchar *log, *mapped, *first;

  fuzz_check_error (text != NULL, error);
  if (text == NULL)
    return 0;
  check_text (text);
  log = fuzz_string (data, size);
  mapped = mgpu_kernel_text_map_log (text, 3, log);
  first = mgpu_kernel_first_error (text, mapped);
  g_free (first);
  g_free (mapped);
  g_free (log);
  mgpu_kernel_text_unref (text);
  return 0;
}
