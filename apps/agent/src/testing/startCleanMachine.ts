import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inCgroups, makeCgroups, removeCgroups } from '@rackfair/testkit'
import { CLEAN_MACHINE } from './cleanMachine.ts'

/** Units that would change the host's kernel, or wait for consoles and packages that the machine does not have. */
const LEFT_ALONE = [
  ...['systemd-sysctl.service', 'systemd-modules-load.service', 'systemd-binfmt.service', 'proc-sys-fs-binfmt_misc.automount'],
  ...['systemd-tmpfiles-setup-dev.service', 'systemd-random-seed.service', 'dev-hugepages.mount', 'dev-mqueue.mount'],
  ...[
    'sys-kernel-debug.mount',
    'sys-kernel-tracing.mount',
    'sys-kernel-config.mount',
    'systemd-journald-audit.socket',
    'systemd-firstboot.service',
  ],
  ...[
    'getty.target',
    'apt-daily.timer',
    'apt-daily-upgrade.timer',
    'dpkg-db-backup.timer',
    'systemd-tmpfiles-clean.timer',
    'e2scrub_all.timer',
    'fstrim.timer',
  ],
]
/** The cgroup namespace is entered before its hierarchies are mounted, so that they are rooted in it. */
const BOOT = `
set -e
root=$1; shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
for folder in sys dev; do mount --rbind /$folder "$root/$folder"; done
umount -l "$root/sys/fs/cgroup"
grep ' /sys/fs/cgroup' /proc/self/mounts | while read -r what path type options rest; do
  mkdir -p "$root$path"; mount -t "$type" -o "$options" "$what" "$root$path"
done
mount -t tmpfs tmpfs "$root/run"
mkdir -p "$root/run/lock"
for shared; do mkdir -p "$root$shared"; mount --rbind "$shared" "$root$shared"; done
cd "$root"
pivot_root . mnt
umount -l mnt
# As on any machine: a service gets its credentials from a mount that another process of systemd makes.
mount --make-rshared /
export container=rackfair-test
exec chroot . /lib/systemd/systemd
`
const UNSHARE = ['--mount', '--uts', '--pid', '--ipc', '--cgroup', '--fork', '--kill-child', '--propagation', 'private']
const BOOT_MS = 120_000

export interface CleanMachine {
  /** Its files as seen from the host, without its mounts. */
  root: string
  /** `command` as run on that machine. */
  on: (command: readonly string[]) => string[]
  /** Ends what was started with `on`, like its service manager would. */
  end: (child: ChildProcess) => Promise<void>
  stop: () => Promise<void>
}

/**
 * A machine with only Debian, git, Node and npm, and a systemd that starts its services: its own files, mounts, processes, cgroups and
 * /run, but the caller's network. `shared` folders have the same path in it.
 */
export async function startCleanMachine(folder: string, shared: readonly string[]): Promise<CleanMachine> {
  const root = join(folder, 'clean')
  mkdirSync(root)
  const unpacked = spawnSync('tar', ['-xf', CLEAN_MACHINE, '-C', root, '--numeric-owner'], { encoding: 'utf8' })
  if (unpacked.status !== 0) throw new Error(unpacked.stderr)
  // Otherwise it assumes a first boot, and asks at a console for language and password.
  writeFileSync(join(root, 'etc/machine-id'), '')
  // Otherwise it first empties /tmp, including what is shared in it.
  symlinkSync('/dev/null', join(root, 'etc/tmpfiles.d/tmp.conf'))
  for (const unit of LEFT_ALONE) symlinkSync('/dev/null', join(root, 'etc/systemd/system', unit))
  const cgroup = `rackfair-machine-${randomBytes(3).toString('hex')}`
  makeCgroups(cgroup)
  const [program = '', ...args] = inCgroups(cgroup, ['unshare', ...UNSHARE, 'sh', '-c', BOOT, 'machine', root, ...shared])
  const holder: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  holder.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const on = (command: readonly string[]) => {
    const first = String(childOf(holder) ?? '')
    const namespaces = ['--mount', '--uts', '--pid', '--ipc', '--cgroup', '--root', '--wd']
    return inCgroups(cgroup, ['nsenter', '--target', first, ...namespaces, ...command])
  }
  const stop = async () => {
    await ended(holder, () => holder.kill('SIGKILL'))
    await removeCgroups(cgroup)
  }
  const began = performance.now()
  while (!['running', 'degraded'].includes(systemState(on))) {
    if (holder.exitCode === null && performance.now() - began < BOOT_MS) await sleep(100)
    else {
      await stop()
      throw new Error(`the clean machine did not start: ${said}`)
    }
  }
  return { root, on, stop, end: (child) => ended(child, () => process.kill(childOf(child) as number, 'SIGTERM')) }
}

/** The only child of `unshare` and `nsenter` in another PID namespace; they end with it. */
const childOf = ({ pid }: ChildProcess): number | undefined =>
  Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10) || undefined

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  end()
  await exit
}

/** The state that systemd reports; empty while it does not answer. */
function systemState(on: CleanMachine['on']): string {
  const [program = '', ...args] = on(['systemctl', 'is-system-running'])
  return spawnSync(program, args, { encoding: 'utf8' }).stdout.trim()
}
