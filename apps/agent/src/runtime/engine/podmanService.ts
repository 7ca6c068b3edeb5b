import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import Docker from 'dockerode'
import { launcherPath, prepareLauncher } from './gvisor.ts'

export interface PodmanPaths {
  data: string
  /** Sockets have short names: this lies under /run. */
  run: string
  socket: string
  /** Leads to the images of recipes, which this engine only reads. */
  images: string
  /** Open to all user ids, unlike the others: the roots of own applications lie there. */
  roots: string
}

export function podmanPaths(data: string, instance: string): PodmanPaths {
  const run = `/run/rackfair-${instance}`
  return { data, run, socket: join(run, 'podman.sock'), images: join(data, 'images'), roots: `${run}-roots` }
}

/** Images and containers of the agent are its own: another user of podman on this machine neither sees nor disturbs them. */
export function podmanArguments(paths: PodmanPaths): string[] {
  return [
    ...['--runtime', launcherPath(paths.data), '--cgroup-manager', 'cgroupfs', '--storage-driver', 'overlay'],
    // An agent in a container ends with its mounts: those of its tenants are the machine's, where the next one finds them.
    ...['--storage-opt', 'overlay.skip_mount_home=true'],
    // podman fails where there is none, as before the first start.
    ...(existsSync(paths.images) ? ['--storage-opt', imagesOption(paths)] : []),
    ...['--root', join(paths.data, 'storage'), '--runroot', join(paths.run, 'storage'), '--tmpdir', join(paths.run, 'tmp')],
    ...['--network-config-dir', join(paths.data, 'networks')],
  ]
}

const imagesOption = ({ images }: PodmanPaths): string => `overlay.imagestore=${images}`

export function podmanEnvironment(paths: PodmanPaths): NodeJS.ProcessEnv {
  return { ...process.env, CONTAINERS_CONF: join(paths.data, 'containers.conf') }
}

/** Answers podman's API of this agent, starting the service unless one of an earlier run still answers. */
export async function startPodmanService(paths: PodmanPaths, pingMs = PING_MS): Promise<{ stop(): Promise<void> }> {
  mkdirSync(paths.data, { recursive: true, mode: 0o700 })
  forgetLastBoot(paths)
  mkdirSync(paths.run, { recursive: true, mode: 0o700 })
  writeFileSync(
    join(paths.data, 'containers.conf'),
    '[network]\nnetwork_backend = "netavark"\n[engine]\nevents_logger = "file"\nexit_command_delay = 10\n[containers]\nlog_driver = "k8s-file"\nlog_size_max = 10485760\n',
  )
  await prepareLauncher(paths.data, paths.run)
  const pidFile = join(paths.run, 'service.pid')
  const servicePid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0)
  const end = async (signal: NodeJS.Signals) => {
    const pid = servicePid()
    if (pid > 0 && isOurService(pid, paths)) process.kill(pid, signal)
    rmSync(pidFile, { force: true })
    for (let attempt = 0; attempt < 100 && pid > 0 && isOurService(pid, paths); attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const there = await answers(paths.socket, pingMs)
  if (!there || !commandOf(servicePid()).includes(imagesOption(paths))) {
    // One that does not answer is stuck; an earlier version's does not see the images.
    await end(there ? 'SIGTERM' : 'SIGKILL')
    rmSync(paths.socket, { force: true })
    const log = openSync(join(paths.data, 'podman.log'), 'w')
    const child = spawn('podman', [...podmanArguments(paths), 'system', 'service', '--time', '0', `unix://${paths.socket}`], {
      detached: true,
      // conmon notes there that a container ran out of memory.
      cwd: paths.data,
      stdio: ['ignore', log, log],
      env: podmanEnvironment(paths),
    })
    closeSync(log)
    let failed: Error | undefined
    child.once('error', (error) => {
      failed = error
    })
    child.once('exit', (code) => {
      failed ??= new Error(`podman ended with ${code}: ${readFileSync(join(paths.data, 'podman.log'), 'utf8').slice(-300)}`)
    })
    child.unref()
    // Noted before it answers: whoever ends the agent meanwhile finds it.
    if (child.pid) writeFileSync(pidFile, String(child.pid))
    for (let attempt = 0; !(await answers(paths.socket, pingMs)); attempt += 1) {
      if (failed || attempt > 600)
        throw new AppError('engine_unavailable', failed?.message ?? 'podman does not answer', { retryable: true })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    child.removeAllListeners('exit')
  }
  return { stop: () => end('SIGTERM') }
}

/** A service under load answers late; one that needs longer than this is stuck. */
const PING_MS = 30_000

/** Whether an engine answers at a socket. */
export async function answers(socketPath: string, pingMs = PING_MS): Promise<boolean> {
  try {
    await new Docker({ socketPath, timeout: pingMs }).ping()
    return true
  } catch {
    return false
  }
}

/** The number in a pid file may meanwhile be somebody else's process. */
const isOurService = (pid: number, paths: PodmanPaths): boolean => commandOf(pid).includes(paths.socket)

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Where /run survives a reboot, podman would take yesterday's containers for running. */
function forgetLastBoot(paths: PodmanPaths): void {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  const marker = join(paths.data, 'boot-id')
  if (existsSync(marker) && readFileSync(marker, 'utf8') !== boot) rmSync(paths.run, { recursive: true, force: true })
  writeFileSync(marker, boot)
}
