import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../foundation/log.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { mountPoints } from './mountPoints.ts'

/** What lxcfs answers from the limits of the container that asks. */
const FILES = ['cpuinfo', 'diskstats', 'loadavg', 'meminfo', 'stat', 'swaps', 'uptime'] as const
/** One that cannot start ends; one that only starts late would leave every container with the machine's view. */
const UP_MS = 60_000
const [SETNS, UMOUNT2] = process.arch === 'arm64' ? [268, 39] : [308, 166]

/**
 * Puts the files into the mount namespace of a process, over those of an lxcfs that is gone. In perl, which every Debian has, because
 * it takes three syscalls that no program there makes; nothing of the container's own is run.
 */
const REMOUNT = `
my ($pid, $folder, @names) = @ARGV;
my $empty = "";
open(my $namespace, "<", "/proc/$pid/ns/mnt") or die "open: $!";
my @trees = map { my $from = "$folder/proc/$_"; my $tree = syscall(428, -100, $from, 1); $tree >= 0 or die "open_tree: $!"; $tree } @names;
syscall(${SETNS}, fileno($namespace), 0x20000) == 0 or die "setns: $!";
for (@names) {
  my $to = "/proc/$_";
  syscall(${UMOUNT2}, $to, 2);
  syscall(429, shift @trees, $empty, -100, $to, 4) == 0 or die "move_mount: $!";
}
`

/**
 * Shows a container its own memory, load and uptime in /proc instead of this machine's: what `free`, `top` and programs that choose
 * their size by it go by. Done by one lxcfs for the agent, which outlives the agent as the containers do. Without the program the
 * containers run all the same, and see the machine's.
 */
export function createProcView(run: string, log: Log) {
  const folder = join(run, 'lxcfs')
  const pidFile = join(run, 'lxcfs.pid')
  // Nothing in the folder itself is looked at: a filesystem whose program hangs would hold whoever looks.
  const isUp = () => isMounted(folder) && isLxcfsOf(pidIn(pidFile), folder)

  /** What never came up is not tried every two seconds. */
  let started = false

  const start = async () => {
    started ||= isUp()
    if (isUp()) return
    await endProcView(run)
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    const child = spawn('lxcfs', ['-l', '--enable-cfs', folder, '-p', pidFile], { detached: true, stdio: 'ignore' })
    child.unref()
    let failed: Error | undefined
    child.once('error', (error) => {
      failed = error
    })
    child.once('exit', (code) => {
      failed ??= new Error(`it ended with ${code}`)
    })
    const deadline = performance.now() + UP_MS
    while (!isUp() && !failed && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
    child.removeAllListeners('exit')
    started = isUp()
    if (!started)
      log.warn('lxcfs cannot be started: containers see the memory and the load of this machine', {
        reason: failed?.message ?? `it is not up after ${UP_MS} ms`,
      })
  }

  return {
    start,

    /** Starts it again where it ended, for running containers too: `pids` are their first processes, looked for only then. */
    async keep(pids: () => Promise<number[]>) {
      if (!started || isUp()) return
      await start()
      if (!isUp()) return
      for (const pid of await pids()) {
        const { code, stderr } = await runCommand('perl', ['-e', REMOUNT, String(pid), folder, ...FILES])
        if (code !== 0)
          log.warn('a container cannot see its own memory and load before its next start', { reason: stderr.trim() })
      }
    },

    /** The files that a new container sees in place of the kernel's: the path outside by the path inside. */
    files: (): Record<string, string> =>
      isUp() ? Object.fromEntries(FILES.map((name) => [`/proc/${name}`, join(folder, 'proc', name)])) : {},
  }
}

/** Ends the lxcfs of an engine's folder under /run, if there is one. */
export async function endProcView(run: string): Promise<void> {
  const pidFile = join(run, 'lxcfs.pid')
  const folder = join(run, 'lxcfs')
  const pid = pidIn(pidFile)
  const runs = () => pid > 0 && isLxcfsOf(pid, folder)
  // First, because lxcfs notices a signal with its next question only, which may take seconds; and one that was killed leaves its
  // mount, which answers nothing but errors.
  if (isMounted(folder)) await runCommand('umount', ['-l', folder])
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (runs()) process.kill(pid, signal)
    for (let attempt = 0; attempt < 100 && runs(); attempt += 1) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  rmSync(pidFile, { force: true })
}

const isMounted = (folder: string): boolean => mountPoints().includes(folder)

const pidIn = (file: string): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)

/** The number in a pid file may meanwhile be somebody else's process. */
function isLxcfsOf(pid: number, folder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(folder)
  } catch {
    return false
  }
}
