import { describe, expect, it } from 'vitest'
import { createTransactionStore, SETTLED_KEPT } from './TransactionStore.ts'

describe('the transaction store', () => {
  it('keeps transactions per address and chain, newest first', () => {
    const { store } = setup()
    store.add(ALICE, 2985, { hash: hash(1), description: 'first' })
    store.add(ALICE, 2985, { hash: hash(2), description: 'second' })
    store.add(ALICE, 985, { hash: hash(3), description: 'elsewhere' })
    expect(store.of(ALICE, 2985).map((entry) => entry.description)).toEqual(['second', 'first'])
    expect(store.of(ALICE.toUpperCase().replace('0X', '0x'), 2985)).toHaveLength(2)
    expect(store.of(BOB, 2985)).toEqual([])
  })

  it('adds as pending, settles, and survives a reload', () => {
    const { store, storage } = setup()
    store.add(ALICE, 2985, { hash: hash(1), description: 'buy', confirmations: 2 })
    expect(store.of(ALICE, 2985)[0]).toMatchObject({ status: 'pending', confirmations: 2 })
    store.add(ALICE, 2985, { hash: hash(2), description: 'reverts' })
    store.settle(ALICE, 2985, hash(1), 'confirmed')
    store.settle(ALICE, 2985, hash(2), 'failed')
    expect(createTransactionStore(storage).of(ALICE, 2985)).toEqual([
      { hash: hash(2), description: 'reverts', status: 'failed' },
      { hash: hash(1), description: 'buy', confirmations: 2, status: 'confirmed' },
    ])
  })

  it('keeps ten settled ones and every pending one', () => {
    const { store } = setup()
    for (let index = 0; index < 14; index++) {
      store.add(ALICE, 2985, { hash: hash(index), description: `${index}` })
      if (index > 0) store.settle(ALICE, 2985, hash(index), index % 2 ? 'confirmed' : 'failed')
    }
    const list = store.of(ALICE, 2985)
    expect(list.filter((entry) => entry.status !== 'pending')).toHaveLength(SETTLED_KEPT)
    expect(list.filter((entry) => entry.status === 'pending').map((entry) => entry.hash)).toEqual([hash(0)])
    expect(list[0]?.hash).toBe(hash(13))
  })

  it('replaces a transaction that is added again', () => {
    const { store } = setup()
    store.add(ALICE, 2985, { hash: hash(1), description: 'once' })
    store.add(ALICE, 2985, { hash: hash(1), description: 'twice' })
    expect(store.of(ALICE, 2985).map((entry) => entry.description)).toEqual(['twice'])
  })

  it('forgets settled ones and keeps pending ones', () => {
    const { store } = setup()
    store.add(ALICE, 2985, { hash: hash(1), description: 'done' })
    store.settle(ALICE, 2985, hash(1), 'failed')
    store.add(ALICE, 2985, { hash: hash(2), description: 'waiting' })
    store.clear(ALICE, 2985)
    expect(store.of(ALICE, 2985).map((entry) => entry.hash)).toEqual([hash(2)])
  })

  it('throws all problems of an invalid transaction', () => {
    const { store } = setup()
    expect(() => store.add(ALICE, 1, { hash: '0x12', description: 5, confirmations: 0 } as never)).toThrow(
      'Invalid transaction hash\nTransaction must have a description\nTransaction confirmations must be a positiver integer',
    )
    expect(() => store.add(ALICE, 1, { hash: hash(1), description: 'x', confirmations: 1.5 })).toThrow('positiver integer')
  })

  it.each(['', '{', 'null', '[]', '{"0x1":{"1":[{"hash":"bad"}]}}', '{"0x1":null}', '{"0x1":{"1":{}}}'])(
    'starts empty with invalid data: %s',
    (text) => {
      const { storage } = setup()
      storage.setItem('rackfair.transactions', text)
      expect(createTransactionStore(storage).of('0x1', 1)).toEqual([])
    },
  )

  it('works in memory when the storage is full', () => {
    const store = createTransactionStore({
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    })
    store.add(ALICE, 2985, { hash: hash(1), description: 'kept' })
    store.add(ALICE, 2985, { hash: hash(2), description: 'kept too' })
    expect(store.of(ALICE, 2985)).toHaveLength(2)
  })

  it('shares its list with other tabs without lost updates', () => {
    const { store, storage } = setup()
    const other = createTransactionStore(storage)
    store.add(ALICE, 2985, { hash: hash(1), description: 'here' })
    other.add(ALICE, 2985, { hash: hash(2), description: 'there' })
    store.settle(ALICE, 2985, hash(1), 'confirmed')
    const kept = [
      { hash: hash(2), description: 'there', status: 'pending' },
      { hash: hash(1), description: 'here', status: 'confirmed' },
    ]
    expect(store.of(ALICE, 2985)).toEqual(kept)
    expect(createTransactionStore(storage).of(ALICE, 2985)).toEqual(kept)
  })

  it('shows changes of another tab', () => {
    const { store, storage } = setup()
    let calls = 0
    store.subscribe(() => {
      calls += 1
    })
    createTransactionStore(storage).add(ALICE, 2985, { hash: hash(1), description: 'there' })
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'rackfair.elsewhere' }))
    expect([calls, store.of(ALICE, 2985)]).toEqual([0, []])
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'rackfair.transactions' }))
    expect([calls, store.of(ALICE, 2985)[0]?.description]).toEqual([1, 'there'])
  })

  it('keeps a batch until it is done, even over a reload', () => {
    const { store, storage } = setup()
    store.batches.add(ALICE, 2985, { id: 'any text', description: 'buy' })
    expect(createTransactionStore(storage).batches.of(ALICE, 2985)).toEqual([{ id: 'any text', description: 'buy' }])
    store.batches.remove(ALICE, 2985, 'any text')
    expect(createTransactionStore(storage).batches.of(ALICE, 2985)).toEqual([])
  })

  it('notifies its listeners until they unsubscribe', () => {
    const { store } = setup()
    let calls = 0
    const leave = store.subscribe(() => {
      calls += 1
    })
    store.add(ALICE, 2985, { hash: hash(1), description: 'x' })
    leave()
    store.settle(ALICE, 2985, hash(1), 'confirmed')
    expect(calls).toBe(1)
  })
})

const ALICE = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const BOB = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'

function hash(number: number): `0x${string}` {
  return `0x${number.toString(16).padStart(64, '0')}`
}

function setup() {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  return { storage, store: createTransactionStore(storage) }
}
