/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The dialogs of retouch: the question whether to discard changes, and the choice of a file to open
 * or save. */
#include "retouch.h"

#include <gtk/gtk.h>

gboolean
retouch_ask_discard (GtkWidget * window)
{
  GtkWidget *dialog = gtk_message_dialog_new (GTK_WINDOW (window),
      GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION,
      GTK_BUTTONS_NONE, "The picture has changes that are not saved.");
  gint answer;

  gtk_dialog_add_buttons (GTK_DIALOG (dialog), "_Cancel", GTK_RESPONSE_CANCEL,
      "_Discard Changes", GTK_RESPONSE_ACCEPT, NULL);
  answer = gtk_dialog_run (GTK_DIALOG (dialog));
  gtk_widget_destroy (dialog);
  return answer == GTK_RESPONSE_ACCEPT;
}

gchar *
retouch_ask_file (GtkWidget * window, gboolean to_save)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (to_save
      ? "Save the Picture" : "Open a Picture or Video", GTK_WINDOW (window),
      to_save ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN,
      to_save ? "_Save" : "_Open", NULL);
  gchar *path = NULL;

  gtk_file_chooser_set_do_overwrite_confirmation (GTK_FILE_CHOOSER (chooser),
      TRUE);
  if (to_save)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser),
        "retouched.png");
  if (gtk_native_dialog_run (GTK_NATIVE_DIALOG (chooser))
      == GTK_RESPONSE_ACCEPT)
    path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (chooser));
  g_object_unref (chooser);
  return path;
}
