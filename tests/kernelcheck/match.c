/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks matching of descriptors, and compares its time with OpenCV's. */
#include "peers.h"
#include <gst/vision/match/match.h>
#include "../reference/match.h"
#include <math.h>
#include <string.h>

#define SIZE GST_MGPU_DESCRIPTOR_SIZE

#ifdef HAVE_OPENCV
#define HAS_PEERS 1
#else
#define HAS_PEERS 0
#endif

/* Number of bytes after the results that nobody may write to */
#define GUARD 256

G_STATIC_ASSERT (sizeof (RefMatch) == sizeof (MgpuNearest));

/* Contents of descriptors */
enum
{
  CONTENT_RANDOM,
  CONTENT_EXTREME,              /* descriptors of only 0 and 255, which have the largest
                                 * distances */
  CONTENT_ALIKE,                /* descriptors of few different values, so that many are equally
                                 * near */
  CONTENT_SIFT,                 /* descriptors of a norm of 512, with each train descriptor near a
                                 * query descriptor */
  N_CONTENTS
};

static const gchar *const content_names[] = {
  "random", "extreme", "alike", "sift"
};

static const guint sizes[][2] = {
  {5, 9}, {1, 1}, {33, 35}, {70, 3}, {1, 2}, {2, 1}, {3, 131}, {64, 64},
  {65, 33}, {1, 700}, {129, 300}, {700, 129}, {1000, 1000}
};

static const gdouble ratios[] = { 0.75, 1, 0.8, 0.999, 0.5, 0 };

/* Two lists of descriptors, and the nearest descriptors in both directions */
typedef struct
{
  guint n[2];
  guint8 *lists[2];
  RefMatch *want[2];
  GstMgpuMemory *memories[2];
} Lists;

static void
fill_descriptor (guint8 * descriptor, guint content, KcRandom * random)
{
  for (guint k = 0; k < SIZE; k++) {
    switch (content) {
      case CONTENT_RANDOM:
        descriptor[k] = kc_random_below (random, 256);
        break;
      case CONTENT_EXTREME:
        descriptor[k] = kc_random_below (random, 2) * 255;
        break;
      case CONTENT_ALIKE:
        descriptor[k] = k == 77 ? kc_random_below (random, 3) : 2 * k;
        break;
      default:
        descriptor[k] = kc_random_below (random, 3) == 0 ?
            kc_random_below (random, 136) : 0;
        break;
    }
  }
}

static void
fill_lists (Lists * lists, guint content, KcRandom * random)
{
  for (guint s = 0; s < 2; s++)
    for (guint i = 0; i < lists->n[s]; i++)
      fill_descriptor (lists->lists[s] + (gsize) SIZE * i, content, random);
  if (content != CONTENT_SIFT)
    return;
  for (guint i = 0; i < lists->n[1]; i++) {
    guint8 *to = lists->lists[1] + (gsize) SIZE * i;

    memcpy (to, lists->lists[0] + SIZE * (gsize) kc_random_below (random,
            lists->n[0]), SIZE);
    for (guint k = 0; k < SIZE; k++)
      to[k] += to[k] > 0 ? kc_random_below (random, 30) : 0;
  }
}

static gboolean
lists_init (Lists * lists, KcRun * run, guint n, guint m, guint content,
    KcRandom * random)
{
  memset (lists, 0, sizeof (*lists));
  lists->n[0] = n;
  lists->n[1] = m;
  for (guint s = 0; s < 2; s++)
    lists->lists[s] = g_malloc ((gsize) SIZE * lists->n[s]);
  fill_lists (lists, content, random);
  for (guint s = 0; s < 2; s++) {
    lists->memories[s] = kc_memory_new (run, lists->lists[s],
        (gsize) SIZE * lists->n[s]);
    if (lists->memories[s] == NULL)
      return FALSE;
  }
  return TRUE;
}

static void
make_references (Lists * lists)
{
  for (guint s = 0; s < 2; s++) {
    lists->want[s] = g_new (RefMatch, lists->n[s]);
    ref_match (lists->lists[s], lists->n[s], lists->lists[!s], lists->n[!s],
        lists->want[s]);
  }
}

static void
lists_clear (Lists * lists)
{
  for (guint s = 0; s < 2; s++) {
    g_free (lists->lists[s]);
    g_free (lists->want[s]);
    if (lists->memories[s] != NULL)
      kc_memory_free (lists->memories[s]);
  }
}

/* Memories of a search, and its results */
typedef struct
{
  gsize size;                   /* of the results */
  GstMgpuMemory *scratch, *nearest;
  guint8 *got;
} Search;

static gboolean
search_init (Search * search, KcRun * run, MgpuObject * self, guint n, guint m)
{
  gsize scratch_size = mgpu_match_get_scratch_size (self, n, m);
  g_autofree guint8 *scratch = g_malloc (scratch_size);

  search->size = n * sizeof (MgpuNearest);
  search->got = g_malloc (search->size + GUARD);
  memset (scratch, 0xa5, scratch_size);
  memset (search->got, 0xa5, search->size + GUARD);
  search->scratch = kc_memory_new (run, scratch, scratch_size);
  search->nearest = kc_memory_new (run, search->got, search->size + GUARD);
  return search->scratch != NULL && search->nearest != NULL;
}

static void
search_clear (Search * search)
{
  g_free (search->got);
  if (search->scratch != NULL)
    kc_memory_free (search->scratch);
  if (search->nearest != NULL)
    kc_memory_free (search->nearest);
}

static void
enqueue (Search * search, KcRun * run, MgpuObject * self, const Lists * lists,
    guint s)
{
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_match_enqueue (self, &job, lists->memories[s], lists->n[s],
      lists->memories[!s], lists->n[!s], search->scratch, search->nearest);
  kc_end_job (run, &job);
}

static gboolean
check_search (KcRun * run, MgpuObject * self, const Lists * lists, guint s)
{
  Search search = { 0, };
  gboolean ok = FALSE;

  if (search_init (&search, run, self, lists->n[s], lists->n[!s])) {
    KcArray want = { s == 0 ? "nearest train" : "nearest query", KC_U32,
      lists->want[s], sizeof (RefMatch), 4, 3, lists->n[s]
    };
    KcArray got = want;

    enqueue (&search, run, self, lists, s);
    ok = kc_memory_read (run, search.nearest, search.got);
    got.data = search.got;
    ok = ok && kc_compare_array (run, &want, &got);
    for (gsize i = 0; ok && i < GUARD; i++)
      if (search.got[search.size + i] != 0xa5) {
        kc_case_fail (run, "bytes behind the results were written to");
        ok = FALSE;
      }
  }
  search_clear (&search);
  return ok;
}

static void
check_select (KcRun * run, const Lists * lists, gdouble ratio, gboolean mutual)
{
  guint n = lists->n[0], n_want, n_got;
  g_autofree guint32 *matching = g_new (guint32, n);
  g_autofree GstMgpuKeypointMatch *want = g_new0 (GstMgpuKeypointMatch, n);
  g_autofree GstMgpuKeypointMatch *matches = g_new0 (GstMgpuKeypointMatch, n);
  KcArray want_array = { "matches", KC_U32, want, sizeof (*want), 4, 3, n };
  KcArray got_array = want_array;

  n_want = ref_match_select (lists->want[0], n, mutual ? lists->want[1] : NULL,
      ratio, matching);
  for (guint i = 0; i < n_want; i++) {
    const RefMatch *from = &lists->want[0][matching[i]];

    want[i].query = matching[i];
    want[i].train = from->train;
    want[i].distance = from->distance;
  }
  n_got = mgpu_match_select ((const MgpuNearest *) lists->want[0], n,
      mutual ? (const MgpuNearest *) lists->want[1] : NULL, lists->n[1], ratio,
      matches);
  got_array.data = matches;
  if (n_got != n_want)
    kc_case_fail (run, "ratio %g, mutual %d: %u matches, not %u", ratio, mutual,
        n_got, n_want);
  else
    kc_compare_array (run, &want_array, &got_array);
}

static void
check_case (KcRun * run, MgpuObject * self, KcKind kind, guint n, guint m,
    guint content, KcRandom * random)
{
  Lists lists;

  kc_case_begin (run, kind, "%u queries, %u trains, %s", n, m,
      content_names[content]);
  if (lists_init (&lists, run, n, m, content, random)) {
    make_references (&lists);
    if (check_search (run, self, &lists, 0)
        && check_search (run, self, &lists, 1))
      for (guint i = 0; i < G_N_ELEMENTS (ratios); i++)
        check_select (run, &lists, ratios[i], i % 2 == 0);
  }
  lists_clear (&lists);
  kc_case_end (run);
}

#ifdef HAVE_OPENCV
static gfloat *
make_floats (const guint8 * bytes, gsize n)
{
  gfloat *floats = g_new (gfloat, n);

  for (gsize i = 0; i < n; i++)
    floats[i] = bytes[i];
  return floats;
}

/* Compares the reference with OpenCV, whose distances are square roots. Of several descriptors at
 * the same distance OpenCV may choose any. */
static void
compare_opencv (KcRun * run, guint n, guint m, guint content)
{
  gint (*numbers)[2] = g_malloc (n * sizeof (*numbers));
  gfloat (*distances)[2] = g_malloc (n * sizeof (*distances));
  Lists lists;
  KcRandom random;

  kc_random_init (&random, run->seed);
  kc_case_begin (run, KC_RANDOM, "OpenCV, %u queries, %u trains, %s", n, m,
      content_names[content]);
  if (lists_init (&lists, run, n, m, content, &random)) {
    g_autofree gfloat *queries = make_floats (lists.lists[0], (gsize) SIZE * n);
    g_autofree gfloat *trains = make_floats (lists.lists[1], (gsize) SIZE * m);

    make_references (&lists);
    kc_opencv_match (queries, n, trains, m, FALSE, numbers, distances);
    for (guint i = 0; i < n; i++) {
      const RefMatch *want = &lists.want[0][i];
      gboolean has_second = want->second != G_MAXUINT32;

      if (distances[i][0] != sqrtf (want->distance)
          || (numbers[i][1] >= 0) != has_second
          || (has_second && distances[i][1] != sqrtf (want->second))
          || (want->distance != want->second
              && numbers[i][0] != (gint) want->train)) {
        kc_case_fail (run, "query %u: %d, %g and %g; ours %u, %g and %g", i,
            numbers[i][0], distances[i][0], distances[i][1], want->train,
            sqrt (want->distance), sqrt (want->second));
        break;
      }
    }
  }
  lists_clear (&lists);
  kc_case_end (run);
  g_free (numbers);
  g_free (distances);
}
#endif

static void
check (KcRun * run)
{
  guint n_sizes = run->quick ? 4 : G_N_ELEMENTS (sizes);
  guint n_random = run->quick ? 1 : 40, most = run->quick ? 40 : 400;
  MgpuObject *self = kc_object_new (run, &mgpu_match);
  KcRandom random;

  if (self == NULL)
    return;
  kc_random_init (&random, 1);
  for (guint i = 0; i < n_sizes * (run->quick ? 1 : N_CONTENTS)
      && kc_goes_on (run); i++)
    check_case (run, self, KC_FIXED, sizes[i % n_sizes][0],
        sizes[i % n_sizes][1], (i + i / n_sizes) % N_CONTENTS, &random);

  kc_random_init (&random, run->seed);
  for (guint i = 0; i < n_random && kc_goes_on (run); i++) {
    guint n = 1 + kc_random_below (&random, most);
    guint m = 1 + kc_random_below (&random, most);

    check_case (run, self, KC_RANDOM, n, m,
        kc_random_below (&random, N_CONTENTS), &random);
  }
  mgpu_object_free (self);
#ifdef HAVE_OPENCV
  for (guint i = 0; i < N_CONTENTS && !run->quick; i++) {
    compare_opencv (run, 300, 200 + i, i);
    compare_opencv (run, 1 + i, 1 + i / 2, i);
  }
#endif
}

/* ---- Timing and peers (other libraries) ------------------------------------- */

typedef struct
{
  KcRun *run;
  MgpuObject *self;
  Lists lists;
  Search search;
  gfloat *queries, *trains;     /* for OpenCV */
} Bench;

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);

  enqueue (&bench->search, run, bench->self, &bench->lists, 0);
  return kc_wait (run, bench->search.nearest, before);
}

#ifdef HAVE_OPENCV
static gdouble
opencv_match (gpointer data)
{
  Bench *bench = data;

  return kc_opencv_match (bench->queries, bench->lists.n[0], bench->trains,
      bench->lists.n[1], FALSE, NULL, NULL);
}

static gdouble
opencv_match_bytes (gpointer data)
{
  Bench *bench = data;
  const Lists *lists = &bench->lists;

  return kc_opencv_match (lists->lists[0], lists->n[0], lists->lists[1],
      lists->n[1], TRUE, NULL, NULL);
}
#endif

static void
bench_size (KcRun * run, MgpuObject * self, guint n, guint m)
{
  Bench bench = { run, self };
  KcRandom random;

  kc_random_init (&random, 3);
  kc_case_begin (run, KC_RANDOM, "bench %ux%u", n, m);
  if (lists_init (&bench.lists, run, n, m, CONTENT_SIFT, &random)
      && search_init (&bench.search, run, self, n, m)) {
    KcPython python = {
      .a = {"a", KC_U8, bench.lists.lists[0], SIZE, 1, SIZE, n},
      .b = {"b", KC_U8, bench.lists.lists[1], SIZE, 1, SIZE, m}
    };
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench, &python, {bench.search.nearest}},
#ifdef HAVE_OPENCV
      {"OpenCV", opencv_match, &bench},
      {"on bytes", opencv_match_bytes, &bench},
#endif
    };
    /* Leaves out the last peer for many descriptors, because it takes seconds. */
    guint n_peers = G_N_ELEMENTS (contestants) - (n > 2000 && HAS_PEERS);
    gchar *what = g_strdup_printf ("%ux%u descriptors", n, m);

#ifdef HAVE_OPENCV
    bench.queries = make_floats (bench.lists.lists[0], (gsize) SIZE * n);
    bench.trains = make_floats (bench.lists.lists[1], (gsize) SIZE * m);
#endif
    kc_python_set (&python, "m = cv2.BFMatcher(cv2.NORM_L2); "
        "a = a.astype('f4'); b = b.astype('f4')", "m.knnMatch(a, b, 2)");
    kc_bench (run, what, contestants, run->peers ? n_peers : 1);
    kc_python_clear (&python);
    g_free (what);
  }
  search_clear (&bench.search);
  lists_clear (&bench.lists);
  g_free (bench.queries);
  g_free (bench.trains);
  kc_case_end (run);
}

static void
bench (KcRun * run)
{
  static const guint bench_sizes[] = { 500, 2000, 10000 };
  MgpuObject *self = kc_object_new (run, &mgpu_match);

  for (guint i = 0; i < G_N_ELEMENTS (bench_sizes) && self != NULL
      && kc_goes_on (run); i++)
    bench_size (run, self, bench_sizes[i], bench_sizes[i]);
  mgpu_object_free (self);
}

const KcFunction kc_match = { "match", check, bench };
