import { setImmediate } from 'node:timers/promises'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { expect, it } from 'vitest'
import type { RawLog } from './ChainSource.ts'
import { RangeReader, type ReadRange } from './RangeReader.ts'

const log: RawLog = {
  ...{ block: 1, logIndex: 0, blockHash: '', blockTime: 0, transactionHash: '', topics: '', data: '' },
  address: lowerCaseAddress('0x1'),
}

it('asks for one range at a time, and for no more than two that nobody has taken', async () => {
  const node = answering(() => 5)
  const ranges = readerOf(node.read, 5)
  const first = await ranges.next(0, 1_000)
  expect(first?.end.number).toBe(15)
  await settled()
  expect(node.asked).toEqual(['0-15', '16-31', '32-47'])
  expect(node.mostAtOnce()).toBe(1)
  const second = await ranges.next(16, 1_000)
  await settled()
  expect(second?.end.number).toBe(31)
  expect(node.asked).toEqual(['0-15', '16-31', '32-47', '48-63'])
})

it('decodes what it reads ahead, each after the next request is out', async () => {
  const node = answering(() => 5)
  const ranges = new RangeReader({
    ...{ read: node.read, logsAtOnce: 5 },
    decode(logs) {
      node.asked.push(`decoded ${logs.length}`)
      return []
    },
  })
  await ranges.next(0, 1_000)
  await settled()
  expect(node.asked).toEqual(['0-15', '16-31', 'decoded 5', '32-47', 'decoded 5', 'decoded 5'])
})

it('reads ranges about as long as the wanted logs need, at most twice as long as the last one, up to the last block', async () => {
  const node = answering((from) => (from < 40 ? 1 : 20))
  const ranges = readerOf(node.read, 10)
  let from = 0
  while (from <= 150) from = ((await ranges.next(from, 150))?.end.number ?? 0) + 1
  expect(node.asked).toEqual(['0-15', '16-47', '48-111', '112-143', '144-150'])
})

it('asks for half of a range that is refused, and passes on what a single block is refused for', async () => {
  const node = answering(() => 1)
  const ranges = readerOf(
    (from, to, last) => (to - from >= 4 ? Promise.reject(new Error('too long')) : node.read(from, to, last)),
    1,
  )
  const answers = []
  for (let turn = 0; turn < 3; turn += 1) answers.push((await ranges.next(0, 3_000))?.end.number)
  expect(answers).toEqual([undefined, undefined, 3])
  const refusing = readerOf(() => Promise.reject(new Error('no block')), 1)
  for (let size = 16; size > 1; size /= 2) expect(await refusing.next(0, 3_000)).toBeUndefined()
  await expect(refusing.next(0, 3_000)).rejects.toThrow('no block')
})

it('drops what it read ahead when that is forgotten, or when another range is wanted', async () => {
  const node = answering(() => 1)
  const ranges = readerOf(node.read, 1)
  await ranges.next(0, 1_000)
  await settled()
  ranges.forget()
  await ranges.next(16, 1_000)
  expect(node.asked.filter((range) => range.startsWith('16-'))).toHaveLength(2)
  await ranges.next(5, 1_000)
  expect(node.asked.filter((range) => range.startsWith('5-'))).toHaveLength(1)
})

const readerOf = (read: ReadRange, logsAtOnce: number) => new RangeReader({ read, logsAtOnce, decode: () => [] })

/** A node that answers as many logs as `logsFrom` says for a range that begins there. */
function answering(logsFrom: (from: number) => number) {
  const asked: string[] = []
  let open = 0
  let most = 0
  return {
    asked,
    mostAtOnce: () => most,
    async read(from: number, to: number, _last: number) {
      asked.push(`${from}-${to}`)
      open += 1
      most = Math.max(most, open)
      await setImmediate()
      open -= 1
      return { logs: Array<RawLog>(logsFrom(from)).fill(log), end: { number: to, hash: '', time: 0 } }
    },
  }
}

/** Until nothing is asked for any more by itself. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
}
