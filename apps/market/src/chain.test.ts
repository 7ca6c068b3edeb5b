import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@rackfair/testkit'
import type { Hex } from 'viem'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chainProcess } from './chain.ts'
import { keepSaved, repairState, saveState } from './chainState.ts'
import { keepCompact } from './keepCompact.ts'
import { print } from './print.ts'
import { rpc } from './rpc.ts'
import { Supervisor } from './Supervisor.ts'

const LONG = { timeout: 60_000, interval: 200 }
const STARTS = 10
const PAID = '0x000000000000000000000000000000000000dEaD'
const KEPT_BLOCKS = 20
/** Deploys a contract that logs, whenever it is called, the hash of the block before. */
const LOGS_PARENT_HASH = '0x6d600143034060005260206000a000600052600e6012f3'

test('resumes the chain as it was saved after kill -9, even with half a state file', async () => {
  const { url, stateFile, start, pay, savedHeight } = await setup()
  const { stop } = await start()
  await stop()
  const { pid } = await start()
  onTestFinished(keepSaved({ rpcUrl: url, stateFile }))
  const height = await pay()
  await vi.waitFor(() => expect(savedHeight()).toBeGreaterThanOrEqual(height), LONG)

  process.kill(pid, 'SIGKILL')
  const whole = readFileSync(stateFile, 'utf8')
  writeFileSync(stateFile, whole.slice(0, whole.length / 2))

  await vi.waitFor(async () => expect(await heightOf(url)).toBeGreaterThanOrEqual(height), LONG)
  expect(await rpc(url, 'eth_getBalance', [PAID, 'latest'])).toBe('0x7b')
})

test('prefers the copy to an older state file', async () => {
  const { url, stateFile, start, pay } = await setup()
  const first = await start()
  await first.stop()
  const { pid, stop } = await start()
  await pay()
  await saveState({ rpcUrl: url, stateFile })
  process.kill(pid, 'SIGKILL')
  await stop()
  await start()
  expect(await rpc(url, 'eth_getBalance', [PAID, 'latest'])).toBe('0x7b')
})

test('saves a chain without transactions once a minute, and one with transactions at once, but then rests', async () => {
  const { url, stateFile, start, pay, savedHeight } = await setup()
  await start()
  const restMs = 2000
  const stop = keepSaved({ rpcUrl: url, stateFile }, { restMs })
  await vi.waitFor(() => savedHeight(), LONG)
  const savedAt = () => statSync(`${stateFile}.backup`).mtimeMs
  const first = savedAt()
  const height = await pay()
  await vi.waitFor(() => expect(savedHeight()).toBeGreaterThanOrEqual(height), LONG)
  expect(savedAt() - first).toBeGreaterThanOrEqual(restMs)
  const saved = savedHeight()
  await rpc(url, 'anvil_mine', ['0x3', '0x1'])
  await sleep(3000)
  expect(savedHeight()).toBe(saved)
  await pay()
  await vi.waitFor(() => expect(savedHeight()).toBeGreaterThanOrEqual(saved + 4), LONG)
  stop()

  onTestFinished(keepSaved({ rpcUrl: url, stateFile }, { emptyBlocksMs: 1000 }))
  await vi.waitFor(() => expect(savedHeight()).toBeGreaterThan(saved + 4), LONG)
})

test(`keeps the first block of the chain through ${STARTS} starts, half of them after kill -9`, async () => {
  const { url, stateFile, start } = await setup()
  const firstBlocks = new Set<string>()
  for (let turn = 1; turn <= STARTS; turn += 1) {
    const { pid, stop } = await start()
    await rpc(url, 'anvil_mine', ['0x1'])
    const [genesis, first] = [await block(url, '0x0'), await block(url, '0x1')]
    firstBlocks.add(genesis.hash)
    expect(first.parentHash, `start ${turn}`).toBe(genesis.hash)
    const height = await heightOf(url)
    expect(height).toBeGreaterThanOrEqual(turn)
    await saveState({ rpcUrl: url, stateFile })
    if (turn % 2 === 0) process.kill(pid, 'SIGKILL')
    await stop()
  }
  expect(firstBlocks.size).toBe(1)
})

test('saves concurrent copies without interference or leftovers', async () => {
  const { url, stateFile, start } = await setup()
  const { stop } = await start()
  await rpc(url, 'anvil_mine', ['0x1'])
  await Promise.all(Array.from({ length: 20 }, () => saveState({ rpcUrl: url, stateFile })))
  await stop()
  expect(readdirSync(dirname(stateFile)).sort()).toEqual(['chain.json', 'chain.json.backup'])
})

test('writes nothing but the state file, however long the chain runs', async () => {
  const { url, stateFile, home, start } = await setup()
  const { stop } = await start()
  for (let mined = 0; mined < 2000; mined += 200) await rpc(url, 'anvil_mine', ['0xc8'])
  await saveState({ rpcUrl: url, stateFile })
  await stop()
  expect(readdirSync(home)).toEqual([])
})

test('drops old empty blocks and nothing else at a start, and builds new blocks on the last one', async () => {
  const { url, stateFile, start, send } = await setup(KEPT_BLOCKS)
  const first = await start()
  const { contractAddress: to, ...deployed } = await send({ data: LOGS_PARENT_HASH })
  const happened = [deployed]
  for (let calls = 0; calls < 3; calls += 1) {
    await rpc(url, 'anvil_mine', ['0x1e'])
    happened.push(await send({ to }))
  }
  await rpc(url, 'anvil_mine', ['0x28'])
  const height = await heightOf(url)
  const newest = Array.from({ length: KEPT_BLOCKS - 10 }, (_, index) => toHex(height - index))
  const ofTransactions = happened.map(({ blockNumber }) => blockNumber)
  const read = async () => ({
    logs: await rpc(url, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: toHex(height) }]),
    blocks: await Promise.all(['0x0', '0x1', ...ofTransactions, ...newest].map((number) => block(url, number))),
    byHash: await Promise.all(happened.map(({ blockHash }) => rpc(url, 'eth_getBlockByHash', [blockHash, true]))),
    receipts: await Promise.all(happened.map(({ transactionHash }) => rpc(url, 'eth_getTransactionReceipt', [transactionHash]))),
  })
  const before = await read()
  expect(before.logs).toHaveLength(3)
  await first.stop()

  const second = await start()
  expect(await read()).toEqual(before)
  expect(await rpc(url, 'eth_getBlockByNumber', ['0xa', false]), 'an old block without transactions').toBeNull()
  // Contracts in the first block after any start get a made-up hash for the block before: anvil saves none.
  await rpc(url, 'anvil_mine', ['0x1'])
  const { blockNumber, logs } = await send({ to })
  expect(logs[0]?.data).toBe((await block(url, blockNumber)).parentHash)
  expect(await rpc(url, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: blockNumber }])).toHaveLength(4)
  let { parentHash } = await block(url, blockNumber)
  for (let number = Number(blockNumber) - 1; number >= height; number -= 1) {
    const { hash, ...before } = await block(url, toHex(number))
    expect(hash).toBe(parentHash)
    parentHash = before.parentHash
  }
  await second.stop()
  repairState(stateFile, KEPT_BLOCKS)
  expect(blocksIn(stateFile)).toBeLessThanOrEqual(2 + KEPT_BLOCKS + happened.length + 1)
})

test('restarts a chain once after many blocks, without its old empty ones', async () => {
  const { url, stateFile, start, pay, savedHeight } = await setup(KEPT_BLOCKS)
  const { pid, pidNow, restart } = await start()
  await pay()
  onTestFinished(keepSaved({ rpcUrl: url, stateFile }))
  let restarts = 0
  const restartCounted = async () => {
    restarts += 1
    await restart()
  }
  onTestFinished(keepCompact(url, restartCounted, { maxNewBlocks: 100, pollMs: 50 }))
  // It counts from what it sees first.
  await vi.waitFor(async () => {
    await rpc(url, 'anvil_mine', ['0x1e'])
    expect(pidNow()).not.toBe(pid)
  }, LONG)
  const height = await vi.waitFor(pay, LONG)
  expect(height).toBeGreaterThan(100)
  expect(await rpc(url, 'eth_getBalance', [PAID, 'latest'])).toBe('0xf6')
  await vi.waitFor(() => expect(savedHeight()).toBeGreaterThanOrEqual(height), LONG)
  expect(blocksIn(`${stateFile}.backup`)).toBeLessThan(height - 50)
  expect(restarts).toBe(1)
})

test('keeps the chain when a start is killed while it drops blocks', async () => {
  const { url, stateFile, start, pay } = await setup(KEPT_BLOCKS)
  const { stop } = await start()
  await rpc(url, 'anvil_mine', ['0x1e'])
  const height = await pay()
  const paid = await block(url, toHex(height))
  await rpc(url, 'anvil_mine', ['0x1e'])
  await stop()
  // So large that writing it takes a moment.
  const state = JSON.parse(readFileSync(stateFile, 'utf8'))
  const padding = Array.from({ length: 200 }, (_, index) => [`unknown${index}`, 'x'.repeat(100_000)])
  const large = JSON.stringify({ ...state, ...Object.fromEntries(padding) })
  const program = `import(${JSON.stringify(new URL('./chainState.ts', import.meta.url).href)})
    .then(({ repairState }) => repairState(${JSON.stringify(stateFile)}, ${KEPT_BLOCKS}))`
  // On a busy machine it may be done before it is killed.
  await vi.waitFor(async () => {
    writeFileSync(stateFile, large)
    const child = spawn(process.execPath, ['-e', program], { stdio: 'inherit' })
    const writing = watch(dirname(stateFile), () => child.kill('SIGKILL'))
    const [, signal] = await once(child, 'exit')
    writing.close()
    expect(signal).toBe('SIGKILL')
  }, LONG)

  await start()
  expect(await block(url, toHex(height))).toEqual(paid)
  expect(await heightOf(url)).toBeGreaterThanOrEqual(height + 30)
  expect(await rpc(url, 'eth_getBalance', [PAID, 'latest'])).toBe('0x7b')
})

test('refuses a state whose copy is damaged too, and leaves it unchanged', async () => {
  const { url, stateFile, start } = await setup()
  const { stop } = await start()
  await rpc(url, 'anvil_mine', ['0x1'])
  await saveState({ rpcUrl: url, stateFile })
  await stop()
  copyFileSync(stateFile, `${stateFile}.kept`)
  for (const file of [stateFile, `${stateFile}.backup`]) writeFileSync(file, '{"block":{"numb')
  expect(() => repairState(stateFile)).toThrow(/both damaged\. Nothing was changed/)
  expect(readFileSync(stateFile, 'utf8')).toBe('{"block":{"numb')
  copyFileSync(`${stateFile}.kept`, stateFile)
  expect(() => repairState(stateFile)).not.toThrow()
})

test('refuses a state too large to read, and leaves it unchanged', async () => {
  const { stateFile } = await setup()
  writeFileSync(stateFile, '{')
  truncateSync(stateFile, 600 * 2 ** 20)
  expect(() => repairState(stateFile)).toThrow(/larger than can be read \(600 MiB\).*Nothing was changed/)
  expect(statSync(stateFile).size).toBe(600 * 2 ** 20)
})

async function setup(keptBlocks?: number) {
  const dir = mkdtempSync(join(tmpdir(), 'rackfair-chain-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const [port, stateFile, home] = [await freePort(), join(dir, 'state', 'chain.json'), join(dir, 'home')]
  for (const folder of [dirname(stateFile), home]) mkdirSync(folder)
  const start = async () => {
    let pids: number[] = []
    const supervisor = new Supervisor({ ...print, line: () => {}, stream: (_, stream) => stream?.resume() }, (now) => {
      pids = now
    })
    onTestFinished(() => supervisor.stop())
    await supervisor.start({ ...chainProcess({ port, stateFile, keptBlocks }), env: { HOME: home } })
    const pidNow = () => pids[0] as number
    return { pid: pidNow(), pidNow, stop: () => supervisor.stop(), restart: () => supervisor.restart('chain') }
  }
  const url = `http://127.0.0.1:${port}`
  const send = async (transaction: object) => {
    const [from] = (await rpc(url, 'eth_accounts')) as string[]
    const hash = await rpc(url, 'eth_sendTransaction', [{ from, ...transaction }])
    return vi.waitFor(async () => {
      const receipt = (await rpc(url, 'eth_getTransactionReceipt', [hash])) as Receipt
      expect(receipt.status).toBe('0x1')
      return receipt
    }, LONG)
  }
  /** Returns the block of the payment. */
  const pay = async () => Number((await send({ to: PAID, value: '0x7b' })).blockNumber)
  const savedHeight = () => Number(JSON.parse(readFileSync(`${stateFile}.backup`, 'utf8')).best_block_number)
  return { url, stateFile, home, start, send, pay, savedHeight }
}

interface Receipt {
  status: string
  contractAddress: string
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  logs: { data: Hex }[]
}

const toHex = (value: number): Hex => `0x${value.toString(16)}`
const blocksIn = (file: string): number => JSON.parse(readFileSync(file, 'utf8')).blocks.length
const heightOf = async (url: string) => Number(await rpc(url, 'eth_blockNumber'))
const block = (url: string, number: string) =>
  rpc(url, 'eth_getBlockByNumber', [number, false]) as Promise<{ hash: string; parentHash: string }>
