import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { killProcess } from './killProcess.ts'

const exitOf = (child: ReturnType<typeof spawn>) =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))

it('kills the process that a file names', async () => {
  const child = spawn('sleep', ['600'])
  killProcess(`${child.pid}\n`)
  expect(await exitOf(child)).toBe('SIGKILL')
})

it.each(['', '\n', '0', 'none'])('kills nothing for %j, least of all its own group', async (pid) => {
  const code = `
    const { killProcess } = await import(${JSON.stringify(new URL('killProcess.ts', import.meta.url).href)})
    try { killProcess(${JSON.stringify(pid)}) } catch ({ message }) { console.log(message) }`
  // In a group of its own: the signal must not reach the test.
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = exitOf(child)
  expect(await text(child.stdout)).toBe(`'${pid}' is no process\n`)
  expect(await exit).toBe(0)
})
