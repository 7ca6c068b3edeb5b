import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '@rackfair/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chainProcess, rpc } from './chain.ts'
import { awaitSaved, keepStateBackup, repairState } from './chainState.ts'
import { print } from './print.ts'
import { Supervisor } from './Supervisor.ts'

const LONG = { timeout: 60_000, interval: 200 }
const STARTS = 10

test('the chain goes on from its last second after kill -9, also with half a state file', async () => {
  const { url, stateFile, start } = await setup()
  const { pid } = await start()
  onTestFinished(keepStateBackup(stateFile))
  await rpc(url, 'anvil_setBalance', ['0x000000000000000000000000000000000000dEaD', '0x7b'])
  await rpc(url, 'anvil_mine', ['0x3', '0x1'])
  const height = await heightOf(url)
  const backedUp = () => JSON.parse(readFileSync(`${stateFile}.backup`, 'utf8')).best_block_number
  await vi.waitFor(() => expect(Number(backedUp())).toBeGreaterThanOrEqual(height), LONG)

  process.kill(pid, 'SIGKILL')
  const whole = readFileSync(stateFile, 'utf8')
  writeFileSync(stateFile, whole.slice(0, whole.length / 2))

  await vi.waitFor(async () => expect(await heightOf(url)).toBeGreaterThanOrEqual(height), LONG)
  expect(await rpc(url, 'eth_getBalance', ['0x000000000000000000000000000000000000dEaD', 'latest'])).toBe('0x7b')
})

test(`the chain has one first block through ${STARTS} starts, half of them after kill -9`, { timeout: 120_000 }, async () => {
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
    await awaitSaved(stateFile, height)
    if (turn % 2 === 0) process.kill(pid, 'SIGKILL')
    await stop()
  }
  expect(firstBlocks.size).toBe(1)
})

test('copies that are made side by side disturb each other in nothing, and leave nothing', async () => {
  const { url, stateFile, start } = await setup()
  const { stop } = await start()
  await rpc(url, 'anvil_mine', ['0x1'])
  await Promise.all(Array.from({ length: 20 }, () => awaitSaved(stateFile, 1)))
  await stop()
  expect(readdirSync(dirname(stateFile)).sort()).toEqual(['chain.json', 'chain.json.backup'])
})

test('a state whose copy is damaged too is refused, and left as it is', async () => {
  const { url, stateFile, start } = await setup()
  const { stop } = await start()
  await rpc(url, 'anvil_mine', ['0x1'])
  await awaitSaved(stateFile, 1)
  await stop()
  copyFileSync(stateFile, `${stateFile}.kept`)
  for (const file of [stateFile, `${stateFile}.backup`]) writeFileSync(file, '{"block":{"numb')
  expect(() => repairState(stateFile)).toThrow(/both damaged\. Nothing was changed/)
  expect(readFileSync(stateFile, 'utf8')).toBe('{"block":{"numb')
  copyFileSync(`${stateFile}.kept`, stateFile)
  expect(() => repairState(stateFile)).not.toThrow()
})

async function setup() {
  const dir = mkdtempSync(join(tmpdir(), 'rackfair-chain-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const [port, stateFile] = [await freePort(), join(dir, 'chain.json')]
  const start = async () => {
    let pids: number[] = []
    const supervisor = new Supervisor({ ...print, line: () => {}, stream: (_, stream) => stream?.resume() }, (now) => {
      pids = now
    })
    onTestFinished(() => supervisor.stop())
    await supervisor.start(chainProcess({ port, stateFile }))
    return { pid: pids[0] as number, stop: () => supervisor.stop() }
  }
  return { url: `http://127.0.0.1:${port}`, stateFile, start }
}

const heightOf = async (url: string) => Number(await rpc(url, 'eth_blockNumber'))
const block = (url: string, number: string) =>
  rpc(url, 'eth_getBlockByNumber', [number, false]) as Promise<{ hash: string; parentHash: string }>
