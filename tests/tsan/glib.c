/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tells the thread sanitizer how functions of GLib and GStreamer order threads, when it is loaded
 * with LD_PRELOAD: these libraries are compiled without the sanitizer, and GLib's locks are
 * futexes, which it does not know. A thread that locks runs after the thread that unlocked; a
 * thread that drops a reference, and may free the object, runs after all threads that dropped their
 * references before. */
#define _GNU_SOURCE
#include <gst/gst.h>

#include <dlfcn.h>
#include <stdlib.h>

/* Declares functions of the sanitizer, because Debian's GCC comes without their header. */
void __tsan_acquire (void *address);
void __tsan_release (void *address);

#define EXPORT __attribute__ ((visibility ("default")))
/* Excludes the functions of this library from the sanitizer's checks. */
#define UNCHECKED __attribute__ ((no_sanitize ("thread")))
#define PLAIN EXPORT UNCHECKED

#define NEXT(name) \
  static __typeof__ (name) *next; \
\
  if (next == NULL) \
    next = (__typeof__ (name) *) dlsym (RTLD_NEXT, #name)

#define LOCK(name, type) \
PLAIN void \
name (type * lock) \
{ \
  NEXT (name); \
  next (lock); \
  __tsan_acquire (lock); \
}

#define TRYLOCK(name, type) \
PLAIN gboolean \
name (type * lock) \
{ \
  gboolean locked; \
  NEXT (name); \
\
  locked = next (lock); \
  if (locked) \
    __tsan_acquire (lock); \
  return locked; \
}

#define UNLOCK(name, type) \
PLAIN void \
name (type * lock) \
{ \
  NEXT (name); \
  __tsan_release (lock); \
  next (lock); \
}

/* Lets programs that a test starts, such as the linker that PoCL calls, run without the libraries
 * of LD_PRELOAD, because the sanitizer crashes in the linker. */
__attribute__ ((constructor))
static void
forget_preload (void)
{
  unsetenv ("LD_PRELOAD");
}

LOCK (g_mutex_lock, GMutex)
TRYLOCK (g_mutex_trylock, GMutex)
UNLOCK (g_mutex_unlock, GMutex)
LOCK (g_rec_mutex_lock, GRecMutex)
TRYLOCK (g_rec_mutex_trylock, GRecMutex)
UNLOCK (g_rec_mutex_unlock, GRecMutex)
LOCK (g_rw_lock_writer_lock, GRWLock)
UNLOCK (g_rw_lock_writer_unlock, GRWLock)
LOCK (g_rw_lock_reader_lock, GRWLock)
UNLOCK (g_rw_lock_reader_unlock, GRWLock)

PLAIN void
g_cond_wait (GCond * cond, GMutex * mutex)
{
  NEXT (g_cond_wait);
  __tsan_release (mutex);
  next (cond, mutex);
  __tsan_acquire (mutex);
}

PLAIN gboolean
g_cond_wait_until (GCond * cond, GMutex * mutex, gint64 end_time)
{
  gboolean signalled;
  NEXT (g_cond_wait_until);

  __tsan_release (mutex);
  signalled = next (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return signalled;
}

/* A thread that finds @location set runs after the thread that sets it. */
#undef g_once_init_leave
PLAIN void
(g_once_init_leave) (volatile void *location, gsize result)
{
  static void (*next) (volatile void *, gsize);

  if (next == NULL)
    next = (void (*) (volatile void *, gsize)) dlsym (RTLD_NEXT,
        "g_once_init_leave");
  __tsan_release ((void *) location);
  next (location, result);
}

/* --- References --- */

/* Drops a reference of @object, and returns TRUE, unless this reference is the last. The caller
 * leaves only the last reference to GLib or GStreamer. If it left others to them, another thread
 * could drop its reference between __tsan_acquire() and the call; the call would then free the
 * object, and the sanitizer would not know that this thread runs after the other. */
static UNCHECKED gboolean
drop_unless_last (gpointer object, gint * n_references)
{
  gint n;

  __tsan_release (object);
  do {
    n = g_atomic_int_get (n_references);
    if (n <= 1) {
      __tsan_acquire (object);
      return FALSE;
    }
  } while (!g_atomic_int_compare_and_exchange (n_references, n, n - 1));
  return TRUE;
}

/* Drops a reference of @object. gst_object_unref() also calls this function. */
PLAIN void
g_object_unref (gpointer object)
{
  NEXT (g_object_unref);
  if (object == NULL
      || !drop_unless_last (object, (gint *) & ((GObject *) object)->ref_count))
    next (object);
}

PLAIN void
g_bytes_unref (GBytes * bytes)
{
  NEXT (g_bytes_unref);
  if (bytes != NULL) {
    __tsan_release (bytes);
    __tsan_acquire (bytes);
  }
  next (bytes);
}

static _Thread_local GDestroyNotify clear_box;

/* Tells the sanitizer that the thread that frees @box runs after all threads that dropped a
 * reference. GLib calls this function where the last reference was dropped. */
static UNCHECKED void
acquire_and_clear (gpointer box)
{
  __tsan_acquire (box);
  clear_box (box);
}

PLAIN void
g_atomic_rc_box_release_full (gpointer box, GDestroyNotify clear)
{
  GDestroyNotify outer = clear_box;
  NEXT (g_atomic_rc_box_release_full);

  clear_box = clear;
  __tsan_release (box);
  next (box, clear != NULL ? acquire_and_clear : NULL);
  clear_box = outer;
}

/* Copies of a frame share its memory. The last copy that is dropped returns the frame to its pool,
 * where the next thread gets it. */
PLAIN void
gst_mini_object_unref (GstMiniObject * object)
{
  NEXT (gst_mini_object_unref);
  if (GST_IS_BUFFER (object))
    for (guint i = 0; i < gst_buffer_n_memory ((GstBuffer *) object); i++)
      __tsan_release (gst_buffer_peek_memory ((GstBuffer *) object, i));
  if (object == NULL || !drop_unless_last (object, &object->refcount))
    next (object);
}

PLAIN GstFlowReturn
gst_buffer_pool_acquire_buffer (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  GstFlowReturn ret;
  NEXT (gst_buffer_pool_acquire_buffer);

  ret = next (pool, buffer, params);
  for (guint i = 0; ret == GST_FLOW_OK && i < gst_buffer_n_memory (*buffer); i++)
    __tsan_acquire (gst_buffer_peek_memory (*buffer, i));
  return ret;
}

/* --- Queues, such as the one in which a GstHarness receives frames --- */

PLAIN void
g_async_queue_push (GAsyncQueue * queue, gpointer data)
{
  NEXT (g_async_queue_push);
  __tsan_release (queue);
  next (queue, data);
}

PLAIN gpointer
g_async_queue_try_pop (GAsyncQueue * queue)
{
  gpointer data;
  NEXT (g_async_queue_try_pop);

  data = next (queue);
  __tsan_acquire (queue);
  return data;
}

PLAIN gpointer
g_async_queue_timeout_pop (GAsyncQueue * queue, guint64 timeout)
{
  gpointer data;
  NEXT (g_async_queue_timeout_pop);

  data = next (queue, timeout);
  __tsan_acquire (queue);
  return data;
}

/* --- Messages, which are passed between threads without a lock --- */

PLAIN gboolean
gst_bus_post (GstBus * bus, GstMessage * message)
{
  NEXT (gst_bus_post);
  __tsan_release (bus);
  return next (bus, message);
}

PLAIN GstMessage *
gst_bus_timed_pop_filtered (GstBus * bus, GstClockTime timeout,
    GstMessageType types)
{
  GstMessage *message;
  NEXT (gst_bus_timed_pop_filtered);

  message = next (bus, timeout, types);
  __tsan_acquire (bus);
  return message;
}
