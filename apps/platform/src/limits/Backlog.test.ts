import { expect, it } from 'vitest'
import { Backlog } from './Backlog.ts'

/** Readers by name, with those that were dropped. */
function start(limits: { each: number; all: number }) {
  const backlog = new Backlog(limits)
  const dropped: string[] = []
  const drops = new Map<string, () => void>()
  const dropOf = (name: string) => {
    const drop = drops.get(name) ?? (() => void dropped.push(name))
    drops.set(name, drop)
    return drop
  }
  return {
    dropped,
    note: (name: string, bytes: number) => backlog.note(dropOf(name), bytes),
    forget: (name: string) => backlog.forget(dropOf(name)),
  }
}

it('drops a reader who leaves more than its share', () => {
  const { dropped, note } = start({ each: 10, all: 1000 })
  note('a', 10)
  note('b', 11)
  expect(dropped).toEqual(['b'])
})

it('drops the slowest while more waits than may wait for all', () => {
  const { dropped, note } = start({ each: 10, all: 20 })
  note('a', 9)
  note('b', 3)
  note('c', 8)
  expect(dropped).toEqual([])
  note('b', 5)
  expect(dropped).toEqual(['a'])
  note('d', 10)
  expect(dropped).toEqual(['a', 'd'])
})

it('counts no more what was read, or whose reader left', () => {
  const { dropped, note, forget } = start({ each: 10, all: 20 })
  for (let round = 0; round < 100; round += 1) {
    note('a', 10)
    note('a', 0)
    note('b', 10)
    forget('b')
  }
  note('c', 10)
  note('d', 10)
  expect(dropped).toEqual([])
})
