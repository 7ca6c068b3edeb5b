import { chmodSync, readFileSync, statSync } from 'node:fs'
import { AppError } from '@rackfair/rules/errors/AppError'
import type Docker from 'dockerode'
import { runCommand } from '../../foundation/runCommand.ts'
import { applyTenantRules, tenantRules } from './firewall.ts'
import { assertSandboxed } from './gvisor.ts'
import { libpod } from './libpod.ts'
import { type Wire, wireScript } from './orderBridge.ts'
import { TENANT_LIMITS } from './tenantLimits.ts'
import { assertUserIds } from './userIds.ts'

export interface ContainerWalls {
  kind: 'podman' | 'docker'
  /** The container's link to its order's network, with the address of this machine there; Docker lays its own. */
  wire: Wire
  resolvers: readonly string[]
  /** The user id outside that is 0 inside; unknown with Docker. */
  firstUserId: number
  /** Where the state of this agent's containers behind gVisor lies; undefined for one that is not. */
  gvisorRun: string | undefined
  /** Services that share what an order may have. */
  services: number
}

/** For the engine to leave what it made ready alone; a busy machine needs seconds to notice that a container is gone. */
const READY_MS = 60_000
const PAUSE_MS = 100

/**
 * Starts a container with walls that the engine knows nothing of. podman makes its namespaces first and runs the tenant's program
 * when they stand; Docker has no such step, there they stand a moment later, behind the firewall of this machine. Never the engine's own
 * restart: it makes new namespaces and runs the program at once.
 */
export async function startContainer(docker: Docker, name: string, walls: ContainerWalls): Promise<void> {
  const container = docker.getContainer(name)
  if (walls.kind === 'docker') {
    await container.start()
    const { State } = await container.inspect()
    if (State.Pid <= 0) throw endedBefore()
    return applyTenantRules(State.Pid, walls.wire, walls.resolvers)
  }
  const deadline = performance.now() + READY_MS
  for (;;) {
    const pid = await makeReady(docker, name, walls, deadline)
    if (!(await begins(() => container.start(), deadline))) continue
    const { State } = await container.inspect()
    if (!State.Running || State.Pid === pid) return
    // It was taken away at the last moment, and the engine made it anew to start it.
    await container.stop({ t: 0 })
    if (performance.now() > deadline)
      throw new AppError('isolation_unavailable', 'the engine started the container without its wall', { retryable: true })
  }
}

/**
 * Makes a container's namespaces and the walls in them, and answers the process that waits there to become the tenant's program. podman
 * tidies up behind the last run in a process of its own, on a busy machine as late as now, and takes away what stands ready: then again.
 */
async function makeReady(docker: Docker, name: string, walls: ContainerWalls, deadline: number): Promise<number> {
  for (;;) {
    if (!(await begins(() => libpod(docker, 'POST', `/containers/${name}/init`), deadline))) continue
    const { State, Id } = await docker.getContainer(name).inspect()
    try {
      if (State.Pid <= 0) throw endedBefore()
      if (walls.gvisorRun !== undefined) assertSandboxed(walls.gvisorRun, Id)
      else assertUserIds(State.Pid, walls.firstUserId)
      await layWalls(State.Pid, walls)
      openOutputs(State.Pid)
      return State.Pid
    } catch (error) {
      if (performance.now() > deadline || isAlive(State.Pid)) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

/**
 * What the engine says where it has not yet tidied up behind the last run: the OCI runtime still knows it, or what was just made ready went
 * away with it while the engine looked at its process.
 */
const UNTIDY = /container with given id already exists|\/proc\/\d+\/cgroup: no such (?:process|file)/i

/** False, a while later, where the engine has yet to forget the last run of the container. */
async function begins(work: () => Promise<unknown>, deadline: number): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (performance.now() > deadline || !UNTIDY.test(String(error))) throw error
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return false
  }
}

/**
 * Images write their logs to /dev/stdout and /dev/stderr, which opens the pipes again. The engine made them as root of this machine, who
 * is nobody inside.
 */
function openOutputs(pid: number): void {
  for (const output of [`/proc/${pid}/fd/1`, `/proc/${pid}/fd/2`]) if (statSync(output).isFIFO()) chmodSync(output, 0o666)
}

/** Whether a process is there that has not ended, even if nobody has collected it yet. */
function isAlive(pid: number): boolean {
  try {
    return pid > 0 && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const endedBefore = () => new AppError('start_failed', 'the container ended before it was started', { retryable: true })

/**
 * Puts up the second wall, lays the link behind it, and limits what the kernel counts for the user that made the namespace, which is root. All by
 * one program: to start one takes this process longer than what it does.
 */
async function layWalls(pid: number, { wire, resolvers, gvisorRun, services }: ContainerWalls): Promise<void> {
  const share = (most: number) => Math.floor(most / services)
  const { inotifyInstances, inotifyWatches } = TENANT_LIMITS
  const watched = `echo ${share(inotifyInstances)} > /proc/sys/user/max_inotify_instances; echo ${share(inotifyWatches)} > /proc/sys/user/max_inotify_watches`
  const script = [
    'echo rules',
    `nsenter -t ${pid} -n nft -f -`,
    'echo link',
    wireScript(pid, wire),
    ...(gvisorRun === undefined ? ['echo limits', `nsenter -t ${pid} -U sh -ec '${watched}'`] : []),
  ].join('\n')
  const { code, stdout, stderr } = await runCommand('sh', ['-ec', script], { input: tenantRules(wire, resolvers) })
  if (code === 0) return
  // The last that was begun.
  const step = (['limits', 'link', 'rules'] as const).find((one) => stdout.includes(one)) ?? 'rules'
  const [kind, sentence] = FAILED[step]
  throw new AppError(kind, sentence, { cause: `${step}: ${stderr.slice(0, 300)}`, retryable: true })
}

const FAILED = {
  rules: ['isolation_unavailable', 'the second wall of the container cannot be put up'],
  link: ['engine_unavailable', 'the network of the application cannot be made'],
  limits: ['isolation_unavailable', 'the limits of the container cannot be set'],
} as const
