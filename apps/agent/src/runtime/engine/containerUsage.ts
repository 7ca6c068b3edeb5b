import { readFileSync } from 'node:fs'
import type { ContainerUsage } from '../Runtime.ts'

const CGROUPS = '/sys/fs/cgroup'

interface Running {
  pid: number
  containerId: string
  start: string
}

/** Reads what the kernel counts, and asks the engine only for a container that it does not know yet. */
export function createContainerMeter(find: (orderId: bigint, service?: string) => Promise<Running | undefined>) {
  const known = new Map<string, Running>()
  return async (orderId: bigint, service?: string): Promise<(ContainerUsage & { start: string }) | undefined> => {
    const key = `${orderId} ${service ?? ''}`
    const before = known.get(key)
    const counted = before && readContainerUsage(before.pid, before.containerId)
    if (before && counted) return { ...counted, start: before.start }
    known.delete(key)
    const now = await find(orderId, service)
    const first = now && readContainerUsage(now.pid, now.containerId)
    if (!now || !first) return undefined
    known.set(key, now)
    return { ...first, start: now.start }
  }
}

/** What the kernel counts of a container, by its first process. Undefined once that has ended, or its number is somebody else's. */
function readContainerUsage(pid: number, containerId: string): ContainerUsage | undefined {
  try {
    const paths = parseCgroups(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))
    if (![...paths.values()].some((path) => path.includes(containerId))) return undefined
    const network = parseNetwork(readFileSync(`/proc/${pid}/net/dev`, 'utf8'))
    const unified = paths.get('')
    const reader = (above: '' | '/..'): Read => {
      const folder = (controller: string) =>
        unified === undefined ? `${CGROUPS}/${controller}${paths.get(controller)}` : `${CGROUPS}${unified}`
      return (controller, file) => readFileSync(`${folder(controller)}${above}/${file}`, 'utf8')
    }
    const count = unified === undefined ? readV1 : readV2
    const counted = count(reader(''))
    if (counted.cores !== undefined && counted.memoryLimitBytes !== undefined) return { ...counted, ...network }
    // One of several services has what all of them have together.
    const order = count(reader('/..'))
    return { ...counted, cores: order.cores, memoryLimitBytes: counted.memoryLimitBytes ?? order.memoryLimitBytes, ...network }
  } catch {
    // It ended while it was looked at.
    return undefined
  }
}

type Read = (controller: string, file: string) => string
type Counted = Omit<ContainerUsage, 'receivedBytes' | 'sentBytes'>

function readV1(read: Read): Counted {
  const quota = Number(read('cpu', 'cpu.cfs_quota_us'))
  return {
    processorMicros: Number(read('cpuacct', 'cpuacct.usage')) / 1000,
    cores: quota > 0 ? quota / Number(read('cpu', 'cpu.cfs_period_us')) : undefined,
    memoryBytes: Number(read('memory', 'memory.usage_in_bytes')) - fieldOf(read('memory', 'memory.stat'), 'total_inactive_file'),
    memoryLimitBytes: limitOf(read('memory', 'memory.limit_in_bytes')),
    processes: Number(read('pids', 'pids.current')),
  }
}

function readV2(read: Read): Counted {
  const [quota, period] = read('cpu', 'cpu.max').trim().split(' ')
  return {
    processorMicros: fieldOf(read('cpu', 'cpu.stat'), 'usage_usec'),
    cores: quota === 'max' ? undefined : Number(quota) / Number(period),
    memoryBytes: Number(read('memory', 'memory.current')) - fieldOf(read('memory', 'memory.stat'), 'inactive_file'),
    memoryLimitBytes: limitOf(read('memory', 'memory.max')),
    processes: Number(read('pids', 'pids.current')),
  }
}

/** The path of each controller; the one hierarchy of cgroup v2 has no name. */
function parseCgroups(text: string): Map<string, string> {
  const paths = new Map<string, string>()
  for (const line of text.trim().split('\n')) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    for (const controller of controllers.split(',')) paths.set(controller, path)
  }
  // Beside cgroup v1 there may be an empty v2 hierarchy.
  if (paths.has('memory')) paths.delete('')
  return paths
}

/** Of all its networks but the one to itself. */
function parseNetwork(text: string): { receivedBytes: number; sentBytes: number } {
  let receivedBytes = 0
  let sentBytes = 0
  for (const line of text.split('\n').slice(2)) {
    const [name = '', rest = ''] = line.split(':')
    if (name.trim() === 'lo') continue
    const fields = rest.trim().split(/\s+/).map(Number)
    receivedBytes += fields[0] || 0
    sentBytes += fields[8] || 0
  }
  return { receivedBytes, sentBytes }
}

const fieldOf = (text: string, name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)

/** A cgroup without a limit has one that no machine has. */
const limitOf = (text: string): number | undefined => {
  const bytes = Number(text)
  return bytes < 2 ** 60 ? bytes : undefined
}
