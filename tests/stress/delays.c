/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes threads of this project's libraries wait where other threads may overtake them, when it is
 * loaded with LD_PRELOAD: before they lock, before pads are linked, before and after a call of
 * OpenCL.
 *
 * MGPU_TEST_DELAY_US=N       threads wait up to N microseconds (default: 2000)
 * MGPU_TEST_DELAY_ONE_IN=N   one in N calls waits, 0: none (default: 100); links of
 *                            pads always wait
 * MGPU_TEST_DELAY_SEED=N     selects the calls that wait (default: from the clock; printed) */
#define _GNU_SOURCE
#include <gst/gst.h>

#include "../opencl.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__ ((visibility ("default")))

static unsigned max_us = 2000, one_in = 100;
static unsigned long seed;
static atomic_ulong n_threads;
static _Thread_local unsigned long state;

static unsigned long
get_number (const char *name, unsigned long value)
{
  const char *text = getenv (name);

  return text != NULL ? strtoul (text, NULL, 10) : value;
}

__attribute__ ((constructor))
static void
start (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  max_us = get_number ("MGPU_TEST_DELAY_US", max_us);
  one_in = get_number ("MGPU_TEST_DELAY_ONE_IN", one_in);
  seed = get_number ("MGPU_TEST_DELAY_SEED", now.tv_nsec);
  fprintf (stderr, "MGPU_TEST_DELAY_SEED=%lu\n", seed);
}

/* Returns a random number of this thread's sequence. */
static unsigned
roll (void)
{
  if (state == 0)
    state = (seed + 1) * 0x9e3779b97f4a7c15 + ++n_threads;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> 32;
}

/* Waits, with some probability, if @caller is an address in one of this project's libraries. */
static void
delay (const void *caller)
{
  Dl_info info;

  if (one_in == 0 || roll () % one_in != 0)
    return;
  if (dladdr (caller, &info) && strstr (info.dli_fname, "libgstmgpu") != NULL)
    usleep (roll () % (max_us + 1));
}

#define CALLER __builtin_return_address (0)

/* --- GLib and GStreamer --- */

#define NEXT(name) ((__typeof__ (name) *) dlsym (RTLD_NEXT, #name))

#define LOCK(name, type) \
EXPORT void \
name (type * lock) \
{ \
  static _Atomic (__typeof__ (name) *) next; \
\
  if (next == NULL) \
    next = NEXT (name); \
  delay (CALLER); \
  next (lock); \
}

LOCK (g_mutex_lock, GMutex)
LOCK (g_mutex_unlock, GMutex)
LOCK (g_rec_mutex_lock, GRecMutex)
LOCK (g_cond_signal, GCond)
LOCK (g_cond_broadcast, GCond)

/* Delays links of pads in all libraries, because a busy machine is also slow to link. */
EXPORT GstPadLinkReturn
gst_pad_link_full (GstPad * src, GstPad * sink, GstPadLinkCheck flags)
{
  usleep (roll () % (max_us + 1));
  return NEXT (gst_pad_link_full) (src, sink, flags);
}

EXPORT GstPadLinkReturn
gst_pad_link (GstPad * src, GstPad * sink)
{
  usleep (roll () % (max_us + 1));
  return NEXT (gst_pad_link) (src, sink);
}

/* --- OpenCL --- */

#define CALL(name, parameters, arguments) \
EXPORT cl_int CL_API_CALL \
name parameters \
{ \
  static _Atomic (__typeof__ (name) *) next; \
  cl_int ret; \
\
  if (next == NULL) \
    next = REAL (name); \
  delay (CALLER); \
  ret = next arguments; \
  delay (CALLER); \
  return ret; \
}

CALL (clEnqueueNDRangeKernel, (cl_command_queue queue, cl_kernel kernel,
        cl_uint n_dims, const size_t * offset, const size_t * global,
        const size_t * local, cl_uint n_waits, const cl_event * waits,
        cl_event * event),
    (queue, kernel, n_dims, offset, global, local, n_waits, waits, event))
CALL (clEnqueueMarkerWithWaitList, (cl_command_queue queue, cl_uint n_waits,
        const cl_event * waits, cl_event * event),
    (queue, n_waits, waits, event))
CALL (clWaitForEvents, (cl_uint n, const cl_event * events), (n, events))
CALL (clFlush, (cl_command_queue queue), (queue))
CALL (clFinish, (cl_command_queue queue), (queue))
CALL (clReleaseEvent, (cl_event event), (event))
CALL (clReleaseKernel, (cl_kernel kernel), (kernel))
CALL (clReleaseMemObject, (cl_mem buffer), (buffer))
