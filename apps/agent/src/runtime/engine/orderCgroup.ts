import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { cgroupName } from './names.ts'

const CGROUPS = '/sys/fs/cgroup'
const PERIOD_US = 100_000
/** Those of cgroup v1 that limit something here. */
const LIMITING = ['cpu', 'cpuacct', 'cpuset', 'memory', 'pids']

export interface OrderLimits {
  cores: number
  memoryBytes: number
  processes: number
  /** As the kernel writes them: `0-1,3`. */
  cpus: string
}

/** What the engine takes as the parent of a container's cgroup. */
export const cgroupOf = (instance: string, orderId: bigint): string => `/${cgroupName(instance)}/${orderId}`

const isUnified = (): boolean => existsSync(join(CGROUPS, 'cgroup.controllers'))

/**
 * Makes the cgroup above all services of an order: together they have what was bought, and each as much of it as the others leave.
 * Throws `isolation_unavailable`.
 */
export function limitOrder(instance: string, orderId: bigint, limits: OrderLimits): void {
  try {
    if (isUnified()) limitUnified(cgroupOf(instance, orderId), limits)
    else limitV1(instance, orderId, limits)
  } catch (cause) {
    throw new AppError('isolation_unavailable', 'the limits of the order cannot be set', { cause, retryable: true })
  }
}

function limitV1(instance: string, orderId: bigint, { cores, memoryBytes, processes, cpus }: OrderLimits): void {
  const folder = (controller: string) => join(CGROUPS, controller, cgroupOf(instance, orderId))
  const set = (controller: string, file: string, value: string | number) =>
    writeFileSync(join(folder(controller), file), String(value))
  for (const controller of LIMITING) if (existsSync(join(CGROUPS, controller))) mkdirSync(folder(controller), { recursive: true })
  // Without processors and memory of its own a cgroup takes nobody in, from the outermost on.
  const sets = join(CGROUPS, 'cpuset')
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const outer = join(sets, cgroupName(instance), file)
    if (readFileSync(outer, 'utf8').trim() === '') writeFileSync(outer, readFileSync(join(sets, file), 'utf8').trim())
  }
  set('cpuset', 'cpuset.mems', readFileSync(join(sets, cgroupName(instance), 'cpuset.mems'), 'utf8').trim())
  set('cpuset', 'cpuset.cpus', cpus)
  // With swap it may never be less than without, also while both are changed.
  const hasSwap = existsSync(join(folder('memory'), 'memory.memsw.limit_in_bytes'))
  if (hasSwap) set('memory', 'memory.memsw.limit_in_bytes', -1)
  set('memory', 'memory.limit_in_bytes', memoryBytes)
  if (hasSwap) set('memory', 'memory.memsw.limit_in_bytes', memoryBytes)
  set('cpu', 'cpu.cfs_period_us', PERIOD_US)
  set('cpu', 'cpu.cfs_quota_us', Math.round(cores * PERIOD_US))
  set('pids', 'pids.max', processes)
}

function limitUnified(path: string, { cores, memoryBytes, processes, cpus }: OrderLimits): void {
  let folder = CGROUPS
  for (const part of path.split('/').filter((one) => one !== '')) {
    // Each level hands on to the next what it may limit.
    writeFileSync(join(folder, 'cgroup.subtree_control'), '+cpu +cpuset +memory +pids')
    folder = join(folder, part)
    mkdirSync(folder, { recursive: true })
  }
  const set = (file: string, value: string | number) => writeFileSync(join(folder, file), String(value))
  set('cpuset.cpus', cpus)
  set('memory.max', memoryBytes)
  if (existsSync(join(folder, 'memory.swap.max'))) set('memory.swap.max', 0)
  set('cpu.max', `${Math.round(cores * PERIOD_US)} ${PERIOD_US}`)
  set('pids.max', processes)
}

/** Takes the cgroup of an order away once nothing runs in it, with what the engine left there; and the agent's with the last of them. */
export function forgetOrderLimits(instance: string, orderId: bigint): void {
  const roots = isUnified() ? [CGROUPS] : readdirSync(CGROUPS).map((name) => join(CGROUPS, name))
  for (const root of roots) {
    removeTree(join(root, cgroupOf(instance, orderId)))
    tryRemove(join(root, cgroupName(instance)))
  }
}

function removeTree(folder: string): void {
  if (!existsSync(folder)) return
  for (const one of readdirSync(folder, { withFileTypes: true })) if (one.isDirectory()) removeTree(join(folder, one.name))
  tryRemove(folder)
}

/** One in which something runs stays. */
function tryRemove(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {}
}
