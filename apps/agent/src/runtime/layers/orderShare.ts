import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'

const ROOT = '/sys/fs/cgroup'
const PERIOD_US = 100_000
/** Node and what it holds of several layers: an order with less could have no image of its own. */
const LEAST_BYTES = 256 * 2 ** 20
const PROCESSES = 64

/** What of the machine an order has bought. */
interface Share {
  cores: number
  memoryBytes: number
}

/** Controllers of cgroup v1, each with a tree of its own; of v2 one tree for all. */
const isOneTree = (): boolean => existsSync(join(ROOT, 'cgroup.controllers'))

const nameOf = (instance: string, orderId: bigint | string): string => `rackfair-${instance}-pull-${orderId}`

/**
 * A control group for what the agent does for an order while it has no container, with the processors and the memory of the order.
 * Throws where the kernel gives none.
 */
export function openShare(instance: string, orderId: bigint, { cores, memoryBytes }: Share) {
  const name = nameOf(instance, orderId)
  const memory = String(Math.max(memoryBytes, LEAST_BYTES))
  const quota = String(Math.round(cores * PERIOD_US))
  const trees: Record<string, Record<string, string>> = isOneTree()
    ? { '': { 'cpu.max': `${quota} ${PERIOD_US}`, 'memory.max': memory, 'memory.swap.max': '0', 'pids.max': String(PROCESSES) } }
    : {
        cpu: { 'cpu.cfs_period_us': String(PERIOD_US), 'cpu.cfs_quota_us': quota },
        memory: { 'memory.limit_in_bytes': memory },
        pids: { 'pids.max': String(PROCESSES) },
      }
  if (isOneTree()) writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+cpu +memory +pids')
  const folders = Object.entries(trees).map(([tree, limits]) => {
    const folder = join(ROOT, tree, name)
    mkdirSync(folder, { recursive: true })
    // A kernel without swap has no limit of it.
    for (const [file, value] of Object.entries(limits))
      if (existsSync(join(folder, file))) writeFileSync(join(folder, file), value)
    return folder
  })
  return {
    add(pid: number): void {
      for (const folder of folders) writeFileSync(join(folder, 'cgroup.procs'), String(pid))
    },
    /** Once its processes have ended. */
    close: () => removeAll(folders),
  }
}

/** As `openShare`; undefined, which is logged, where the kernel gives none. */
export function tryShare(instance: string, orderId: bigint, share: Share, log: Log): ReturnType<typeof openShare> | undefined {
  try {
    return openShare(instance, orderId, share)
  } catch (error) {
    log.warn('an image is unpacked without the limits of its order: this kernel gives no control group for it', {
      reason: reasonOf(error),
    })
    return undefined
  }
}

/** Removes what a killed agent left. */
export function sweepShares(instance: string): void {
  for (const tree of isOneTree() ? [''] : ['cpu', 'memory', 'pids'])
    if (existsSync(join(ROOT, tree)))
      removeAll(
        readdirSync(join(ROOT, tree))
          .filter((name) => name.startsWith(nameOf(instance, '')))
          .map((name) => join(ROOT, tree, name)),
      )
}

function removeAll(folders: readonly string[]): void {
  for (const folder of folders)
    try {
      rmdirSync(folder)
    } catch {
      // A process that was killed is still in it: the next start of the agent removes it.
    }
}
