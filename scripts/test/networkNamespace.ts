import { spawnSync } from 'node:child_process'

/**
 * A network, mounts and processes of its own for one command. Containers in it can create and remove networks unnoticed by browsers
 * outside, and anything the command leaves running ends with it, even if it is killed.
 *
 * - /sys belongs to the namespace it was mounted in, so it is mounted again; the cgroups are carried over.
 * - netavark keeps its state in /run/containers/networks, podman its locks in /dev/shm, `ip netns` its names in /run/netns: these are per
 *   machine, and their process ids are meaningless here.
 * - Without a default route the kernel answers "unreachable" before any firewall rule applies. Nothing is behind this one.
 * - RACKFAIR_NAMESPACE says that addresses and bridges here are exclusive.
 * - The shell stays as the first process, to reap orphans.
 */
const SETUP = `
set -e
ip link set lo up
sys=$(mktemp -d)
mount -t sysfs sysfs "$sys"
mount --rbind /sys/fs/cgroup "$sys/fs/cgroup"
mount --rbind "$sys" /sys
umount -l "$sys"
rmdir "$sys"
mkdir -p /run/containers/networks /run/netns
for folder in /run/containers/networks /run/netns /dev/shm; do mount -t tmpfs tmpfs "$folder"; done
ip link add uplink type bridge
ip address add 198.51.100.2/24 dev uplink
ip link set uplink up
ip route add default via 198.51.100.1
export RACKFAIR_NAMESPACE=1
set +e
"$@"
exit $?
`

const OWN_PROCESSES = ['--mount', '--propagation', 'slave', '--pid', '--fork', '--kill-child', '--mount-proc']
const UNSHARE = ['unshare', '--net', ...OWN_PROCESSES, 'sh', '-c', SETUP, 'namespace']

/** `command`, wrapped to run in a network namespace of its own. */
export const inNamespace = (command: readonly string[]): string[] => [...UNSHARE, ...command]

/**
 * `command`, wrapped to run in a process namespace of its own, on the machine's network. If it is killed, a browser's pages become orphans:
 * here the shell reaps them, so their time counts as the command's.
 */
export const withOwnProcesses = (command: readonly string[]): string[] => [
  ...['unshare', ...OWN_PROCESSES],
  ...['sh', '-c', '"$@"; exit $?', 'processes', ...command],
]

/** Why this machine cannot create such a namespace; undefined if it can. */
export function whyNoNamespace(): string | undefined {
  const { status, error, stderr } = spawnSync(UNSHARE[0] as string, [...UNSHARE.slice(1), 'true'], { encoding: 'utf8' })
  if (status === 0) return undefined
  return (error?.message ?? stderr.trim().split('\n').at(-1)) || `unshare ended with ${status}`
}
