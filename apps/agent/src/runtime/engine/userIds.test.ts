import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { claimUserIds, IDS_PER_ORDER, releaseUserIds } from './userIds.ts'

describe('the agent’s user ids', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-ids-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const claim = (instance: string, name: string) => {
    const data = join(folder, name)
    mkdirSync(data, { recursive: true })
    return claimUserIds(instance, data, join(folder, 'claims'))
  }

  it('are unique on this machine, stable over restarts, and released with the data', () => {
    const [first, second] = [claim('abcdef', 'a'), claim('abcdef', 'b')]
    expect(Math.abs(first - second)).toBeGreaterThanOrEqual(256 * IDS_PER_ORDER)
    expect(claim('abcdef', 'a')).toBe(first)
    rmSync(join(folder, 'a'), { recursive: true })
    expect(claim('abcdef', 'c')).toBe(first)
  })

  it('are released when an agent is uninstalled, and their folder with the last of them', () => {
    const claims = join(folder, 'machine', 'claims')
    const [one, other] = ['released', 'kept'].map((name) => join(folder, name)) as [string, string]
    for (const data of [one, other]) {
      mkdirSync(data, { recursive: true })
      claimUserIds('abcdef', data, claims)
    }
    const kept = claimUserIds('abcdef', other, claims)
    releaseUserIds(one, claims)
    expect(claimUserIds('abcdef', other, claims)).toBe(kept)
    releaseUserIds(other, claims)
    expect(existsSync(join(folder, 'machine'))).toBe(false)
    releaseUserIds(other, claims)
  })

  it('are within the kernel’s range, and refused when none is left', () => {
    const all = Array.from({ length: 124 }, (_, index) => claim('000000', `many-${index}`))
    expect(new Set(all).size).toBe(all.length)
    for (const first of all) expect(first + 256 * IDS_PER_ORDER).toBeLessThan(2 ** 32)
    expect(Math.min(...all)).toBeGreaterThan(2 ** 31)
    expect(() => claim('000000', 'one-more')).toThrow('no range of user ids is free')
  })
})
