/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loaded with LD_PRELOAD, tells the thread sanitizer what GLib's and GStreamer's
 * functions order: their libraries are compiled without it, and GLib's locks are
 * futexes, which it does not know. Who locks comes after who unlocked before;
 * who drops a reference, and may free, after all who dropped theirs. */
#define _GNU_SOURCE
#include <gst/gst.h>

#include <dlfcn.h>

/* Of the sanitizer; Debian's GCC comes without their header. */
void __tsan_acquire (void *address);
void __tsan_release (void *address);

#define EXPORT __attribute__ ((visibility ("default")))
/* Accesses of this library are none of the program. */
#define PLAIN EXPORT __attribute__ ((no_sanitize ("thread")))

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

/* Whoever finds location set comes after this. */
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

#define DROP(name, type) \
PLAIN void \
name (type object) \
{ \
  NEXT (name); \
  if (object != NULL) { \
    __tsan_acquire (object); \
    __tsan_release (object); \
  } \
  next (object); \
}

DROP (g_object_unref, gpointer)
DROP (gst_object_unref, gpointer)
DROP (gst_mini_object_unref, GstMiniObject *)
DROP (g_bytes_unref, GBytes *)

/* --- Messages, which travel without a lock --- */

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
