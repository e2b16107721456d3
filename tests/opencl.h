/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Helps tests with functions that replace functions of OpenCL. */
#pragma once

#include <CL/cl.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

/* Loads OpenCL explicitly, because RTLD_NEXT does not find its functions: a plugin's libraries are
 * only visible to that plugin. */
static inline void *
real_function (const char *name)
{
  static _Atomic (void *) loader;

  if (loader == NULL)
    loader = dlopen ("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL);
  return dlsym (loader, name);
}

/* REAL (name) is the OpenCL function that a function of the same name replaces. */
#define REAL(name) ((__typeof__ (name) *) real_function (#name))
