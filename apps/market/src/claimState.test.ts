import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, onTestFinished } from 'vitest'
import { claimState } from './claimState.ts'

const test = base.skipIf(!existsSync('/proc/self/stat'))

test('refuses a second market on the same state while the first one runs', async () => {
  const dir = setup()
  const claim = await claimState(dir)
  await expect(claimState(dir)).rejects.toThrow(/already runs on/)
  claim.release()
  await (await claimState(dir)).release()
})

test('ends what a killed market left running, and nothing else', async () => {
  const dir = setup()
  const orphan = sleeper()
  const stranger = sleeper()
  const claim = await claimState(dir)
  claim.setChildren([orphan.pid as number, stranger.pid as number])
  const record = JSON.parse(readFileSync(join(dir, 'market.json'), 'utf8'))
  // The market is gone, and the stranger's process id was reused since: its start time is another.
  record.started = '1'
  record.children[1].started = '1'
  writeFileSync(join(dir, 'market.json'), JSON.stringify(record))

  const ended = new Promise((resolve) => orphan.once('exit', resolve))
  ;(await claimState(dir)).release()
  await ended
  expect(stranger.exitCode).toBeNull()
  expect(stranger.signalCode).toBeNull()
})

test('starts in spite of a damaged record', async () => {
  const dir = setup()
  writeFileSync(join(dir, 'market.json'), '{"pid":')
  ;(await claimState(dir)).release()
})

function setup(): string {
  const dir = mkdtempSync(join(tmpdir(), 'rackfair-claim-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return dir
}

function sleeper() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
