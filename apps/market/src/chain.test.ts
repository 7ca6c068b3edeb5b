import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@rackfair/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chainProcess } from './chain.ts'
import { keepSaved, repairState, saveState } from './chainState.ts'
import { print } from './print.ts'
import { rpc } from './rpc.ts'
import { Supervisor } from './Supervisor.ts'

const LONG = { timeout: 60_000, interval: 200 }
const STARTS = 10
const PAID = '0x000000000000000000000000000000000000dEaD'

test('resumes the chain at its last second after kill -9, even with half a state file', async () => {
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

test('saves a chain without transactions once a minute, and one with transactions at once', async () => {
  const { url, stateFile, start, pay, savedHeight } = await setup()
  await start()
  const stop = keepSaved({ rpcUrl: url, stateFile })
  await vi.waitFor(() => savedHeight(), LONG)
  const height = await pay()
  await vi.waitFor(() => expect(savedHeight()).toBeGreaterThanOrEqual(height), LONG)
  const saved = savedHeight()
  await rpc(url, 'anvil_mine', ['0x3', '0x1'])
  await sleep(3000)
  expect(savedHeight()).toBe(saved)
  await pay()
  await vi.waitFor(() => expect(savedHeight()).toBeGreaterThanOrEqual(saved + 4), LONG)
  stop()

  onTestFinished(keepSaved({ rpcUrl: url, stateFile }, 1000))
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

async function setup() {
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
    await supervisor.start({ ...chainProcess({ port, stateFile }), env: { HOME: home } })
    return { pid: pids[0] as number, stop: () => supervisor.stop() }
  }
  const url = `http://127.0.0.1:${port}`
  /** Returns the block of the payment. */
  const pay = async () => {
    const [from] = (await rpc(url, 'eth_accounts')) as string[]
    const hash = await rpc(url, 'eth_sendTransaction', [{ from, to: PAID, value: '0x7b' }])
    return vi.waitFor(async () => {
      const receipt = (await rpc(url, 'eth_getTransactionReceipt', [hash])) as { blockNumber: string }
      return Number(receipt.blockNumber)
    }, LONG)
  }
  const savedHeight = () => Number(JSON.parse(readFileSync(`${stateFile}.backup`, 'utf8')).best_block_number)
  return { url, stateFile, home, start, pay, savedHeight }
}

const heightOf = async (url: string) => Number(await rpc(url, 'eth_blockNumber'))
const block = (url: string, number: string) =>
  rpc(url, 'eth_getBlockByNumber', [number, false]) as Promise<{ hash: string; parentHash: string }>
