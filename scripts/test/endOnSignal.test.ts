import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { inNamespace, whyNoNamespace, withOwnProcesses } from './networkNamespace.ts'

const folder = mkdtempSync(join(tmpdir(), 'rackfair-signal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const module = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href)
/** Runs one step, and would run another. */
const RUNNER = `
const { endOnSignal } = await import(${module('endOnSignal.ts')})
const { runStep } = await import(${module('runStep.ts')})
const [logDir, graceMs, ...command] = process.argv.slice(1)
const ended = endOnSignal(Number(graceMs))
await runStep({ name: 'first', kind: 'check', seconds: 1, command }, { root: logDir, logDir, env: {} })
if (!ended.aborted) await runStep({ name: 'second', kind: 'check', seconds: 1, command: ['true'] }, { root: logDir, logDir, env: {} })
process.exitCode = ended.reason
`
const CLEANS_UP = "process.once('SIGINT', () => process.stdout.write('cleaned up', () => process.exit()))"
const STAYS = "process.on('SIGINT', () => {})"

/** Signals the runner while a process of its step runs: what that process wrote until it was gone, and how the runner ended. */
async function interrupt(signal: NodeJS.Signals, graceMs: number, child: string, wrap: (command: string[]) => string[]) {
  const logDir = mkdtempSync(join(folder, 'run-'))
  const line = join(logDir, 'line')
  spawnSync('mkfifo', [line])
  const program = `${child}; process.stdout.write('up, '); setInterval(() => {}, 1000)`
  const command = wrap(['sh', '-c', '"$0" -e "$1" > "$2"; true', process.execPath, program, line])
  const args = ['--input-type=module', '-e', RUNNER, logDir, String(graceMs), ...command]
  const runner = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const exited = once(runner, 'exit')
  let output = ''
  for await (const chunk of createReadStream(line, 'utf8')) {
    if (output === '') runner.kill(signal)
    output += chunk
  }
  const [code] = await exited
  return { output, code, wentOn: existsSync(join(logDir, 'second.log')) }
}

const reason = whyNoNamespace()
const CASES = [
  ['a step', (command: string[]) => command, 'SIGINT', 130, undefined],
  ['a step with processes of its own', withOwnProcesses, 'SIGHUP', 129, reason],
  ['a step in a namespace', inNamespace, 'SIGTERM', 143, reason],
] as const

describe.each(CASES)('%s', (_, wrap, signal, code, why) => {
  it.skipIf(why)(`cleans up on ${signal} of the runner, which starts no other (${why ?? 'here'})`, async () => {
    expect(await interrupt(signal, 100_000, CLEANS_UP, wrap)).toEqual({ output: 'up, cleaned up', code, wentOn: false })
  })

  it.skipIf(why)(`is killed if it stays (${why ?? 'here'})`, async () => {
    expect(await interrupt(signal, 1, STAYS, wrap)).toEqual({ output: 'up, ', code, wentOn: false })
  })
})
