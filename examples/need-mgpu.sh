# SPDX-License-Identifier: LGPL-2.1-or-later
# Ends the script that sources this file where GStreamer finds no plugin mgpu, and says why.
# shellcheck shell=bash
gst-inspect-1.0 mgpu >/dev/null 2>&1 || {
  echo "GStreamer finds no plugin mgpu. Install the package gstreamer1.0-mgpu, or run this" \
    "script in the shell that \`meson devenv -C build -w .\` opens." >&2
  exit 1
}
