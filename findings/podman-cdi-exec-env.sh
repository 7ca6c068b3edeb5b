#!/usr/bin/env bash
# podman and CDI: what a device adds to the environment reaches the first process, and no `podman exec`.
#
# What: a CDI device may carry environment variables besides device nodes and mounts (`containerEdits.env`); GPU toolkits say by them which
# card a process may use. podman writes them into the configuration that the OCI runtime starts the container from, not into its own
# record of the container, from which `podman exec` takes its environment. So a program works as the container's command and finds no card
# in a terminal of the same container. Who offers shells has to pass the variables with each exec, or to read them from /proc/1/environ.
# Version: podman 4.3.1 with runc (Debian 12), CDI 0.5.0.
# Seen: "first process: CARD=zero; exec: none".
#
# Exits with 0 if it is so, 1 if not, 77 where podman cannot run or busybox-static cannot be fetched.
set -u
for needed in podman runc unshare apt-get dpkg-deb; do command -v "$needed" >/dev/null || { echo "$needed is not installed"; exit 77; }; done
[ "$(id -u)" = 0 ] || { echo "needs root, for namespaces of its own"; exit 77; }
folder=$(mktemp -d /tmp/pmXXXXXX)
trap 'umount -l "$folder/store/vfs" 2>/dev/null; rm -rf "$folder"' EXIT
(cd "$folder" && chmod 755 . && apt-get download busybox-static >/dev/null 2>&1 && dpkg-deb -x busybox-static_*.deb package) ||
  { echo "busybox-static cannot be fetched"; exit 77; }
mkdir -p "$folder/root/bin"
cp "$folder"/package/{,usr/}bin/busybox "$folder/root/bin/" 2>/dev/null
for name in sh env sleep tr grep; do ln -s busybox "$folder/root/bin/$name"; done
tar -C "$folder/root" -cf "$folder/image.tar" .
podman --version
# podman looks for devices in /run/cdi only: in a mount namespace of our own, that is a folder of our own.
unshare --mount --net bash -s "$folder" <<'INSIDE'
folder=$1
mount -t tmpfs none /run && mkdir /run/cdi
cat > /run/cdi/example.json <<'DEVICE'
{"cdiVersion":"0.5.0","kind":"example.test/gpu","devices":[{"name":"0","containerEdits":{"env":["CARD=zero"]}}]}
DEVICE
podman=(podman --runtime runc --cgroup-manager cgroupfs --root "$folder/store" --runroot "$folder/run" --tmpdir "$folder/run/tmp"
  --storage-driver vfs --events-backend none)
"${podman[@]}" import --quiet "$folder/image.tar" probe >/dev/null 2>&1
"${podman[@]}" run --detach --name probe --network none --device example.test/gpu=0 probe /bin/sleep 100 >/dev/null 2>"$folder/log" ||
  { echo "podman starts nothing here: $(tail -1 "$folder/log")"; exit 77; }
first=$("${podman[@]}" exec probe /bin/sh -c 'tr "\0" "\n" < /proc/1/environ | grep CARD' 2>/dev/null)
exec=$("${podman[@]}" exec probe /bin/env 2>/dev/null | grep CARD)
"${podman[@]}" rm --force --time 0 probe >/dev/null 2>&1
echo "first process: ${first:-none}; exec: ${exec:-none}"
[ "$first" = CARD=zero ] && [ -z "$exec" ]
INSIDE
