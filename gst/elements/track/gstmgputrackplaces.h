/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Counts the objects that cross lines, and that enter and leave zones. Coordinates are fractions of
 * the frame's width and height: (0, 0) is the upper left corner of the frame, (1, 1) the lower
 * right one. */

/* What an object did at a line or a zone */
typedef enum
{
  GST_MGPU_TRACK_CROSSED_IN,    /* crossed a line from its left to its right, as seen from
                                 * the line's first point towards its second one */
  GST_MGPU_TRACK_CROSSED_OUT,
  GST_MGPU_TRACK_ENTERED,
  GST_MGPU_TRACK_LEFT
} GstMgpuTrackDeed;

/* Describes what an object did at a line or a zone. */
typedef struct
{
  GstMgpuTrackDeed deed;
  const gchar *name;            /* name of the line or zone, a string that the line or
                                 * zone owns */
  guint64 in, out;              /* numbers of objects that went in and out at the line or
                                 * zone, including this event */
} GstMgpuTrackNews;

/* Remembers on which side of a line an object was, or whether it was inside of a zone. */
typedef struct
{
  gint side;                    /* side on which the object is: -1: left of the line, or
                                 * outside of the zone; 1: right of the line, or inside of
                                 * the zone; 0: not known yet */
  guint n_other;                /* number of frames in a row, up to now, for which the
                                 * object was on the other side */
  gdouble x, y;                 /* last position of the object while it was on the side @side, as
                                 * fractions of the frame's width and height */
  gdouble other_x, other_y;     /* first position of the object on the other side, as fractions of
                                 * the frame's width and height */
} GstMgpuTrackVisit;

typedef struct _GstMgpuTrackPlaces GstMgpuTrackPlaces;

/* Reads the lines in @lines, "name:x1,y1,x2,y2;...", and the zones in @zones,
 * "name:x1,y1,x2,y2,x3,y3...;...". Either may be NULL. Returns: (transfer full)
 * (nullable): the lines and zones; NULL with an error, which names the property that has
 * a mistake */
GstMgpuTrackPlaces * gst_mgpu_track_places_new  (const gchar * lines, const gchar * zones, GError ** error);
void                 gst_mgpu_track_places_free (GstMgpuTrackPlaces * self);

/* Returns: how many GstMgpuTrackVisit each object needs: one for each line and zone,
 * zeroed at first */
guint gst_mgpu_track_places_get_n  (const GstMgpuTrackPlaces * self);

/* Updates @visits, which say on which side of each line and zone an object was; the object
 * is now at (x, y). Appends to @news, an array of GstMgpuTrackNews, what the object did. An
 * object counts as having changed sides when it has been on the other side for @side_frames
 * frames. */
void  gst_mgpu_track_places_visit  (GstMgpuTrackPlaces * self, GstMgpuTrackVisit * visits, gdouble x, gdouble y,
    guint side_frames, GArray * news);

/* Removes an object from the counts of objects inside of zones, because the object is not
 * tracked any more. */
void  gst_mgpu_track_places_end    (GstMgpuTrackPlaces * self, GstMgpuTrackVisit * visits, GArray * news);

/* Sets the counts of all lines and zones to 0. */
void  gst_mgpu_track_places_reset  (GstMgpuTrackPlaces * self);

/* Adds to @counts the fields NAME-in and NAME-out of each line, and NAME-in,
 * NAME-out and NAME-inside of each zone. */
void  gst_mgpu_track_places_tell   (const GstMgpuTrackPlaces * self, GstStructure * counts);

G_END_DECLS
