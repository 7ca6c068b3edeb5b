import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtProgram, freePort, type MonitoredMarket, startMonitoredMarket, THROWS_ON_SIGNAL } from '@rackfair/testkit'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

const PROGRAM = await builtProgram('monitor')
const KEY = 'MYSECRETAPIKEY0123456789'
const LONG = { timeout: 60_000, interval: 50 }

describe('the monitor as a process', () => {
  let market: MonitoredMarket
  beforeAll(async () => {
    market = await startMonitoredMarket({ monitors: 0 })
  })
  afterAll(() => market.stop())

  it('goes on after errors that nothing handled, reports and counts them, and ends where they do not end', async () => {
    const { child, said } = startProgram(['--rpc', market.rpcUrl])
    await vi.waitFor(() => expect(said()).toContain('"msg":"monitoring"'), LONG)
    const url = `http://127.0.0.1:${/"port":(\d+)/.exec(said())?.[1]}`
    const metric = async () =>
      /^rackfair_monitor_uncaught_errors_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]
    for (const [index, kind] of ['an event', 'a promise', 'a text'].entries()) {
      child.kill('SIGUSR2')
      await vi.waitFor(async () => expect(await metric()).toBe(String(index + 1)), LONG)
      await vi.waitFor(() => expect(said()).toContain(`thrown by the test: ${kind}`), LONG)
    }
    expect(said()).toContain('all else goes on')
    expect((await fetch(`${url}/healthz`)).ok).toBe(true)
    const ended = once(child, 'exit')
    child.kill('SIGWINCH')
    expect(await ended).toEqual([1, null])
  })

  it('waits for a chain that does not answer, and writes no key of its address, dead or alive', async () => {
    const chainPort = await freePort()
    const address = `http://user:${KEY}@127.0.0.1:${chainPort}/v3/${KEY}?apikey=${KEY}`
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-monitor-rpc-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'rpc'), `${address}\n`)
    const joining = startProgram(['--rpc', address, 'join'])
    expect(await once(joining.child, 'close')).toEqual([1, null])
    expect(joining.said()).toContain('the chain does not answer; nothing was sent, try again later')
    const { child, said } = startProgram(['--rpc-file', join(folder, 'rpc')])
    await vi.waitFor(() => expect(said()).toContain('"msg":"waiting for the chain"'), LONG)
    // Passes on what it is asked, as a service does that takes keys.
    const service = createServer((request, response) => {
      void (async () => {
        const parts: Buffer[] = []
        for await (const part of request) parts.push(part as Buffer)
        const body = Buffer.concat(parts)
        const answer = await fetch(market.rpcUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
        response.end(await answer.text())
      })()
    }).listen(chainPort, '127.0.0.1')
    onTestFinished(() => {
      service.close()
      service.closeAllConnections()
    })
    await vi.waitFor(() => expect(said()).toContain('"msg":"monitoring"'), LONG)
    const url = `http://127.0.0.1:${/"port":(\d+)/.exec(said())?.[1]}`
    service.close()
    service.closeAllConnections()
    await vi.waitFor(() => expect(said()).toContain('cannot be'), LONG)
    const ended = once(child, 'exit')
    const metrics = await (await fetch(`${url}/metrics`)).text()
    child.kill('SIGTERM')
    await ended
    for (const text of [joining.said(), said(), metrics]) expect(text).not.toContain(KEY)
    expect(said()).toContain(`127.0.0.1:${chainPort}`)
  })

  function startProgram(more: readonly string[]): { child: ChildProcess; said: () => string } {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-monitor-'))
    const keyFile = join(folder, 'key')
    writeFileSync(keyFile, generatePrivateKey())
    const args = ['--access', market.chain.deployment.access, '--key-file', keyFile, '--data', folder, '--port', '0']
    const child = spawn(process.execPath, [PROGRAM, ...args, ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...THROWS_ON_SIGNAL },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    })
    return { child, said: () => text }
  }
})
