import { expect, it } from 'vitest'
import type { Step } from './Step.ts'
import { schedule } from './schedule.ts'

const step = (name: string, seconds: number, more: Partial<Step> = {}): Step => ({
  ...{ name, seconds, kind: 'check', command: [] },
  ...more,
})

/** Runs steps that end when `end` is called, and returns the order in which they began. */
function start(steps: readonly Step[], atOnce: number) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const done = schedule(steps, atOnce, ({ name }) => {
    begun.push(name)
    return new Promise<void>((resolve) => ends.set(name, resolve))
  })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, end, done }
}

it('starts the longest step first, and never more than the limit at once', async () => {
  const { begun, end, done } = start([step('short', 1), step('long', 9), step('middle', 5)], 2)
  expect(begun).toEqual(['long', 'middle'])
  await end('middle')
  expect(begun).toEqual(['long', 'middle', 'short'])
  await end('long')
  await end('short')
  await done
})

it('delays a step until those it needs have passed and those it follows have ended', async () => {
  const { begun, end, done } = start(
    [step('tests', 9, { needs: ['images'] }), step('images', 1), step('last', 5, { after: ['tests', 'not chosen'] })],
    3,
  )
  expect(begun).toEqual(['images'])
  await end('images')
  expect(begun).toEqual(['images', 'tests'])
  await end('tests')
  expect(begun).toEqual(['images', 'tests', 'last'])
  await end('last')
  await done
})

it('refuses cyclic dependencies', async () => {
  const circle = [step('one', 1, { after: ['other'] }), step('other', 1, { after: ['one'] })]
  await expect(schedule(circle, 2, async () => {})).rejects.toThrow('steps wait for each other: one, other')
})
