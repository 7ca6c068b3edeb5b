import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'

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
