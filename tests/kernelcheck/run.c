/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines a run of kernelcheck on one device: its context, queue, objects and device times. */
#include "private.h"

KcRun *
kc_run_new (const gchar * device, gint device_class, GError ** error)
{
  KcRun *run = g_new0 (KcRun, 1);

  run->priv = g_new0 (KcRunPrivate, 1);
  run->priv->text = g_string_new (NULL);
  run->context = gst_mgpu_context_new (device, error);
  if (run->context != NULL) {
    if (device_class >= 0)
      gst_mgpu_context_override_class (run->context, device_class);
    run->queue = gst_mgpu_queue_new (run->context, error);
  }
  if (run->queue == NULL)
    g_clear_pointer (&run, kc_run_free);
  else
    run->stats = gst_mgpu_stats_new ();
  return run;
}

void
kc_run_free (KcRun * run)
{
  g_clear_pointer (&run->stats, gst_mgpu_stats_unref);
  g_clear_object (&run->queue);
  g_clear_object (&run->context);
  g_string_free (run->priv->text, TRUE);
  g_free (run->priv);
  g_free (run);
}

guint
kc_run_get_failed (const KcRun * run)
{
  return run->priv->n_failed;
}

gboolean
kc_is_oclgrind (const KcRun * run)
{
  return g_str_equal (gst_mgpu_context_get_platform_name (run->context),
      "Oclgrind");
}

void
kc_check_random (KcRun * run, guint64 seed, guint n, void (*check) (KcRun *
        run, KcRandom * random))
{
  KcRandom random;

  kc_random_init (&random, seed);
  for (guint i = 0; i < n && kc_goes_on (run); i++)
    check (run, &random);
}

/* ---- Jobs -------------------------------------------------------------------- */

gboolean
kc_end_job (KcRun * run, GstMgpuJob * job)
{
  GError *error = NULL;

  if (gst_mgpu_job_end (job, &error))
    return TRUE;
  kc_case_fail_error (run, error);
  return FALSE;
}

guint64
kc_device_time (KcRun * run)
{
  return gst_mgpu_stats_get (run->stats, GST_MGPU_COUNTER_DEVICE_TIME);
}

gdouble
kc_device_time_since (KcRun * run, guint64 before)
{
  return (kc_device_time (run) - before) / 1e6;
}

gdouble
kc_wait (KcRun * run, GstMgpuMemory * memory, guint64 before)
{
  GError *error = NULL;

  if (!gst_mgpu_memory_wait (memory, &error))
    kc_case_fail_error (run, error);
  return kc_device_time_since (run, before);
}

gdouble
kc_finish (KcRun * run, GstMgpuJob * job, GstMgpuMemory * last, guint64 before)
{
  if (!kc_end_job (run, job))
    return kc_device_time_since (run, before);
  return kc_wait (run, last, before);
}

MgpuObject *
kc_object_new (KcRun * run, const MgpuAlgorithm * algorithm)
{
  GError *error = NULL;
  MgpuObject *self = mgpu_object_new (algorithm, run->context, NULL, NULL, NULL,
      NULL, &error);

  if (self == NULL) {
    kc_case_begin (run, KC_RANDOM, "kernels");
    kc_case_fail_error (run, error);
    kc_case_end (run);
  }
  return self;
}
