import type { LowerCaseAddress } from '@rackfair/rules/address'
import { describe, expect, it } from 'vitest'
import { HARDWARE_CLASSES, hardwareClass, hardwareSize, makingLimitMs, rowsPerRoundOf } from './classes.ts'
import { agreedVerification, type HardwareFinding, isVerified, VERIFIED_SECONDS } from './verification.ts'

const found = (monitor: string, over: Partial<HardwareFinding> = {}): HardwareFinding => ({
  ...{ monitor: monitor as LowerCaseAddress, beacon: '0x1', rev: 1, hardwareClass: 2, outcome: 'passed', time: 1000 },
  drawn: ['a', 'b', 'c'] as string[] as LowerCaseAddress[],
  ...over,
})

describe('agreement of monitors on a node', () => {
  it('needs more than half of the monitors drawn for it', () => {
    expect(agreedVerification([found('a')], 1)).toBeUndefined()
    expect(agreedVerification([found('a'), found('a', { time: 1001 })], 1)).toBeUndefined()
    expect(agreedVerification([found('a'), found('b', { time: 1003 })], 1)).toEqual({
      ...{ outcome: 'passed', hardwareClass: 2, time: 1003, agreed: 2, needed: 2, beacon: '0x1' },
    })
  })

  it('ignores monitors that were not drawn, other beacons and other revisions', () => {
    expect(agreedVerification([found('a'), found('z')], 1)).toBeUndefined()
    expect(agreedVerification([found('a'), found('b', { beacon: '0x2' })], 1)).toBeUndefined()
    expect(agreedVerification([found('a'), found('b', { hardwareClass: 1 })], 1)).toBeUndefined()
    expect(agreedVerification([found('a'), found('b')], 2)).toBeUndefined()
  })

  it('fails after a later failure, but not after a declined test', () => {
    const passed = [found('a'), found('b')]
    const later = { beacon: '0x2', time: 2000 }
    const failed = [found('a', { ...later, outcome: 'late' }), found('c', { ...later, outcome: 'wrong' })]
    expect(agreedVerification([...passed, ...failed], 1)?.outcome).toBe('failed')
    const declined = ['a', 'b', 'c'].map((monitor) => found(monitor, { ...later, outcome: 'in_use' }))
    expect(agreedVerification([...passed, ...declined], 1)).toMatchObject({ outcome: 'passed', time: 1000 })
    expect(agreedVerification([...failed, ...passed], 1)?.outcome).toBe('failed')
    const atOnce = failed.map((one) => ({ ...one, time: 1000 }))
    expect(agreedVerification([...passed, ...atOnce], 1)?.outcome).toBe('passed')
  })
})

it('verifies a node while its newest passed test is at most eight days old, or as old as requested', () => {
  const verification = { outcome: 'passed', hardwareClass: 1, time: 1000 } as const
  expect(VERIFIED_SECONDS).toBe(691_200)
  expect(isVerified(undefined, 1000)).toBe(false)
  expect(isVerified(verification, 1000 + VERIFIED_SECONDS)).toBe(true)
  expect(isVerified(verification, 1001 + VERIFIED_SECONDS)).toBe(false)
  expect(isVerified(verification, 2000, { maxAge: 999 })).toBe(false)
  expect(isVerified(verification, 2000, { minClass: 2 })).toBe(false)
  expect(isVerified({ ...verification, outcome: 'failed' }, 1000)).toBe(false)
})

it('tests nine tenths of the memory that is sold, with a file too large for the rest', () => {
  const whole = HARDWARE_CLASSES[1]
  const size = hardwareSize(whole, { nMEM: 64, nCPU: 2, core: 16 })
  const sold = 64 * 2 ** 30
  expect(size.memoryBytes).toBeGreaterThanOrEqual(0.9 * sold)
  expect(size.memoryBytes).toBeLessThan(0.901 * sold)
  expect(size.diskBytes).toBeGreaterThan(sold - size.memoryBytes)
  expect(size.cores).toBe(32)
  expect(makingLimitMs(size)).toBeGreaterThan(makingLimitMs({ ...size, cores: 64 }))
  // The slack, one Argon2id, half a minute per GiB and core, and the file at 50 MB/s.
  const GiB = 2 ** 30
  expect(makingLimitMs({ memoryBytes: GiB, diskBytes: 0, cores: 1 })).toBe(40_300)
  expect(makingLimitMs({ memoryBytes: GiB, diskBytes: 0, cores: 0 })).toBe(40_300)
  expect(makingLimitMs({ memoryBytes: GiB, diskBytes: GiB, cores: 4 })).toBe(25_300 + Math.ceil(GiB / 50_000))
  // No monitor waits for weeks because a provider names a petabyte.
  expect(makingLimitMs(hardwareSize(whole, { nMEM: 2 ** 20, nCPU: 1, core: 1 }))).toBe(600_000)
  expect([0, 1, 65_536, 65_537, 131_072].map(rowsPerRoundOf)).toEqual([1, 1, 1, 2, 2])
  const sample = hardwareSize(HARDWARE_CLASSES[0], { nMEM: 64, nCPU: 2, core: 16 })
  expect(sample).toEqual({ memoryBytes: 2 ** 24, diskBytes: 2 ** 22, cores: 1 })
  expect([0, 1, 2, 3].map((id) => hardwareClass(id)?.id)).toEqual([undefined, 1, 2, undefined])
})
