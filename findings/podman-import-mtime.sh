#!/usr/bin/env bash
# podman import: the id of an image depends on the modification time of the tar file.
#
# What: the same bytes, imported twice with the same options, are two images with different ids if the file's time differs: podman takes
# it for the time at which the image was created, which is part of the configuration that the id is the digest of. `cp` and `touch` are
# enough to make another image; SOURCE_DATE_EPOCH, which makes the tar itself reproducible, changes nothing about it. Who relies on "equal
# bytes, equal id" has to set the time of the file first, or to hand podman an OCI layout with a configuration of its own.
# Version: podman 4.3.1 (Debian 12).
# Seen: "same bytes, same time: 1e69b9f7262e 1e69b9f7262e; one second later: fae2a7b2f7e2"; `created` is what differs.
#
# Exits with 0 if it is so, 1 if not, 77 where podman cannot run.
set -u
command -v podman >/dev/null || { echo "podman is not installed"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "needs root, to keep the images in a folder of its own"; exit 77; }
folder=$(mktemp -d /tmp/pmXXXXXX)
trap 'umount -l "$folder/store/vfs" 2>/dev/null; rm -rf "$folder"' EXIT
places=(--root "$folder/store" --runroot "$folder/run" --tmpdir "$folder/run/tmp" --storage-driver vfs)
mkdir "$folder/root" && echo hello > "$folder/root/file"
tar --sort=name --mtime=@0 --owner=0 --group=0 -C "$folder/root" -cf "$folder/image.tar" .
import() {
  podman "${places[@]}" import --quiet --change 'CMD ["/file"]' "$folder/image.tar" 2>/dev/null | sed 's/sha256://'
}
touch -d @1767225600 "$folder/image.tar"; first=$(import); again=$(import)
touch -d @1767225601 "$folder/image.tar"; later=$(import)
[ -n "$first" ] && [ -n "$later" ] || { echo "podman imports nothing here"; exit 77; }
echo "$(podman --version); same bytes, same time: ${first:0:12} ${again:0:12}; one second later: ${later:0:12}"
for id in "$first" "$later"; do podman "${places[@]}" inspect --type image --format '{{.Created}}' "$id" 2>/dev/null; done
[ "$first" = "$again" ] && [ "$first" != "$later" ]
