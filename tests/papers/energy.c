/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures how much energy a device has consumed. */
#include "papers.h"

#include <gmodule.h>
#include <stdlib.h>
#include <time.h>

/* Functions of libnvidia-ml. */
typedef struct
{
  int (*init) (void);
  int (*get_device) (unsigned index, void **device);
  int (*get_energy) (void *device, unsigned long long *millijoules);
  void *device;
} Nvml;

static gboolean
nvml_open (Nvml * nvml)
{
  GModule *module = g_module_open ("libnvidia-ml.so.1", G_MODULE_BIND_LAZY);
  unsigned long long energy;

  /* The module stays loaded until the program ends. */
  return module != NULL && g_module_symbol (module, "nvmlInit_v2", (gpointer *) & nvml->init)
      && g_module_symbol (module, "nvmlDeviceGetHandleByIndex_v2", (gpointer *) & nvml->get_device)
      && g_module_symbol (module, "nvmlDeviceGetTotalEnergyConsumption", (gpointer *) & nvml->get_energy)
      && nvml->init () == 0 && nvml->get_device (0, &nvml->device) == 0
      && nvml->get_energy (nvml->device, &energy) == 0;
}

static const gchar powercap[] = "/sys/class/powercap/intel-rapl:0/energy_uj";

static gboolean
read_powercap (gdouble * joules)
{
  g_autofree gchar *text = NULL;
  gboolean ok = g_file_get_contents (powercap, &text, NULL, NULL);

  if (ok)
    *joules = g_ascii_strtod (text, NULL) / 1e6;
  return ok;
}

/* Returns: the processor time of all threads in seconds */
static gdouble
processor_time (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

PapersMeter
papers_meter_find (PapersRun * run)
{
  gdouble joules;

  if (!gst_mgpu_context_get_traits (run->kc->context)->unified_memory) {
    static Nvml nvml;

    return nvml_open (&nvml) ? PAPERS_METER_NVML : PAPERS_METER_NONE;
  }
  return read_powercap (&joules) ? PAPERS_METER_POWERCAP : PAPERS_METER_PROCESSOR;
}

gdouble
papers_meter_read (PapersMeter meter)
{
  static Nvml nvml;
  unsigned long long millijoules = 0;
  gdouble joules = 0;

  switch (meter) {
    case PAPERS_METER_NVML:
      if (nvml.device == NULL && !nvml_open (&nvml))
        return 0;
      nvml.get_energy (nvml.device, &millijoules);
      return millijoules / 1e3;
    case PAPERS_METER_POWERCAP:
      read_powercap (&joules);
      return joules;
    case PAPERS_METER_PROCESSOR:
      return processor_time ();
    default:
      return 0;
  }
}

void
papers_measure_energy (PapersRun * run, void (*work) (gpointer data), gpointer data, const gchar * name)
{
  PapersMeter meter = papers_meter_find (run);
  gdouble seconds = run->quick ? 5 : meter == PAPERS_METER_PROCESSOR ? 15 : 50, idle = 0, begin, used;
  gint64 start;
  guint n = 0;

  if (meter == PAPERS_METER_NONE)
    return;
  if (meter != PAPERS_METER_PROCESSOR) {
    /* Returns the power that the idle device consumes. */
    gdouble wait = run->quick ? 1 : 5;

    begin = papers_meter_read (meter);
    g_usleep (wait * G_USEC_PER_SEC);
    idle = (papers_meter_read (meter) - begin) / wait;
    papers_set (run->column, idle, "%s/idle-watts", name);
  }
  begin = papers_meter_read (meter);
  start = g_get_monotonic_time ();
  while (g_get_monotonic_time () - start < seconds * G_USEC_PER_SEC) {
    work (data);
    n++;
  }
  seconds = (g_get_monotonic_time () - start) / 1e6;
  used = papers_meter_read (meter) - begin;
  papers_set (run->column, n / seconds, "%s/images-per-second", name);
  papers_set (run->column, seconds, "%s/seconds", name);
  if (meter == PAPERS_METER_PROCESSOR) {
    papers_set (run->column, 1e3 * used / n, "%s/processor", name);
    return;
  }
  papers_set (run->column, used / seconds, "%s/watts", name);
  papers_set (run->column, 1e3 * used / n, "%s/millijoules", name);
  papers_set (run->column, 1e3 * (used - idle * seconds) / n, "%s/millijoules-less-idle", name);
  papers_check (ABS (used / seconds * seconds / n - used / n) < 1e-6 * used, "%s: power by time is not energy", name);
}
