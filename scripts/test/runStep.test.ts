import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { whyNoNamespace, withOwnProcesses } from './networkNamespace.ts'
import { runStep } from './runStep.ts'

const folder = mkdtempSync(join(tmpdir(), 'rackfair-step-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const options = { root: folder, logDir: folder, env: {} }

const reason = whyNoNamespace()
// Half a second of work by a process whose parent is gone, as a page of a killed browser.
const WORK =
  "for (let i = 0; process.cpuUsage().user < 500_000; i += 1) for (let k = 0; k < 1e6; k += 1); require('node:fs').writeFileSync('done', String(process.pid))"
const COMMAND = 'mkfifo done; ("$0" -e "$1" &); pid=$(cat done); while kill -0 "$pid" 2>&-; do sleep 0.1; done'

it.skipIf(reason)(
  `counts the processor time of orphans (${reason ?? 'here'})`,
  async () => {
    const command = withOwnProcesses(['sh', '-c', COMMAND, process.execPath, WORK])
    const result = await runStep({ name: 'orphans', kind: 'check', seconds: 1, command }, options)
    expect(result).toMatchObject({ failed: 0, output: '' })
    expect(result.cpuSeconds).toBeGreaterThan(0.4)
  },
  60_000,
)

it('reports how a command failed', async () => {
  const result = await runStep({ name: 'fails', kind: 'check', seconds: 1, command: ['sh', '-c', 'exit 3'] }, options)
  expect(result).toMatchObject({ failed: 1, name: 'fails' })
})

it('reports an uncaught error', async () => {
  const command = ['sh', '-c', 'echo "5 passed"; echo "Unhandled Errors"; echo "Error: read ECONNRESET"; exit 1']
  const step = {
    name: 'uncaught',
    kind: 'tests',
    seconds: 1,
    command,
    countOutput: () => ({ passed: 5, failed: 0, skipped: 0 }),
  } as const
  const { failures } = await runStep(step, options)
  expect(failures?.join('\n')).toMatch(/^Unhandled Errors\nError: read ECONNRESET/)
})
