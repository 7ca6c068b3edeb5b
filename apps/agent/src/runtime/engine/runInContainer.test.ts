import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { checkInContainer } from './runInContainer.ts'

/** As an OCI runtime, which makes the file before it writes into it. The command is in a group of its own by then. */
const LAUNCHER = `#!/bin/sh
while [ "$1" != --pid-file ]; do shift; done
: > "$2"
sleep 0.5
setsid sh -c 'echo $$ > "$1"; exec sleep 600' sh "$2" &
wait $!
`
const CALLER = `
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { runInContainer } from ${JSON.stringify(new URL('runInContainer.ts', import.meta.url).href)}
const [launcher, run] = process.argv.slice(2)
const { closeTerminals, exitCode } = runInContainer({ launcher, run }, 'container', ['sleep', '600'])
while (readdirSync(run).length === 0) await pause(5)
closeTerminals()
console.log('ended with', await exitCode)
`

it('kills a command cancelled during its start, and no process of its own group', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-exec-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [launcher, caller] = [join(folder, 'launcher'), join(folder, 'caller.mjs')]
  writeFileSync(launcher, LAUNCHER, { mode: 0o700 })
  writeFileSync(caller, CALLER)
  // In a group of its own: the signal must not reach it.
  const child = spawn(process.execPath, [caller, launcher, join(folder, 'run')], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  expect(await text(child.stdout)).toBe('ended with 129\n')
  expect(await ended).toBe(0)
})

/** Runs the command, as an OCI runtime in its container. */
const RUNS = `#!/bin/sh
while [ "$1" != --pid-file ]; do shift; done
echo $$ > "$2"
shift 3
exec "$@"
`

it('a check says whether it ended well, and no for one that does not end, also by what it left behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [launcher, left] = [join(folder, 'launcher'), join(folder, 'left')]
  writeFileSync(launcher, RUNS, { mode: 0o700 })
  const check = (line: string, timeoutMs: number) =>
    checkInContainer({ launcher, run: join(folder, 'run') }, 'container', ['setsid', 'sh', '-c', line], timeoutMs)
  expect(await check('cat; exit 0', 60_000)).toBe(true)
  expect(await check('exit 3', 60_000)).toBe(false)
  expect(await check('sleep 600', 100)).toBe(false)
  // Holds its output in a session of its own, where no signal of ours comes.
  expect(await check(`setsid sh -c 'echo $$ > ${left}; exec sleep 600' & exit 0`, 1000)).toBe(false)
  process.kill(Number(readFileSync(left, 'utf8')), 'SIGKILL')
})
