/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Keeps a context and the programs that are loaded into it: PoCL reads all of a
 * program's code when it loads one, which takes four fifths of the time of a run
 * with a small frame. The library under test makes the same calls as without, and
 * each of them can fail. The functions here rely on what the library always does:
 * it loads a program for one device and asks for all results.
 *
 * The leak checker finds everything that hangs from the context. Therefore
 * fault_count_references() says whether all of it was released. */
#include "keep.h"

#include "../opencl.h"
#include "fault.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Further programs are loaded each time. */
#define MAX_PROGRAMS 64

typedef struct
{
  cl_program program;
  unsigned char *binary;
  size_t size;
  int is_built;
} Kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int keeps;
static cl_device_id device;
static cl_context context;
static Kept programs[MAX_PROGRAMS];
static unsigned n_programs;

EXPORT void
fault_keep (void)
{
  keeps = 1;
}

static cl_context CL_API_CALL
create_context (const cl_context_properties * properties, cl_uint n,
    const cl_device_id * devices,
    void (CL_CALLBACK * notify) (const char *, const void *, size_t, void *),
    void *data, cl_int * result)
{
  cl_context made;

  pthread_mutex_lock (&lock);
  if (context != NULL && n == 1 && devices[0] == device) {
    made = context;
    *result = REAL (clRetainContext) (context);
  } else {
    made = REAL (clCreateContext) (properties, n, devices, notify, data,
        result);
    if (context == NULL && made != NULL && n == 1
        && REAL (clRetainContext) (made) == CL_SUCCESS) {
      context = made;
      device = devices[0];
    }
  }
  pthread_mutex_unlock (&lock);
  return made;
}

/* Call with the lock. */
static Kept *
find_binary (const unsigned char *binary, size_t size)
{
  for (unsigned i = 0; i < n_programs; i++)
    if (programs[i].size == size
        && memcmp (programs[i].binary, binary, size) == 0)
      return &programs[i];
  return NULL;
}

/* Call with the lock. */
static void
keep_program (cl_program program, const unsigned char *binary, size_t size)
{
  Kept *kept = &programs[n_programs];

  if (n_programs == MAX_PROGRAMS || (kept->binary = malloc (size)) == NULL)
    return;
  memcpy (kept->binary, binary, size);
  kept->size = size;
  kept->program = program;
  REAL (clRetainProgram) (program);
  n_programs++;
}

static cl_program CL_API_CALL
create_program (cl_context where, cl_uint n, const cl_device_id * devices,
    const size_t * sizes, const unsigned char **binaries, cl_int * status,
    cl_int * result)
{
  cl_program program;
  Kept *kept = NULL;

  pthread_mutex_lock (&lock);
  if (where == context)
    kept = find_binary (binaries[0], sizes[0]);
  if (kept != NULL) {
    program = kept->program;
    *status = *result = REAL (clRetainProgram) (program);
  } else {
    program = REAL (clCreateProgramWithBinary) (where, n, devices, sizes,
        binaries, status, result);
    if (program != NULL && where == context)
      keep_program (program, binaries[0], sizes[0]);
  }
  pthread_mutex_unlock (&lock);
  return program;
}

/* A program that has kernels cannot be built again. */
static cl_int CL_API_CALL
build_program (cl_program program, cl_uint n, const cl_device_id * devices,
    const char *options, void (CL_CALLBACK * notify) (cl_program, void *),
    void *data)
{
  Kept *kept = NULL;
  cl_int ret = CL_SUCCESS;

  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < n_programs; i++)
    if (programs[i].program == program)
      kept = &programs[i];
  if (kept == NULL || !kept->is_built)
    ret = REAL (clBuildProgram) (program, n, devices, options, notify, data);
  if (kept != NULL)
    kept->is_built = ret == CL_SUCCESS;
  pthread_mutex_unlock (&lock);
  return ret;
}

void *
keep_get_function (const char *name)
{
  if (!keeps)
    return NULL;
  return strcmp (name, "clCreateContext") == 0 ? (void *) create_context
      : strcmp (name, "clCreateProgramWithBinary") == 0
      ? (void *) create_program
      : strcmp (name, "clBuildProgram") == 0 ? (void *) build_program : NULL;
}

/* Each program has a reference to the context, and here is one to each. All other
 * objects have references to one of them. */
EXPORT int
fault_count_references (void)
{
  cl_uint n = 0;
  int sum;

  if (context == NULL)
    return 0;
  REAL (clGetContextInfo) (context, CL_CONTEXT_REFERENCE_COUNT, sizeof (n), &n,
      NULL);
  sum = n - 1 - n_programs;
  for (unsigned i = 0; i < n_programs; i++) {
    REAL (clGetProgramInfo) (programs[i].program, CL_PROGRAM_REFERENCE_COUNT,
        sizeof (n), &n, NULL);
    sum += n - 1;
  }
  return sum;
}
