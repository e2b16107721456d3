#!/bin/sh
# Checks that the recipes in packaging/ fit this version of the source.
#
#   packaging.sh ROOT VERSION     the root of the source, and the project's version
set -eu
root=$1 version=$2
cd "$root/packaging"
failed=0
complain () {
  echo "packaging/$*"
  failed=1
}

for option in $(grep -ohE -- '-D[a-z-]+=' yocto/*.bb buildroot/*.mk | sort -u | sed 's/^-D//; s/=$//'); do
  grep -q "^option('$option'" ../meson_options.txt || complain "*: the build has no option $option"
done
[ -e "yocto/gst-mgpu_$version.bb" ] || complain "yocto: no recipe of version $version"
grep -q "^GST_MGPU_VERSION = $version\$" buildroot/gst-mgpu.mk || complain "buildroot/gst-mgpu.mk: not version $version"
sum=$(md5sum ../LICENSE | cut -d' ' -f1)
grep -q "LICENSE;md5=$sum" yocto/*.bb || complain "yocto: LICENSE has the sum $sum"

# Lets make read Buildroot's rules, and writes what it would build with them to the log.
settings=$(make -s -f - BR2_PACKAGE_GST1_PLUGINS_BAD=y <<'END'
include buildroot/gst-mgpu.mk
all:
	@echo $(GST_MGPU_VERSION) $(GST_MGPU_SOURCE) $(GST_MGPU_DEPENDENCIES) $(GST_MGPU_CONF_OPTS)
END
)
echo "$settings"
case $settings in
  "$version gst-mgpu-$version.tar.gz "*gst1-plugins-bad*-Danalytics=auto) ;;
  *) complain "buildroot/gst-mgpu.mk: make reads it otherwise";;
esac
exit $failed
