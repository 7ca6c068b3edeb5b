import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { CASES } from './cases.ts'

const NGINX = 2
/** Only ends a hang. */
const SLOW = { timeout: 120_000, interval: 100 }
const reason = whyNoContainers()

describe.skipIf(reason)(`podman as a runtime (${reason ?? 'here'})`, () => {
  let test: TestRuntime
  beforeAll(async () => {
    test = await setupRuntime()
  })
  afterAll(() => test?.close())

  it.for(CASES)('$name', ({ run }, context) =>
    run({ runtime: test.runtime, open: test.open, nginx: test.app(NGINX), expect: context.expect }),
  )

  it('applies the last of several concurrent resizes to a busy conmon', async () => {
    await test.run(1n, NGINX)
    const { stream, resize } = await test.runtime.terminal(1n, ['/bin/sh'], { columns: 100, rows: 40 })
    let said = ''
    stream.on('data', (chunk) => {
      said += chunk
    })
    const sizes = () => {
      stream.write('stty size\n')
      return said
    }
    await expect.poll(sizes, SLOW).toContain('40 100')
    const conmon = conmonOfTerminal(test.data)
    process.kill(conmon, 'SIGSTOP')
    await resize(90, 30)
    await resize(120, 50)
    process.kill(conmon, 'SIGCONT')
    await expect.poll(sizes, SLOW).toContain('50 120')
    stream.destroy()
    await test.runtime.remove(1n, { wipe: true })
  })
})

/** The conmon that an engine with its files in `data` started for a terminal. */
function conmonOfTerminal(data: string): number {
  const pids = readdirSync('/proc').filter((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return words.includes('conmon') && words.includes('--exec-attach') && words.includes(data)
    } catch {
      return false
    }
  })
  expect(pids).toHaveLength(1)
  return Number(pids[0])
}
