import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chainProcess, keepStateBackup, rpc } from './chain.ts'
import { print } from './print.ts'
import { Supervisor } from './Supervisor.ts'

const LONG = { timeout: 60_000, interval: 200 }

test('the chain goes on from its last second after kill -9, also with half a state file', async () => {
  const { port, stateFile } = await setup()
  const url = `http://127.0.0.1:${port}`
  let pids: number[] = []
  const supervisor = new Supervisor({ ...print, line: () => {}, stream: (_, stream) => stream?.resume() }, (now) => {
    pids = now
  })
  onTestFinished(() => supervisor.stop())
  const stopBackup = keepStateBackup(stateFile)
  onTestFinished(stopBackup)
  await supervisor.start(chainProcess({ port, stateFile }))
  await rpc(url, 'anvil_setBalance', ['0x000000000000000000000000000000000000dEaD', '0x7b'])
  await rpc(url, 'anvil_mine', ['0x3', '0x1'])
  const height = Number(await rpc(url, 'eth_blockNumber'))
  const backedUp = () => JSON.parse(readFileSync(`${stateFile}.backup`, 'utf8')).best_block_number
  await vi.waitFor(() => expect(backedUp()).toBeGreaterThanOrEqual(height), LONG)

  const killed = pids[0] as number
  process.kill(killed, 'SIGKILL')
  const whole = readFileSync(stateFile, 'utf8')
  writeFileSync(stateFile, whole.slice(0, whole.length / 2))

  await vi.waitFor(async () => expect(Number(await rpc(url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(height), LONG)
  expect(await rpc(url, 'eth_getBalance', ['0x000000000000000000000000000000000000dEaD', 'latest'])).toBe('0x7b')
})

async function setup() {
  const dir = mkdtempSync(join(tmpdir(), 'rackfair-chain-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  await new Promise((resolve) => server.close(resolve))
  return { port, stateFile: join(dir, 'chain.json') }
}
