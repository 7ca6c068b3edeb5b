import { lowerCaseAddress } from '@rackfair/rules/address'
import { expect, it } from 'vitest'
import { type AgentDb, type Fate, openAgentDb, type UsedRequest } from './openAgentDb.ts'

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
  const accept = () => state.accept({ hash: HASH }, { ...command, hasRun: false, endedAt: undefined }, deployment, seen)
  const full = { code: 'disk_full', retryable: true, message: expect.stringContaining('the provider must make room') }
  expect(accept).toThrow(expect.objectContaining(full))
  expect(() => state.putFact('more', 'x'.repeat(100_000))).toThrow(expect.objectContaining(full))
  expect([state.fact('before'), state.wasAccepted(HASH), state.commands()]).toEqual(['kept', false, []])
  room(pages + 1000)
  accept()
  expect(state.wasAccepted(HASH)).toBe(true)
  state.close()
})

it('keeps of each order the deployments that its owner is shown, and the one it has, however many were asked for', () => {
  const state = openAgentDb(':memory:')
  for (let time = 1; time <= 60; time += 1) accept(state, 1n, time)
  accept(state, 2n, 1)
  expect(state.deploymentsOf(1n).map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `1:${60 - at}`))
  expect(state.deployment('1:10')).toBeUndefined()
  expect(state.deployment('2:1')).toBeDefined()
  // The clock was set back.
  accept(state, 1n, 61, 0)
  expect(state.deployment('1:61')).toBeDefined()
  state.close()
})

it('forgets the old requests of an order but for the last one, with which every older text is out of order', () => {
  const state = openAgentDb(':memory:')
  for (const time of [1, 2, 3]) accept(state, 1n, time)
  state.forgetRequestsBefore(1)
  expect(state.wasAccepted('1:1')).toBe(true)
  state.forgetRequestsBefore(100)
  expect(['1:1', '1:2', '1:3'].map(state.wasAccepted)).toEqual([false, false, true])
  expect(state.lastTime(1n)).toBe(3)
  state.close()
})

it('keeps what was asked for under a name as long as the order shows what became of it', () => {
  const state = openAgentDb(':memory:')
  const named = (orderId: bigint, time: number, name: string) =>
    accept(state, orderId, time, time, { slot: Number(orderId), gpus: [] }, undefined, { name, asked: 'app' })
  named(1n, 1, 'a')
  named(2n, 1, 'a')
  for (let time = 2; time <= 50; time += 1) accept(state, 1n, time)
  state.forgetRequestsBefore(100)
  expect(state.named(1n, 'a')).toMatchObject({ asked: 'app', deployment: { id: '1:1' } })
  expect([state.named(1n, 'b'), state.named(3n, 'a')]).toEqual([undefined, undefined])
  accept(state, 1n, 51)
  expect(state.named(1n, 'a')).toBeUndefined()
  state.dropCommand(2n)
  state.forgetRequestsBefore(100)
  expect([state.wasAccepted('1:1'), state.wasAccepted('2:1')]).toEqual([false, false])
  // A name that was forgotten is free.
  named(1n, 52, 'a')
  expect(state.named(1n, 'a')?.deployment.id).toBe('1:52')
  state.close()
})

it.each([
  ['network', { slot: 1, gpus: ['b'] }, 'the network of another order'],
  ['GPU', { slot: 2, gpus: ['b', 'a'] }, 'a GPU of another order'],
])('accepts and restores no request that would share the %s of another order, and stores nothing of it', (_, shared, reason) => {
  const state = openAgentDb(':memory:')
  accept(state, 1n, 1, 1, { slot: 1, gpus: ['a'] })
  expect(() => accept(state, 2n, 1, 1, shared)).toThrow(reason)
  expect([state.command(2n), state.wasAccepted('2:1'), state.deployment('2:1')]).toEqual([undefined, false, undefined])

  accept(state, 2n, 2, 2, { slot: 2, gpus: [] })
  const before = state.command(2n)
  accept(state, 2n, 3, 3, { slot: 2, gpus: [] }, 'keep')
  state.db.prepare('UPDATE earlierCommand SET slot = ?, gpus = ?').run(shared.slot, JSON.stringify(shared.gpus))
  expect(() => state.restoreEarlier(2n)).toThrow(reason)
  expect(state.command(2n)).toEqual({ ...before, deploymentId: '2:3', time: 3 })
  state.close()
})

function accept(
  state: AgentDb,
  orderId: bigint,
  time: number,
  requestedAt = time,
  takes = { slot: Number(orderId), gpus: [] as string[] },
  before?: Fate,
  once?: UsedRequest['once'],
): void {
  const id = `${orderId}:${time}`
  const facts = { orderId, deployId: 2, deploymentId: id, user: lowerCaseAddress('0x'), time, env: {}, ...takes }
  const deployment = { id, orderId: String(orderId), steps: [], phase: 'Accepted', requestedAt } as never
  const seen = { order: { id: orderId }, node: {} } as never
  state.accept({ hash: id, once }, { ...facts, hasRun: false, endedAt: undefined }, deployment, seen, before)
}
