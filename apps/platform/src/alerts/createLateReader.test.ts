import { expect, test } from 'vitest'
import { createLateReader } from './createLateReader.ts'

/** Everything that is under way has been told. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('tells nothing that is five minutes old, and reads it again, sooner what could not be read', async () => {
  let now = 1_000_000
  let asked = 0
  const answers: (number | Error)[] = [1, 2, new Error('away'), 3]
  const read = createLateReader(
    async () => {
      asked += 1
      const answer = answers.shift()
      if (typeof answer !== 'number') throw answer
      return answer
    },
    () => now,
  )
  const after = async (ms: number) => {
    now += ms
    const before = read('key')
    await settled()
    return [before, read('key'), asked]
  }
  expect(read('key')).toBeUndefined()
  expect([await after(0), await after(299_999), await after(1)]).toEqual([
    [undefined, 1, 1],
    [1, 1, 1],
    [undefined, 2, 2],
  ])
  expect([await after(300_000), await after(9_999), await after(1)]).toEqual([
    [undefined, undefined, 3],
    [undefined, undefined, 3],
    [undefined, 3, 4],
  ])
})
