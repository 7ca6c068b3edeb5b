import { expect, it } from 'vitest'
import { createFairQueue } from './createFairQueue.ts'

it('gives each lane its turn, however much waits in another', async () => {
  const inTurn = createFairQueue()
  const done: string[] = []
  const add = (lane: string, name: string) => inTurn(lane, async () => void done.push(name))
  const all = [...Array.from({ length: 20 }, (_, index) => add('flood', `flood ${index}`)), add('quiet', 'quiet')]
  await Promise.all(all)
  expect(done.indexOf('quiet')).toBeLessThanOrEqual(2)
  expect(done.filter((name) => name !== 'quiet')).toEqual(Array.from({ length: 20 }, (_, index) => `flood ${index}`))
})

it('refuses at once what does not fit, and nothing of another lane', async () => {
  const inTurn = createFairQueue({ maxLanes: 2, maxWaiting: 3 })
  let open = () => {}
  const running = inTurn('first', () => new Promise<void>((resolve) => (open = resolve)))
  const add = (lane: string) => inTurn(lane, async () => lane).catch((error: { code: string }) => error.code)
  const flood = Array.from({ length: 5 }, () => add('flood'))
  const [other, third] = [add('other'), add('third')]
  expect(await Promise.all(flood.slice(3))).toEqual(['agent_busy', 'agent_busy'])
  expect(await third).toBe('agent_busy')
  open()
  await running
  expect(await Promise.all([...flood.slice(0, 3), other])).toEqual(['flood', 'flood', 'flood', 'other'])
})

it('passes on what the work resolves and rejects with, and goes on', async () => {
  const inTurn = createFairQueue()
  await expect(inTurn('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inTurn('a', async () => 7)).toBe(7)
})
