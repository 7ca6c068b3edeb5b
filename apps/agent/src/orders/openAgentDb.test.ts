import { lowerCaseAddress } from '@rackfair/core'
import { expect, it } from 'vitest'
import { openAgentDb } from './openAgentDb.ts'

const HASH = `0x${'a'.repeat(64)}`

it('accepts nothing on a full disk, reports it, keeps its data, and resumes once there is space', () => {
  const state = openAgentDb(':memory:')
  state.putFact('before', 'kept')
  const pages = (state.db.prepare('PRAGMA page_count').get() as { page_count: number }).page_count
  const room = (count: number) => state.db.exec(`PRAGMA max_page_count = ${count}`)
  room(pages)
  const command = {
    orderId: 1n,
    deployId: 2,
    deploymentId: 'd',
    user: lowerCaseAddress('0x'),
    time: 1,
    env: { A: 'x'.repeat(50_000) },
    slot: 0,
    gpus: [],
  }
  const deployment = { id: 'd', orderId: '1', steps: [], phase: 'Accepted', requestedAt: 1 } as never
  const seen = { order: { id: 1n }, node: {} } as never
  const accept = () => state.accept(HASH, { ...command, hasRun: false, endedAt: undefined }, deployment, seen)
  const full = { code: 'disk_full', retryable: true, message: expect.stringContaining('the provider must make room') }
  expect(accept).toThrow(expect.objectContaining(full))
  expect(() => state.putFact('more', 'x'.repeat(100_000))).toThrow(expect.objectContaining(full))
  expect([state.fact('before'), state.wasAccepted(HASH), state.commands()]).toEqual(['kept', false, []])
  room(pages + 1000)
  accept()
  expect(state.wasAccepted(HASH)).toBe(true)
  state.close()
})
