import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registryAbi } from '@rackfair/contracts'
import { builtProgram, type Chain, startChain } from '@rackfair/testkit'
import { type Abi, createWalletClient, encodeFunctionData, http } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runIndexer } from '../src/indexer/runIndexer.ts'
import { openStore, type Store, type StoreSettings } from '../src/store/openStore.ts'
import { type Actor, actorOn, NODE } from './actorOn.ts'
import { type Databases, onBothDatabases } from './databases.ts'
import { expectRowsEqualChain } from './expectRowsEqualChain.ts'
import { type Fault, faultyRpc } from './faultyRpc.ts'
import { indexerSettings } from './indexerSettings.ts'
import { DEEP, seeded } from './seed.ts'
import { openMarket, tradeOnce } from './trade.ts'

const LONG = { timeout: 120_000, interval: 50 }
const QUIET = {
  onCommit: () => undefined,
  onLine: () => undefined,
  onDifferences: () => undefined,
  redact: (text: string) => text,
}
const PROGRAM = await builtProgram('platform')

onBothDatabases((databases) => {
  let chain: Chain
  let act: Actor
  beforeAll(async () => {
    chain = await startChain({ blockTime: 0 })
    act = actorOn(chain)
    await openMarket(chain, act)
  })
  afterAll(() => chain.stop())

  it('neither loses nor duplicates anything when it is killed repeatedly during a sync', async () => {
    const random = seeded()
    for (let trade = 0; trade < 150; trade += 1) await tradeOnce(chain, act, random)
    const settings = await databases.fresh()
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-kill-'))
    const deployment = join(folder, 'deployment.json')
    writeFileSync(deployment, JSON.stringify(chain.deployment))
    for (let kill = 0; kill < (DEEP ? 50 : 5); kill += 1) {
      const indexer = startIndexer(chain, deployment, settings)
      const exited = once(indexer, 'exit')
      const [line] = (await once(indexer.stdout, 'data')) as [Buffer]
      expect(line.toString()).toContain('listening')
      await new Promise((resolve) => setTimeout(resolve, random.below(250)))
      if (kill % 2 === 1) await tradeOnce(chain, act, random)
      indexer.kill('SIGKILL')
      await exited
    }
    const last = startIndexer(chain, deployment, settings)
    const exited = once(last, 'exit')
    const listening = once(last.stdout, 'data')
    const store = await openStore(settings, { migrate: false })
    await reaches(store, act)
    await listening
    last.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    await expectRowsEqualChain(store.db, chain, act)
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('survives and reports a node that stalls, cuts off, drops, lies about its head or omits logs', async () => {
    const random = seeded()
    const { store, rpc, end } = await follow(chain, databases, { rpcTimeoutMs: 400 })
    await reaches(store, act)
    const states: Record<Exclude<Fault, 'none' | 'short_ranges' | `${string}_once`>, string> = {
      stall: 'failing',
      cut: 'failing',
      drop: 'failing',
      head_ahead: 'failing',
      head_behind: 'syncing',
    }
    for (const [fault, state] of Object.entries(states)) {
      rpc.set(fault as Fault)
      await act.send(chain.accounts.provider, 'registry', 'revise', [{ name: fault, ip: '127.0.0.1', domain: '', port: 7070 }])
      await vi.waitFor(async () => expect([fault, await stateOf(store)]).toEqual([fault, state]), LONG)
      for (let trade = 0; trade < 5; trade += 1) await tradeOnce(chain, act, random)
      rpc.set('none')
      await reaches(store, act)
      await vi.waitFor(async () => expect(await stateOf(store)).toBe('live'), LONG)
      await expectRowsEqualChain(store.db, chain, act)
    }
    rpc.set('no_logs_once')
    await act.send(chain.accounts.provider, 'registry', 'revise', [{ name: 'heard', ip: '127.0.0.1', domain: '', port: 7070 }])
    await reaches(store, act)
    await expectRowsEqualChain(store.db, chain, act)
    await end()
  })

  it('catches up with the head behind a node that answers logs of few blocks at once', async () => {
    const { store, rpc, end } = await follow(chain, databases)
    await reaches(store, act)
    rpc.set('short_ranges')
    await act.rpc('anvil_mine', ['0x60'])
    await tradeOnce(chain, act, seeded())
    await reaches(store, act)
    await expectRowsEqualChain(store.db, chain, act)
    await end()
  })

  it('detects a log missing from a block with other logs, once the block is final', async () => {
    const { store, rpc, end } = await follow(chain, databases)
    await reaches(store, act)
    // What was answered to a reading of which another request failed is not kept, and asked for anew.
    const lose = async (name: string) => {
      rpc.set('one_log_less_once')
      await inOneBlock(chain, act, [
        ['revise', { name, ip: '127.0.0.1', domain: '', port: 7070 }],
        ['add_node', NODE],
      ])
      await vi.waitFor(() => expect(rpc.fault()).toBe('none'), LONG)
      await reaches(store, act)
      return expectRowsEqualChain(store.db, chain, act).then(
        () => false,
        () => true,
      )
    }
    let isLost = false
    for (let time = 0; !isLost && time < 5; time += 1) isLost = await lose(`both-${time}`)
    expect(isLost).toBe(true)
    await act.rpc('anvil_mine', ['0x80'])
    await vi.waitFor(async () => {
      await reaches(store, act)
      await expectRowsEqualChain(store.db, chain, act)
    }, LONG)
    await end()
  })

  it('detects a missing log at once when a later event depends on it', async () => {
    const { store, rpc, end } = await follow(chain, databases)
    await reaches(store, act)
    const { provider } = chain.accounts
    const { registry } = chain.deployment
    const args = [provider.address] as const
    const { lastNode } = await act.client.readContract({ address: registry, abi: registryAbi, functionName: 'get', args })
    rpc.set('one_log_less_once')
    await inOneBlock(chain, act, [
      ['revise', { name: 'two', ip: '127.0.0.1', domain: '', port: 7070 }],
      ['add_node', NODE],
    ])
    await vi.waitFor(() => expect(rpc.fault()).toBe('none'), LONG)
    await act.send(provider, 'registry', 'setOnline', [provider.address, lastNode + 1n, false])
    await vi.waitFor(async () => {
      await reaches(store, act)
      await expectRowsEqualChain(store.db, chain, act)
    }, LONG)
    await end()
  })

  // node:sqlite is a file: there is no server to restart.
  if (databases.kind === 'postgres')
    it('resumes after a restart of the database', async () => {
      const random = seeded()
      const settings = await databases.fresh()
      const store = await openStore(settings)
      const stop = new AbortController()
      const run = runIndexer(store, indexerSettings(chain), { pollMs: 20, wsUrl: undefined, signal: stop.signal, ...QUIET })
      await reaches(store, act)
      for (let trade = 0; trade < 10; trade += 1) await tradeOnce(chain, act, random)
      await databases.postgres().restart()
      for (let trade = 0; trade < 10; trade += 1) await tradeOnce(chain, act, random)
      await act.rpc('evm_mine')
      await vi.waitFor(() => reaches(store, act), LONG)
      await expectRowsEqualChain(store.db, chain, act)
      stop.abort()
      await run
      await store.close()
    })
})

/**
 * An in-process indexer whose node can be made to misbehave. Its timeout is long by default: a retry after a late response would return
 * what the node had omitted from it.
 */
async function follow(chain: Chain, databases: Databases, { rpcTimeoutMs = 60_000 } = {}) {
  const store = await openStore(await databases.fresh())
  const rpc = await faultyRpc(chain.rpcUrl)
  const stop = new AbortController()
  const settings = { ...indexerSettings(chain, rpc.url), rpcTimeoutMs }
  const run = runIndexer(store, settings, { pollMs: 20, wsUrl: undefined, signal: stop.signal, ...QUIET })
  return {
    store,
    rpc,
    async end() {
      stop.abort()
      await run
      await store.close()
      rpc.stop()
    },
  }
}

/** Calls of the provider that are mined together. */
async function inOneBlock({ accounts, deployment }: Chain, act: Actor, calls: [name: string, argument: object][]): Promise<void> {
  const wallet = createWalletClient({ account: accounts.provider, transport: http(act.client.transport.url) })
  await act.rpc('evm_setAutomine', [false])
  for (const [functionName, argument] of calls) {
    const data = encodeFunctionData({ abi: registryAbi as Abi, functionName, args: [argument] })
    await wallet.sendTransaction({ to: deployment.registry, data, gas: 1_000_000n, chain: null })
  }
  await act.rpc('evm_mine')
  await act.rpc('evm_setAutomine', [true])
}

function startIndexer(chain: Chain, deployment: string, settings: StoreSettings) {
  const database = settings.databaseUrl ? ['--database-url', settings.databaseUrl] : ['--data', settings.dataFolder]
  const args = [PROGRAM, '--port', '0', '--role', 'indexer', '--rpc', chain.rpcUrl, '--deployment', deployment, '--poll-ms', '20']
  return spawn(process.execPath, [...args, ...database], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function stateOf(store: Store): Promise<string | undefined> {
  return (await store.db.selectFrom('indexerStatus').select('state').executeTakeFirst())?.state
}

async function reaches(store: Store, act: Actor): Promise<void> {
  const head = Number(await act.client.getBlockNumber())
  await vi.waitFor(async () => {
    const cursor = await store.db.selectFrom('cursor').select('block').executeTakeFirst()
    expect(cursor?.block).toBe(head)
  }, LONG)
}
