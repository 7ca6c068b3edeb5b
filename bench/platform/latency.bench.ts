import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, startChain } from '@rackfair/testkit'
import { actorOn } from '../../apps/platform/test/actorOn.ts'
import { percentile, table } from './table.ts'

/**
 * From the receipt of a transaction to an answer built from its rows, and to its event in an open stream, with block announcements by
 * WebSocket and with polling alone.
 */
const ROUNDS = 60
const chain = await startChain({ blockTime: 0 })
const act = actorOn(chain)
await act.becomeProvider()
const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-latency-'))
const rows = [await measure('announced (WebSocket)', []), await measure('polled every 200 ms', ['--ws', 'ws://127.0.0.1:9'])]
table(['', 'block to row p50 ms', 'p95', 'block to browser p50 ms', 'p95', 'most'], rows)
rmSync(folder, { recursive: true, force: true })
await chain.stop()

async function measure(name: string, extra: string[]): Promise<(string | number)[]> {
  const deployment = join(folder, 'deployment.json')
  writeFileSync(deployment, JSON.stringify(chain.deployment))
  const port = await freePort()
  const main = fileURLToPath(new URL('../../apps/platform/src/main.ts', import.meta.url))
  const data = mkdtempSync(join(folder, 'data-'))
  const args = [main, '--port', String(port), '--rpc', chain.rpcUrl, '--deployment', deployment, '--data', data, ...extra]
  const platform = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await sleep(50)
  const arrived = new Map<number, number>()
  const stop = new AbortController()
  void listen(`${url}/v1/events?topics=provider`, stop.signal, (block) => arrived.set(block, performance.now())).catch(
    () => undefined,
  )
  await sleep(300)
  const rowTimes: number[] = []
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const fields = { name: `name ${round}`, ip: '127.0.0.1', domain: '', port: 7070 }
    const block = await act.send(chain.accounts.provider, 'registry', 'revise', [fields])
    const mined = performance.now()
    const row = fetch(`${url}/v1/cp/${chain.accounts.provider.address}?minBlock=${block}`).then(async (answer) => {
      const { name: shown } = (await answer.json()) as { name: string }
      if (shown !== fields.name) throw new Error(`the row says ${shown}, not ${fields.name}`)
      rowTimes.push(performance.now() - mined)
    })
    while (!arrived.has(block)) await sleep(1)
    await row
    times.push(Math.max(0, (arrived.get(block) ?? 0) - mined))
    await sleep(17 * (round % 13))
  }
  stop.abort()
  platform.kill('SIGTERM')
  await new Promise((resolve) => platform.once('exit', resolve))
  const shown = [
    percentile(rowTimes, 0.5),
    percentile(rowTimes, 0.95),
    percentile(times, 0.5),
    percentile(times, 0.95),
    Math.max(...times),
  ]
  return [name, ...shown.map((milliseconds) => milliseconds.toFixed(0))]
}

async function listen(url: string, signal: AbortSignal, onBlock: (block: number) => void): Promise<void> {
  const answer = await fetch(url, { signal })
  for await (const chunk of answer.body ?? []) {
    for (const [, block] of new TextDecoder().decode(chunk).matchAll(/"block":(\d+)/g)) onBlock(Number(block))
  }
}
