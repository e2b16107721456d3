/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Keeps a context and the programs that are built in it, because PoCL reads all of a program's code
 * when it loads one, which takes four fifths of the time of a run with a small frame. The library
 * under test makes the same calls as without keeping, and each of them can fail. The functions of
 * this file rely on what the library always does: it loads a program for one device and requests
 * all results.
 *
 * Gives the library a token as the binary of a program; for the token it gets the program again. A
 * real binary would make PoCL compile all kernels of the program once more, for work-groups of any
 * size. mgpuprogram tests real binaries, and so does "faults base".
 *
 * The leak checker does not report objects that can be reached from the kept context. Therefore
 * fault_count_references() reports whether all objects were released. */
#include "keep.h"

#include "../opencl.h"
#include "fault.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

/* Maximum number of kept programs; further programs are built each time */
#define MAX_PROGRAMS 1024

/* A program that was created from source code */
typedef struct
{
  cl_program program;
  uint64_t token;               /* hash of the source; for a built program, of the source and its
                                 * options */
  int is_built;
  int is_kept;                  /* whether this file holds a reference, because the program is the
                                 * first of its token */
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

static uint64_t
add_to_token (uint64_t token, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    token = (token ^ (unsigned char) text[i]) * 0x100000001b3;
  return token;
}

/* Finds a kept program. The caller holds the lock. */
static Kept *
find_program (cl_program program)
{
  for (unsigned i = 0; i < n_programs; i++)
    if (programs[i].program == program)
      return &programs[i];
  return NULL;
}

/* Finds the program of a token. The caller holds the lock. */
static Kept *
find_token (uint64_t token)
{
  for (unsigned i = 0; i < n_programs; i++)
    if (programs[i].is_kept && programs[i].token == token)
      return &programs[i];
  return NULL;
}

static cl_program CL_API_CALL
create_from_source (cl_context where, cl_uint n, const char **strings,
    const size_t * lengths, cl_int * result)
{
  cl_program program =
      REAL (clCreateProgramWithSource) (where, n, strings, lengths, result);
  uint64_t token = 0xcbf29ce484222325;
  Kept *kept;

  for (cl_uint i = 0; i < n; i++)
    token = add_to_token (token, strings[i],
        lengths != NULL && lengths[i] > 0 ? lengths[i] : strlen (strings[i]));
  pthread_mutex_lock (&lock);
  if (program != NULL && where == context) {
    /* Reuses the entry of a program that has been freed, because a new program may have the same
     * address. */
    kept = find_program (program);
    if (kept == NULL && n_programs < MAX_PROGRAMS)
      kept = &programs[n_programs++];
    if (kept != NULL)
      *kept = (Kept) {.program = program,.token = token };
  }
  pthread_mutex_unlock (&lock);
  return program;
}

static cl_program CL_API_CALL
create_from_binary (cl_context where, cl_uint n, const cl_device_id * devices,
    const size_t * sizes, const unsigned char **binaries, cl_int * status,
    cl_int * result)
{
  cl_program program = NULL;
  Kept *kept = NULL;
  uint64_t token;

  *status = *result = CL_INVALID_BINARY;
  pthread_mutex_lock (&lock);
  if (where == context && sizes[0] == sizeof (token)) {
    memcpy (&token, binaries[0], sizeof (token));
    kept = find_token (token);
  }
  if (kept != NULL) {
    program = kept->program;
    *status = *result = REAL (clRetainProgram) (program);
  }
  pthread_mutex_unlock (&lock);
  return program;
}

/* Builds a program, unless it was kept: a program that has kernels cannot be built again. */
static cl_int CL_API_CALL
build_program (cl_program program, cl_uint n, const cl_device_id * devices,
    const char *options, void (CL_CALLBACK * notify) (cl_program, void *),
    void *data)
{
  Kept *kept;
  cl_int ret = CL_SUCCESS;

  pthread_mutex_lock (&lock);
  kept = find_program (program);
  if (kept == NULL || !kept->is_built)
    ret = REAL (clBuildProgram) (program, n, devices, options, notify, data);
  if (kept != NULL && !kept->is_built && ret == CL_SUCCESS) {
    kept->token = add_to_token (kept->token, options, strlen (options));
    kept->is_built = 1;
    kept->is_kept = find_token (kept->token) == NULL
        && REAL (clRetainProgram) (program) == CL_SUCCESS;
  }
  pthread_mutex_unlock (&lock);
  return ret;
}

static cl_int CL_API_CALL
get_program_info (cl_program program, cl_program_info info, size_t size,
    void *value, size_t * size_ret)
{
  Kept *kept;
  int is_built;
  uint64_t token = 0;

  pthread_mutex_lock (&lock);
  kept = find_program (program);
  is_built = kept != NULL && kept->is_built;
  if (is_built)
    token = kept->token;
  pthread_mutex_unlock (&lock);
  if (is_built && info == CL_PROGRAM_BINARY_SIZES)
    *(size_t *) value = sizeof (token);
  else if (is_built && info == CL_PROGRAM_BINARIES)
    memcpy (*(unsigned char **) value, &token, sizeof (token));
  else
    return REAL (clGetProgramInfo) (program, info, size, value, size_ret);
  return CL_SUCCESS;
}

void *
keep_get_function (const char *name)
{
  if (!keeps)
    return NULL;
  return strcmp (name, "clCreateContext") == 0 ? (void *) create_context
      : strcmp (name, "clCreateProgramWithSource") == 0
      ? (void *) create_from_source
      : strcmp (name, "clCreateProgramWithBinary") == 0
      ? (void *) create_from_binary
      : strcmp (name, "clBuildProgram") == 0 ? (void *) build_program
      : strcmp (name, "clGetProgramInfo") == 0 ? (void *) get_program_info
      : NULL;
}

/* Counts references: each program has a reference to the context, and this file has one to each
 * program. All other objects have references to the context or to a program. */
EXPORT int
fault_count_references (void)
{
  cl_uint n = 0;
  int sum;

  if (context == NULL)
    return 0;
  REAL (clGetContextInfo) (context, CL_CONTEXT_REFERENCE_COUNT, sizeof (n), &n,
      NULL);
  sum = n - 1;
  for (unsigned i = 0; i < n_programs; i++) {
    if (!programs[i].is_kept)
      continue;
    REAL (clGetProgramInfo) (programs[i].program, CL_PROGRAM_REFERENCE_COUNT,
        sizeof (n), &n, NULL);
    sum += n - 2;
  }
  return sum;
}
