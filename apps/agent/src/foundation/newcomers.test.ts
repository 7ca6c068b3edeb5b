import { describe, expect, it } from 'vitest'
import { createNewcomers } from './newcomers.ts'

describe('connections that arrive', () => {
  const setup = (calm: number, each: number) => {
    let time = 0
    const newcomers = createNewcomers({ calm, each, windowMs: 1000 }, () => time)
    /** How many of those were admitted. */
    const admitted = (many: number, addressOf: (index: number) => string | undefined) =>
      Array.from({ length: many }, (_, index) => newcomers.admits(addressOf(index))).filter(Boolean).length
    return { admitted, wait: (ms: number) => (time += ms) }
  }
  const hex = (index: number) => index.toString(16)

  it('are all admitted while there are few of them, and each network’s share beyond', () => {
    const { admitted, wait } = setup(100, 10)
    expect(admitted(100, () => '203.0.113.1')).toBe(100)
    expect(admitted(100, () => '203.0.113.1')).toBe(0)
    expect(admitted(50, () => '203.0.113.2')).toBe(10)
    expect(admitted(50, () => '::ffff:203.0.113.2')).toBe(0)
    wait(1000)
    expect(admitted(50, () => '203.0.113.1')).toBe(50)
  })

  it.each([
    ['a /64', 10, (index: number) => `2001:db8:0:1::${hex(index + 1)}`],
    ['a /56', 40, (index: number) => `2001:db8:0:${hex(index % 256)}::1`],
    ['a /48', 160, (index: number) => `2001:db8:0:${hex((index % 256) * 256)}::1`],
    ['no known address', 10, () => undefined],
  ])('count as one customer’s in %s', (_, most, addressOf) => {
    const { admitted } = setup(0, 10)
    expect(admitted(1000, addressOf)).toBe(most)
  })
})
