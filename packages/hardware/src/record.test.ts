import { zodOf } from '@rackfair/protocol/zodOf'
import { expect, test } from 'vitest'
import { hardwareRecord, readHardwareRecord } from './record.ts'

const VERIFICATION = {
  ...{ outcome: 'passed', hardwareClass: 2, verified: true, time: 1_800_000_000, agreed: 2, needed: 2 },
  ...{ memoryBytes: 2 ** 34, cores: 8, gpus: 0 },
}
const RESULT = {
  ...{ monitor: `0x${'11'.repeat(20)}`, provider: `0x${'bb'.repeat(20)}`, nodeId: '3', rev: 2, orderId: '0' },
  ...{ beacon: `0x${'be'.repeat(32)}`, hardwareClass: 2, outcome: 'late', memoryBytes: 0, diskBytes: 0, cores: 8, gpus: 0 },
  ...{ makingMs: 61_000, limitMs: 60_000, memoryWalkMs: 0, diskWalkMs: 0, time: 1_800_000_000, counts: true },
  signature: `0x${'00'.repeat(65)}`,
}
const answer = (result: object = {}, verification: object | null = VERIFICATION) => ({
  ...{ verification, results: [{ ...RESULT, ...result }], block: 7 },
})

test('parses the measurements of a node and what monitors agree on', () => {
  const { verification, results } = readHardwareRecord(zodOf(hardwareRecord).parse(answer()))
  expect(verification).toEqual(VERIFICATION)
  expect(results).toMatchObject([{ monitor: RESULT.monitor, revision: 2, outcome: 'late', makingMs: 61_000, counts: true }])
  expect(readHardwareRecord(answer({}, null)).verification).toBeNull()
})

test.each([
  ['memory in fractions of a byte', answer({ memoryBytes: 14.4 * 2 ** 30 }), 'hardware.results.memoryBytes'],
  ['an outcome that nobody knows', answer({ outcome: 'tired' }), 'hardware.results.outcome'],
  ['a monitor without an address', answer({ monitor: 'nobody' }), 'hardware.results.monitor'],
  ['a beacon that is short', answer({ beacon: '0xbe' }), 'hardware.results.beacon'],
  ['a time that is no date', answer({ time: 1e15 }), 'hardware.results.time'],
  ['half a vote', answer({}, { ...VERIFICATION, agreed: 1.5 }), 'hardware.verification.agreed'],
  ['results without end', { ...answer(), results: Array(10_001).fill(RESULT) }, 'hardware.results'],
])('%s is refused', (_, json, field) => expect(() => readHardwareRecord(json)).toThrow(`cannot be read: ${field}`))
