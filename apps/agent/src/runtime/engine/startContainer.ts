import { AppError } from '@rackfair/core'
import type Docker from 'dockerode'
import { runCommand } from '../runCommand.ts'
import { applyTenantRules } from './firewall.ts'
import { assertSandboxed } from './gvisor.ts'
import { libpod } from './libpod.ts'
import { TENANT_LIMITS } from './tenantLimits.ts'
import { assertUserIds } from './userIds.ts'

export interface ContainerWalls {
  kind: 'podman' | 'docker'
  /** The address of this machine on the container's network. */
  gateway: string
  resolvers: readonly string[]
  /** The user id outside that is 0 inside; unknown with Docker. */
  firstUserId: number
  /** Where the state of this agent's containers behind gVisor lies; undefined for one that is not. */
  gvisorRun: string | undefined
}

/**
 * Starts a container with walls that the engine knows nothing of. podman makes its namespaces first and runs the tenant's program
 * when they stand; Docker has no such step, there they stand a moment later, behind the firewall of this machine. Never the engine's own
 * restart: it makes new namespaces and runs the program at once.
 */
export async function startContainer(docker: Docker, name: string, walls: ContainerWalls): Promise<void> {
  const container = docker.getContainer(name)
  if (walls.kind === 'podman') await libpod(docker, 'POST', `/containers/${name}/init`)
  else await container.start()
  const { State, Id } = await container.inspect()
  if (State.Pid <= 0) throw new AppError('start_failed', 'the container ended before it was started', { retryable: true })
  if (walls.gvisorRun !== undefined) assertSandboxed(walls.gvisorRun, Id)
  else if (walls.kind === 'podman') assertUserIds(State.Pid, walls.firstUserId)
  await applyTenantRules(State.Pid, walls.gateway, walls.resolvers)
  if (walls.kind === 'docker') return
  if (walls.gvisorRun === undefined) await limitInotify(State.Pid)
  await container.start()
}

/** The kernel counts what a user namespace watches also for the user that made it, which is root. */
async function limitInotify(pid: number): Promise<void> {
  const { inotifyInstances, inotifyWatches } = TENANT_LIMITS
  const lines = `echo ${inotifyInstances} > /proc/sys/user/max_inotify_instances && echo ${inotifyWatches} > /proc/sys/user/max_inotify_watches`
  const { code, stderr } = await runCommand('nsenter', ['-t', String(pid), '-U', 'sh', '-ec', lines])
  if (code !== 0)
    throw new AppError('isolation_unavailable', `the limits of inotify cannot be set: ${stderr.trim().slice(0, 300)}`, {
      retryable: true,
    })
}
