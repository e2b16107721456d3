/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <kernels/tags/tags-shared.h>

#include "dictionary.h"

G_BEGIN_DECLS

/* Returns: how unlikely it is, in bits, that a square without a tag is read as a tag of @family with
 * up to @hamming wrong bits and up to @ring_errors wrong cells of both rings along the border. The
 * codes of @n_families families are tried. Squares have at most a fifth of wrong cells, or they are
 * not read, so that many cells are no evidence */
gdouble mgpu_tag_evidence (const MgpuTagDictionary * family, guint n_families, guint hamming,
    guint ring_errors);

/* Returns: the bits of evidence that the tag @id of @family loses because windows and signs look like
 * it: 0 unless its code has few edges between cells */
gdouble mgpu_tag_evidence_loss (const MgpuTagDictionary * family, guint id);

/* Sets @most_errors as in TagsFamily, for tags with up to @max_hamming wrong bits, but fewer than
 * half of the distance of the family, and with an evidence of at least @least bits. Tags without a
 * wrong bit and with up to one wrong cell always count. Returns: whether a tag without any error
 * has that evidence */
gboolean mgpu_tag_evidence_limit (const MgpuTagDictionary * family, guint n_families, guint max_hamming,
    gdouble least, gint most_errors[TAGS_MAX_HAMMING + 1]);

G_END_DECLS
