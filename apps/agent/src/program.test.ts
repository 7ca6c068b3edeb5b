import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, THROWS_ON_SIGNAL } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { agentConfig, saveConfig } from './config/agentConfig.ts'
import { ensureOperatorKey } from './config/operatorKey.ts'
import { newInstance } from './runtime/engine/names.ts'
import { removeEngine } from './runtime/engine/removeEngine.ts'
import { runCli, startCli } from './testing/runCli.ts'
import { whyNoContainers } from './testing/whyNoContainers.ts'

const LONG = { timeout: 100_000, interval: 100 }
const KEY = 'MYSECRETAPIKEY0123456789'
/** Where nothing listens, in the form in which services give out their keys. */
const RPC = `http://user:${KEY}@127.0.0.1:9/v3/${KEY}?apikey=${KEY}`
const NOBODY = 65_534
const ADDRESS = `0x${'1'.repeat(40)}`
const reason = whyNoContainers()

describe.skipIf(reason)(`the agent as a process, without its chain (${reason ?? 'here'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-program-'))
  const file = join(folder, 'agent.json')
  const instance = newInstance()
  let metricsPort: number
  let gatewayPort: number

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    ensureOperatorKey(join(folder, 'operator.key'))
    ;[metricsPort, gatewayPort] = [await freePort(), await freePort()]
    writeFileSync(join(folder, 'rpc'), `${RPC}\n`)
    const given = { instance, chainId: 2985, rpcUrl: RPC, rpcFile: join(folder, 'rpc'), access: ADDRESS, provider: ADDRESS }
    const gateway = { host: '127.0.0.1', port: gatewayPort, publicHost: '127.0.0.1' }
    const files = { operatorKeyFile: join(folder, 'operator.key'), platforms: ['http://127.0.0.1:9'] }
    saveConfig(
      file,
      agentConfig.parse({ ...given, ...files, gateway, metrics: { port: metricsPort }, stopWorkloadsOnExit: true }),
    )
  })
  afterAll(async () => {
    await removeEngine(join(folder, 'data'), `/run/rackfair-${instance}`)
    rmSync(folder, { recursive: true, force: true })
  })

  it('goes on after errors that nothing handled, reports and counts them, and ends where they do not end', async () => {
    const { child, said } = start()
    await vi.waitFor(() => expect(said()).toContain('"msg":"ready"'), LONG)
    const metric = async () =>
      /^rackfair_agent_uncaught_errors_total (\d+)$/m.exec(
        await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
      )?.[1]
    for (const [index, kind] of ['an event', 'a promise', 'a text'].entries()) {
      child.kill('SIGUSR2')
      await vi.waitFor(async () => expect(await metric()).toBe(String(index + 1)), LONG)
      await vi.waitFor(() => expect(said()).toContain(`thrown by the test: ${kind}`), LONG)
    }
    const line =
      said()
        .split('\n')
        .find((one) => one.includes('thrown by the test')) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      level: 50,
      reason: 'Error: thrown by the test: an event',
      stack: expect.stringContaining('\n    at '),
      uncaught: 1,
      msg: expect.stringContaining('all else goes on'),
    })
    expect((await fetch(`http://127.0.0.1:${gatewayPort}/healthz`)).ok).toBe(true)
    const ended = once(child, 'exit')
    child.kill('SIGWINCH')
    expect(await ended).toEqual([1, null])
  })

  it('writes no key of its chain’s address, into no log, metric, configuration or answer', async () => {
    expect(readFileSync(file, 'utf8')).not.toContain(KEY)
    const { child, said } = start()
    await vi.waitFor(() => expect(said()).toMatch(/"chain":"127\.0\.0\.1:9"[\s\S]*"msg":"waiting for the chain"/), LONG)
    await vi.waitFor(() => expect(said()).toContain('"msg":"ready"'), LONG)
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    // As nobody, for whom no container is tried.
    const other = mkdtempSync(join(tmpdir(), 'rackfair-nobody-'))
    onTestFinished(() => rmSync(other, { recursive: true, force: true }))
    for (const name of ['rpc', 'operator.key']) copyFileSync(join(folder, name), join(other, name))
    const config = join(other, 'agent.json')
    writeFileSync(config, readFileSync(file, 'utf8').replaceAll(`${folder}/`, `${other}/`))
    execFileSync('chown', ['-R', String(NOBODY), other])
    const answers = await Promise.all([
      runCli(['doctor', '--config', config], { uid: NOBODY }),
      runCli(['status', '--config', file]),
      runCli(['status', '--json', '--config', file]),
      runCli(['init', '--yes', '--config', join(folder, 'other.json'), '--rpc', RPC]),
      runCli(['init', '--yes', '--config', join(folder, 'other.json'), '--rpc-file', join(folder, 'rpc')]),
      runCli(['withdraw', '--yes', '--config', file]),
    ])
    for (const { stdout, stderr } of answers) expect(stdout + stderr).not.toContain(KEY)
    expect(answers[0]?.stdout).toContain('chain and key')
    expect(answers[4]?.stderr).toContain('no chain answers at 127.0.0.1:9')
    for (const text of [said(), metrics]) expect(text).not.toContain(KEY)
  })

  const start = (): { child: ChildProcess; said: () => string } => {
    const child = startCli(['start', '--config', file], { env: THROWS_ON_SIGNAL })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk))
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    })
    return { child, said: () => text }
  }
})
