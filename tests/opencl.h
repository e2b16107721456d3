/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* For tests with functions that stand before functions of OpenCL. */
#pragma once

#include <CL/cl.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

/* RTLD_NEXT does not find the function of OpenCL: a plugin's libraries are visible
 * to that plugin alone. */
static inline void *
real_function (const char *name)
{
  static _Atomic (void *) loader;

  if (loader == NULL)
    loader = dlopen ("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL);
  return dlsym (loader, name);
}

/* The function of OpenCL that a function of this name stands before. */
#define REAL(name) ((__typeof__ (name) *) real_function (#name))
