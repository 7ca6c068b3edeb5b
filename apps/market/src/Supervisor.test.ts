import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ProcessSpec, Supervisor } from './Supervisor.ts'

const LONG = { timeout: 60_000 }

test('restarts a killed process, and prefixes its lines with its name', async () => {
  const { supervisor, spec, pidOf, lines } = setup()
  await supervisor.start(spec('one'))
  const first = pidOf('one')
  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => expect(pidOf('one')).not.toBe(first), LONG)
  await vi.waitFor(() => expect(lines).toContain('one: is back'), LONG)
  expect(lines).toContain('one: ended (SIGKILL); starting it again')
  // It may print this after writing the file that marks it ready.
  await vi.waitFor(() => expect(lines).toContain('one: hello from one'), LONG)
  await supervisor.stop()
})

test('stops processes in reverse order, and kills one that ignores SIGTERM', async () => {
  const { supervisor, spec, pidOf, lines } = setup()
  const cleaned: string[] = []
  const cleanUpOf = (name: string) => ({ cleanUp: async () => void cleaned.push(name) })
  await supervisor.start({ ...spec('one'), ...cleanUpOf('one') })
  await supervisor.start({
    ...spec('two', "process.on('SIGTERM', () => {});"),
    stopWithinMs: 500,
    ...cleanUpOf('two'),
  })
  await supervisor.start({ ...spec('three'), ...cleanUpOf('three') })
  const pids = [pidOf('one'), pidOf('two'), pidOf('three')]
  process.kill(pidOf('three'), 'SIGKILL')
  await vi.waitFor(() => expect(lines).toContain('three: ended (SIGKILL); starting it again'), LONG)
  await supervisor.stop()
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
  expect(lines).toContain('two: does not stop; ending it')
  expect(cleaned, 'what had exited, and what was killed').toEqual(['three', 'two'])
})

test('restarts one process, ending it as a stop does', async () => {
  const { supervisor, spec, pidOf, lines } = setup()
  await supervisor.start(spec('one', "process.on('SIGTERM', () => { console.log('goodbye'); process.exit(0) });"))
  await supervisor.start(spec('two'))
  const [one, two] = [pidOf('one'), pidOf('two')]
  await supervisor.restart('one')
  expect(() => process.kill(one, 0)).toThrow()
  await vi.waitFor(() => expect(pidOf('one')).not.toBe(one), LONG)
  await vi.waitFor(() => expect(lines).toContain('one: is back'), LONG)
  expect(lines).toContain('one: goodbye')
  expect(pidOf('two')).toBe(two)
  await supervisor.stop()
})

test('retries a process that cannot be prepared for another start', async () => {
  const { supervisor, spec, pidOf, lines } = setup()
  let preparations = 0
  const beforeStart = async () => {
    preparations += 1
    if (preparations === 2 || preparations === 3) throw new Error('no space left on device')
  }
  await supervisor.start({ ...spec('one'), beforeStart })
  const first = pidOf('one')
  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => expect(pidOf('one')).not.toBe(first), LONG)
  expect(preparations).toBe(4)
  expect(lines.filter((line) => line === 'one: cannot be started: no space left on device')).toHaveLength(2)
  await supervisor.stop()
})

test('fails the start clearly when a process ends before it is ready', async () => {
  const { supervisor, spec } = setup()
  await expect(supervisor.start({ ...spec('one', 'process.exit(3);'), isReady: async () => false })).rejects.toThrow(
    'one ended before it was ready (exit code 3)',
  )
  await supervisor.stop()
})

function setup() {
  const dir = mkdtempSync(join(tmpdir(), 'rackfair-supervisor-'))
  const lines: string[] = []
  const supervisor = new Supervisor(
    {
      step: () => {},
      line: (name, text) => void lines.push(`${name}: ${text}`),
      stream: (name, stream) => stream?.on('data', (chunk: Buffer) => lines.push(`${name}: ${chunk.toString().trim()}`)),
    },
    () => {},
  )
  onTestFinished(async () => {
    await supervisor.stop()
    rmSync(dir, { recursive: true })
  })
  const pidFile = (name: string) => join(dir, name)
  const pidOf = (name: string) => Number(readFileSync(pidFile(name), 'utf8'))
  const spec = (name: string, extra = ''): ProcessSpec => {
    writeFileSync(pidFile(name), '0')
    const code = `${extra}require('fs').writeFileSync(${JSON.stringify(pidFile(name))}, String(process.pid)); console.log('hello from ${name}'); setInterval(() => {}, 1000)`
    return { name, command: process.execPath, args: ['-e', code], isReady: async () => pidOf(name) > 0 }
  }
  return { supervisor, spec, pidOf, lines }
}
