import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { SLOTS } from './subnets.ts'

export const IDS_PER_ORDER = 65_536
const IDS_PER_AGENT = IDS_PER_ORDER * SLOTS
/** Above what useradd hands out and what `userns=auto` of other users of podman begins with. */
const FIRST = 2 ** 31 + IDS_PER_AGENT
const CLAIMS = '/var/lib/rackfair/user-ids'
const RANGES = Math.floor((2 ** 32 - FIRST) / IDS_PER_AGENT) - 1

/**
 * The first of the user ids outside that the orders of this agent are given, one range for each agent of the machine: without it the
 * tenants of two agents would be one user to the kernel. The claim lies in `folder`, and is void once the agent's data is gone.
 */
export function claimUserIds(instance: string, data: string, folder = CLAIMS): number {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const holder = (index: string): string => readFileSync(join(folder, index), 'utf8')
  const mine = readdirSync(folder).find((index) => holder(index) === data)
  if (mine !== undefined) return FIRST + Number(mine) * IDS_PER_AGENT
  const start = Number.parseInt(instance, 16) % RANGES
  for (let step = 0; step < RANGES; step += 1) {
    const index = String((start + step) % RANGES)
    const file = join(folder, index)
    if (statSync(file, { throwIfNoEntry: false })) {
      if (statSync(holder(index), { throwIfNoEntry: false })) continue
      rmSync(file, { force: true })
    }
    try {
      writeFileSync(file, data, { flag: 'wx', mode: 0o644 })
    } catch {
      // Another agent was faster.
      continue
    }
    return FIRST + Number(index) * IDS_PER_AGENT
  }
  throw new AppError(
    'isolation_unavailable',
    `no range of user ids is free in ${folder}: remove the files of agents that are gone`,
  )
}

/**
 * Releases the range of an agent whose orders and their disks are gone, and void ranges, such as those left by `doctor`'s trials. The
 * folder is removed with the last range.
 */
export function releaseUserIds(data: string, folder = CLAIMS): void {
  if (!existsSync(folder)) return
  for (const index of readdirSync(folder)) {
    const file = join(folder, index)
    const holder = readFileSync(file, 'utf8')
    if (holder === data || !existsSync(holder)) rmSync(file, { force: true })
  }
  for (const one of [folder, dirname(folder)]) {
    if (readdirSync(one).length > 0) return
    try {
      rmdirSync(one)
    } catch {
      // Mounted, where the agent runs in a container.
      return
    }
  }
}

export const firstUserId = (firstOfAgent: number, slot: number): number => firstOfAgent + slot * IDS_PER_ORDER

/** Throws unless 0 inside of the container of process `pid` is `expected` outside. */
export function assertUserIds(pid: number, expected: number): void {
  const map = readFileSync(`/proc/${pid}/uid_map`, 'utf8').trim().split(/\s+/)
  if (map.join(' ') !== `0 ${expected} ${IDS_PER_ORDER}`)
    throw new AppError('isolation_unavailable', `the engine gave the container the user ids ${map.join(' ')}; it was not started`)
}
