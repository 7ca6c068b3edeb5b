import { marketAbi, pledgeAbi } from '@rackfair/contracts'
import { pledgeHistoryAnswer } from '@rackfair/protocol/pledge'
import { zodOf } from '@rackfair/protocol/zodOf'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { type Chain, startChain } from '@rackfair/testkit'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { Indexer } from '../src/indexer/Indexer.ts'
import { pledgeHistoryOf } from '../src/read/pledgeHistoryOf.ts'
import { type Database, openStore } from '../src/store/openStore.ts'
import { type Actor, actorOn } from './actorOn.ts'
import { type Databases, onBothDatabases } from './databases.ts'
import { indexerSettings } from './indexerSettings.ts'
import { seeded } from './seed.ts'
import { startMarket } from './startMarket.ts'

const DAY = 86_400

onBothDatabases((databases) => {
  let chain: Chain
  let act: Actor
  beforeAll(async () => {
    chain = await startChain({ blockTime: 0 })
    act = actorOn(chain)
    const { faucet, provider, otherProvider } = chain.accounts
    for (const account of [provider, otherProvider]) await act.becomeProvider(account, account.address.slice(0, 6))
    for (const account of [provider, otherProvider]) {
      await act.send(faucet, 'credit', 'transfer', [account.address, parseEther('100000')])
      await act.send(account, 'credit', 'approve', [chain.deployment.pledge, parseEther('100000')])
    }
    await act.send(faucet, 'credit', 'approve', [chain.deployment.pledge, parseEther('100000')])
    await act.send(faucet, 'pledge', 'fundInterest', [parseEther('10')])
    for (const account of [provider, otherProvider])
      await act.send(account, 'pledge', 'pledge', [chain.deployment.credit, parseEther('30')])
    await act.buy({ provider })
    await act.warp(40 * DAY)
  })
  afterAll(() => chain.stop())

  it('equals the contract’s state at the block of every point, to the wei', async () => {
    const random = seeded()
    const live = await setup(databases, chain)
    for (let round = 0; round < 40; round += 1) {
      await moveOnce(chain, act, random)
      if (round % 3 === 0) await live.catchUp()
    }
    await live.catchUp()
    const { provider, otherProvider } = chain.accounts
    const checked = await Promise.all(
      [provider, otherProvider].map(({ address }) => expectHistoryEqualsChain(live.store.db, chain, act, address)),
    )
    expect(checked.reduce((sum, points) => sum + points)).toBeGreaterThan(4)
    await live.close()
  })

  it('is the same live, backfilled and after a reorg', async () => {
    const random = seeded()
    const live = await setup(databases, chain)
    await live.catchUp()
    const snapshot = await act.rpc('evm_snapshot')
    for (let round = 0; round < 12; round += 1) {
      await moveOnce(chain, act, random)
      await act.rpc('evm_mine')
      await live.catchUp()
    }
    await act.rpc('evm_revert', [snapshot])
    await act.warp(3 * DAY)
    for (let round = 0; round < 6; round += 1) await moveOnce(chain, act, random)
    while ((await act.client.getBlockNumber()) <= BigInt(live.indexer.head)) await act.rpc('evm_mine')
    await live.catchUp()
    const fresh = await setup(databases, chain)
    await fresh.catchUp()
    for (const { address } of [chain.accounts.provider, chain.accounts.otherProvider]) {
      const history = await pledgeHistoryOf(live.store.db, lowerCaseAddress(address))
      expect(history).toEqual(await pledgeHistoryOf(fresh.store.db, lowerCaseAddress(address)))
      await expectHistoryEqualsChain(live.store.db, chain, act, address)
    }
    await live.close()
    await fresh.close()
  })
})

it('matches its schema, is empty without a pledge, and reflects one’s own write at once', async () => {
  const market = await startMarket()
  onTestFinished(() => market.stop())
  const { act, chain } = market
  const { provider, user } = chain.accounts
  const read = async (address: string, block: number) =>
    zodOf(pledgeHistoryAnswer).parse((await market.get(`/v1/cp/${address}/pledge?minBlock=${block}`)).body)
  const block = await act.becomeProvider()
  const [point] = (await read(provider.address, block)).points
  expect(point).toMatchObject({ pledged: String(parseEther('100')), locked: '0', earned: '0', withdrawn: '0' })
  expect(await read(user.address, block)).toMatchObject({ points: [], moves: [] })
  await act.send(chain.accounts.faucet, 'credit', 'approve', [chain.deployment.pledge, parseEther('50')])
  await act.send(chain.accounts.faucet, 'pledge', 'fundInterest', [parseEther('50')])
  await act.buy()
  await act.warp(30 * DAY)
  const paid = await act.send(provider, 'pledge', 'withdrawInterest', [])
  const after = await read(provider.address, paid)
  expect(after.moves[0]).toMatchObject({ kind: 'interest', block: paid })
  expect(after.points.at(-1)?.earned).toBe(after.points.at(-1)?.withdrawn)
  expect(BigInt(after.points.at(-1)?.withdrawn ?? 0)).toBeGreaterThan(0n)
})

/** One random action on a pledge or its interest. What the contract refuses is skipped. */
async function moveOnce(chain: Chain, act: Actor, random: { below(limit: number): number }): Promise<void> {
  const { faucet, owner, user, provider, otherProvider } = chain.accounts
  const { credit } = chain.deployment
  const account = random.below(2) === 0 ? provider : otherProvider
  const amount = BigInt(1 + random.below(1_000_000)) * 1_234_567_890_123n
  const newest = await act.client.readContract({ address: chain.deployment.market, abi: marketAbi, functionName: 'lastId' })
  const deeds = [
    () => act.send(account, 'pledge', 'pledge', [credit, parseEther('1') + amount]),
    () => act.send(account, 'pledge', 'pledge', [credit, parseEther('7')]),
    () => act.send(account, 'pledge', 'unpledge', [credit, amount]),
    () => act.buy({ provider: account }),
    () => act.buy({ provider: account }),
    () => act.send(user, 'market', 'userCancel', [newest]),
    () => act.send(account, 'market', 'providerCancel', [newest]),
    () => act.send(account, 'pledge', 'withdrawInterest', []),
    () => act.send(account, 'pledge', 'updateInterest', []),
    () => act.send(faucet, 'pledge', 'fundInterest', [amount]),
    () => act.send(owner, 'pledge', 'setRate', [BigInt(random.below(10)) * 10n ** 17n]),
    () => act.warp(1 + random.below(5 * DAY)),
    () => act.warp(1 + random.below(5 * DAY)),
  ]
  await (deeds[random.below(deeds.length)] as () => Promise<unknown>)().catch(() => undefined)
}

/** Reads the contract at the last block of every point's second. Returns the number of points. */
async function expectHistoryEqualsChain(db: Database, chain: Chain, act: Actor, account: `0x${string}`): Promise<number> {
  const { points, moves } = await pledgeHistoryOf(db, lowerCaseAddress(account))
  const withdrawals = moves.filter((move) => move.kind === 'interest')
  for (const point of points) {
    const blockNumber = await blockAt(act, point.time)
    const info = await act.client.readContract({
      address: chain.deployment.pledge,
      abi: pledgeAbi,
      functionName: 'getPledge',
      args: [account],
      blockNumber,
    })
    const withdrawn = withdrawals.filter((move) => move.time <= point.time).reduce((sum, move) => sum + BigInt(move.amount), 0n)
    expect([point.time, point.pledged, point.locked, point.withdrawn]).toEqual([
      ...[point.time, String(info.pledge), String(info.locked), String(withdrawn)],
    ])
    expect([point.time, BigInt(point.earned) - withdrawn]).toEqual([point.time, info.interest])
  }
  return points.length
}

async function blockAt(act: Actor, time: number): Promise<bigint> {
  let low = 0n
  let high = await act.client.getBlockNumber()
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const { timestamp } = await act.client.getBlock({ blockNumber: middle })
    if (timestamp <= BigInt(time)) low = middle
    else high = middle - 1n
  }
  return low
}

async function setup(databases: Databases, chain: Chain) {
  const store = await openStore(await databases.fresh())
  const indexer = new Indexer(store, indexerSettings(chain))
  return {
    store,
    indexer,
    async catchUp() {
      while (await indexer.step());
    },
    async close() {
      await indexer.stop()
      await store.close()
    },
  }
}
