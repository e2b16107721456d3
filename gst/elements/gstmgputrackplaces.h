/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Counts the objects that cross lines, and that enter and leave zones.
 * Coordinates are shares of the frame: (0, 0) is its upper left corner, (1, 1)
 * its lower right one. */

/* Names what an object did at a line or a zone. */
typedef enum
{
  GST_MGPU_TRACK_CROSSED_IN,    /* crossed a line from its left to its right, as seen from
                                 * its first point */
  GST_MGPU_TRACK_CROSSED_OUT,
  GST_MGPU_TRACK_ENTERED,
  GST_MGPU_TRACK_LEFT
} GstMgpuTrackDeed;

/* Tells what an object did at a line or a zone. */
typedef struct
{
  GstMgpuTrackDeed deed;
  const gchar *name;            /* name of the line or zone, which owns it */
  guint64 in, out;              /* counts of the line or zone after this
                                 * event */
} GstMgpuTrackNews;

/* Remembers on which side of a line an object was, or whether it was inside of
 * a zone. */
typedef struct
{
  gint side;                    /* -1: left of the line, or outside of the zone; 1: right of
                                 * it, or inside; 0: not known yet */
  guint n_other;                /* number of frames in a row that the object was on the
                                 * other side */
  gdouble x, y;                 /* last place of the object on its side */
  gdouble other_x, other_y;     /* first place of the object on the other side */
} GstMgpuTrackVisit;

typedef struct _GstMgpuTrackPlaces GstMgpuTrackPlaces;

/* Reads @lines, "name:x1,y1,x2,y2;...", and zones,
 * "name:x1,y1,x2,y2,x3,y3...;...". Either may be NULL. Returns: NULL, with an
 * error that names the property, when one has a mistake */
GstMgpuTrackPlaces * gst_mgpu_track_places_new  (const gchar * lines, const gchar * zones, GError ** error);
void                 gst_mgpu_track_places_free (GstMgpuTrackPlaces * self);

/* Returns: the number of GstMgpuTrackVisit that an object needs, which are zeroed at
 * first */
guint gst_mgpu_track_places_get_n  (const GstMgpuTrackPlaces * self);

/* Updates the visits of an object that is now at (x, y). Appends to @news, an
 * array of GstMgpuTrackNews, what the object did. An object counts as being on
 * another side after side_frames frames there. */
void  gst_mgpu_track_places_visit  (GstMgpuTrackPlaces * self, GstMgpuTrackVisit * visits, gdouble x, gdouble y,
    guint side_frames, GArray * news);

/* Removes an object from the counts of the zones that it is in, because it is
 * not followed any more. */
void  gst_mgpu_track_places_end    (GstMgpuTrackPlaces * self, GstMgpuTrackVisit * visits, GArray * news);

/* Sets all counts to zero. */
void  gst_mgpu_track_places_reset  (GstMgpuTrackPlaces * self);

/* Adds to @counts the fields NAME-in and NAME-out of each line, and NAME-in,
 * NAME-out and NAME-inside of each zone. */
void  gst_mgpu_track_places_tell   (const GstMgpuTrackPlaces * self, GstStructure * counts);

G_END_DECLS
