import { readFileSync } from 'node:fs'
import { type Hex, keccak256, toHex, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { drawnEntry, type Entry, rootFrom, treeSteps } from './reportTree.ts'
import { atOnce } from './steps.ts'

/** Every second key shares its first 30 bits with the one before. */
const entriesOf = (count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => {
    const [key, before] = [keccak256(toHex(index)), keccak256(toHex(index - (index % 2)))]
    return { key: `${before.slice(0, 9)}${key.slice(9)}` as Hex, leaf: keccak256(toHex(index + 1000)) }
  })
const treeOf = (entries: readonly Entry[]) => atOnce(treeSteps(entries))

test.each([1, 2, 3, 4, 5, 7, 8, 100])('proves each of %i leaves at its place, and no other leaf', (count) => {
  const entries = entriesOf(count)
  const { root, proof } = treeOf(entries)
  for (const [index, { key, leaf }] of entries.entries()) {
    expect(rootFrom({ key, leaf }, proof(index))).toBe(root)
    expect(rootFrom({ key, leaf: keccak256(leaf) }, proof(index))).not.toBe(root)
    const other = entries[(index + 1) % count] as Entry
    if (count > 1) expect(rootFrom({ key: other.key, leaf }, proof(index))).not.toBe(root)
  }
})

test.each([1, 2, 5, 100])(
  'draws one of %i entries for each target: the one whose way turns only where nothing stands',
  (count) => {
    const entries = entriesOf(count)
    const { proof } = treeOf(entries)
    const bits = (key: Hex) => BigInt(key).toString(2).padStart(256, '0')
    const isOnTheWay = (index: number, target: Hex) => {
      const { key } = entries[index] as Entry
      return [...proof(index)]
        .reverse()
        .every((sibling, depth) => bits(key)[depth] === bits(target)[depth] || sibling === zeroHash)
    }
    const keys = entries.map(({ key }) => key)
    for (let round = 0; round < 50; round += 1) {
      const target = keccak256(toHex(`target ${round}`))
      const drawn = entries.flatMap((_, index) => (isOnTheWay(index, target) ? [index] : []))
      expect(drawn).toEqual([drawnEntry(keys, target)])
    }
  },
)

test('has the same root for the same entries in any order', () => {
  const entries = entriesOf(20)
  expect(treeOf([...entries].reverse()).root).toBe(treeOf(entries).root)
})

test('proves no second leaf of a key, wherever the way to it is cut or continued', () => {
  const entries = entriesOf(50)
  const { root, proof } = treeOf(entries)
  const [{ key }, second] = [entries[7] as Entry, keccak256('0x02')]
  const way = proof(7)
  for (let depth = 0; depth <= way.length; depth += 1) {
    expect(rootFrom({ key, leaf: second }, way.slice(way.length - depth))).not.toBe(root)
    expect(rootFrom({ key, leaf: second }, [...Array<Hex>(depth).fill(zeroHash), ...way])).not.toBe(root)
  }
})

test('refuses two reports at one place, and an empty tree', () => {
  const [one] = entriesOf(1) as [Entry]
  expect(() => treeOf([one, ...entriesOf(3).slice(1), { ...one, leaf: keccak256(one.leaf) }])).toThrow('one place')
  expect(() => treeOf([])).toThrow('needs a leaf')
})

test('leads nowhere by more siblings than a key has bits', () => {
  const [one] = entriesOf(1) as [Entry]
  expect(rootFrom(one, Array<Hex>(256).fill(zeroHash))).not.toBe(zeroHash)
  expect(rootFrom(one, Array<Hex>(257).fill(zeroHash))).toBe(zeroHash)
})

test('agrees with the vectors that the contract library runs too', () => {
  const file = new URL('../../../rules/src/vectors/reportTree.json', import.meta.url)
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as (Entry & { siblings: Hex[]; root: Hex })[]
  expect(vectors.length).toBeGreaterThan(5)
  for (const { key, leaf, siblings, root } of vectors) expect(rootFrom({ key, leaf }, siblings)).toBe(root)
})
