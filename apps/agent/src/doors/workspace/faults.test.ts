import { createHash, randomBytes } from 'node:crypto'
import { connectMarket, withAccount } from '@rackfair/sdk'
import {
  carrySsh,
  download,
  exec,
  listFiles,
  logs,
  openWorkspace,
  terminal,
  upload,
  usage,
  type Workspace,
} from '@rackfair/sdk/workspace'
import { type Buyer, createBuyer, pidOf, type RunningMarket, startMarket, visit, whyItRests } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'

const reason = whyNoContainers() ?? whyItRests('faults in a workspace')
/** More than can be in transit at once. */
const FILE_BYTES = 24 * 2 ** 20
const FILE = '/home/renter/large'
/** Of 2 KiB each in nginx's error log: more than can be in transit at once. */
const LINE_BYTES = 2000
const LINES = 400
const LATER_LINES = 20

describe.skipIf(reason)(`every workspace stream during a crash (${reason ?? 'here'})`, () => {
  let market: RunningMarket
  let site: Workspace
  let shell: Workspace
  let link: string
  let lines = 0
  const data = randomBytes(FILE_BYTES)

  beforeAll(async () => {
    market = await startMarket({ agent: true })
    const web = await run('nginx')
    link = (await web.api.orderDeployment(web.order.id)).visitUrl ?? ''
    site = await workspaceOf(web)
    shell = await workspaceOf(await run('ubuntu'))
  }, 600_000)
  afterAll(async () => {
    site?.close()
    shell?.close()
    await market?.stop()
  })

  it.each(['platform', 'agent'] as const)(
    'with the %s killed: keeps logs gapless and files whole, ends commands, terminals and connections with an error, resumes usage',
    async (killed) => {
      const held = Promise.withResolvers<void>()
      const leaving = new AbortController()
      onTestFinished(() => {
        held.resolve()
        leaving.abort()
      })
      const first = lines + 1
      await writeLines(LINES)

      const read: number[] = []
      const reading = (async () => {
        for await (const { bytes } of logs(site, { follow: true, signal: leaving.signal })) {
          const number = Number(/\/line-(\d+)-/.exec(String(Buffer.from(bytes)))?.[1] ?? Number.NaN)
          if (number >= first) read.push(number)
          if (read.length === 20) await held.promise
        }
      })()

      let measured = ''
      const states: string[] = []
      const measuring = shell.follow({
        ...{ kind: 'usage', request: () => ({ live: true }), signal: leaving.signal },
        onBytes: (bytes) => {
          measured += String(Buffer.from(bytes))
        },
        onState(state) {
          states.push(state)
          if (state === 'waiting') measured = ''
        },
      })

      const typed = Promise.withResolvers<void>()
      const drawn: string[] = []
      const shown = outcome(
        terminal(shell, {
          ...{ columns: 80, rows: 24, command: ['/bin/cat'], signal: leaving.signal },
          input: pieces(Buffer.from('typed on'), typed.promise),
          onBytes: (bytes) => void drawn.push(String(Buffer.from(bytes))),
        }),
      )

      const said: string[] = []
      const command = outcome(
        exec(shell, ['sh', '-c', 'echo begun; read line; echo "$line"; exit 3'], {
          input: later(held.promise, Buffer.from('handed on\n')),
          onStdout: (bytes) => void said.push(String(Buffer.from(bytes))),
        }),
      )

      await upload(shell, FILE, once(data), { size: FILE_BYTES, replace: true })
      const changed = randomBytes(FILE_BYTES)
      let sent = 0
      const up = outcome(
        upload(shell, FILE, pieces(changed, held.promise), {
          ...{ size: FILE_BYTES, replace: true },
          onProgress: (bytes) => {
            sent = bytes
          },
        }),
      )
      let received = 0
      const down = outcome(
        download(shell, '/usr/bin/perl', {
          async onBytes(bytes) {
            received += bytes.length
            await held.promise
          },
        }),
      )
      let banner = ''
      const ssh = outcome(
        carrySsh(
          shell,
          later(leaving.signal, Buffer.alloc(0)),
          (bytes) => {
            banner += String(Buffer.from(bytes))
          },
          leaving.signal,
        ),
      )
      await expect
        .poll(() => [read.length, drawn.length > 0, said.join(''), sent > 0, received > 0, banner.slice(0, 8)], {
          timeout: 120_000,
        })
        .toEqual([20, true, 'begun\n', true, true, 'SSH-2.0-'])
      const now = Math.floor(Date.now() / 1000)
      const history = { from: now - 3600, to: now + 3600, points: 1000 }
      const recorded = async () => (await usage(shell, { history })).history
      await expect.poll(async () => (await recorded()).length, { timeout: 120_000 }).toBeGreaterThan(0)
      const before = await recorded()
      await expect.poll(() => measured, { timeout: 120_000 }).toContain('"type":"now"')

      process.kill(pidOf(market.stateDir, killed), 'SIGKILL')
      const interrupted = { code: 'stream_interrupted', retryable: true }
      for (const one of [command, shown, ssh]) expect(await one).toMatchObject(interrupted)
      held.resolve()
      for (const one of [up, down]) expect(await one).toMatchObject(interrupted)
      await untilBack()
      expect(await shaOf(FILE)).toBe(hash(data))
      // Everything unfinished is gone, and can be done again.
      await expect.poll(() => countOf('read lin[e]'), { timeout: 120_000 }).toBe(0)
      await upload(shell, FILE, once(changed), { size: FILE_BYTES, replace: true })
      expect(await shaOf(FILE)).toBe(hash(changed))
      // The next attempt removed what a killed agent had left of a file.
      expect((await listFiles(shell, '/home/renter')).map(({ name }) => name)).toEqual(['large'])
      let again = ''
      await terminal(shell, {
        ...{ columns: 80, rows: 24, command: ['/bin/echo', 'back'], input: later(leaving.signal, Buffer.alloc(0)) },
        onBytes: (bytes) => {
          again += String(Buffer.from(bytes))
        },
      })
      expect(again).toContain('back')
      typed.resolve()

      await writeLines(LATER_LINES)
      await expect.poll(() => read.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(LINES + LATER_LINES)
      await expect
        .poll(() => [states.includes('waiting'), measured], { timeout: 120_000 })
        .toEqual([true, expect.stringContaining('"type":"now"')])
      await expect.poll(async () => (await recorded()).length, { timeout: 120_000 }).toBeGreaterThan(before.length)
      // The newest point covers an interval that was not over.
      expect((await recorded()).slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      leaving.abort()
      await Promise.all([reading, measuring])
      expect(read).toEqual(Array.from({ length: LINES + LATER_LINES }, (_, index) => first + index))
    },
    600_000,
  )

  const run = async (preset: 'nginx' | 'ubuntu'): Promise<Buyer> => {
    const buyer = await createBuyer(market.url)
    const { id } = await buyer.api.deploy(await buyer.sign(preset))
    const runs = async () => expect((await buyer.api.deployment(id)).phase).toBe('Running')
    await vi.waitFor(runs, { timeout: 300_000, interval: 200 })
    return buyer
  }

  const workspaceOf = async ({ account, order }: Buyer) =>
    openWorkspace(withAccount(await connectMarket({ platform: market.url }), account), BigInt(order.id))

  /** Writes each line once: waits for the response, and sends nothing while there can be none. */
  const writeLines = async (count: number) => {
    for (const last = lines + count; lines < last; ) {
      lines += 1
      await (await visit(link, `/line-${lines}-${'x'.repeat(LINE_BYTES)}`)).arrayBuffer()
    }
  }

  const shaOf = async (path: string) => (await outputOf(['sha256sum', path])).slice(0, 64)
  /** Counts processes, by a pattern that does not match itself. */
  const countOf = async (what: string) => Number(await outputOf(['sh', '-c', `grep -lz '${what}' /proc/[0-9]*/cmdline | wc -l`]))

  const outputOf = async (command: string[]) => {
    let output = ''
    await exec(shell, command, {
      onStdout: (bytes) => {
        output += String(Buffer.from(bytes))
      },
    })
    return output.trim()
  }

  const untilBack = () =>
    expect
      .poll(
        async () => {
          const answers = [listFiles(shell), visit(link).then(({ status }) => status === 200 || Promise.reject(new Error()))]
          return (await Promise.allSettled(answers)).map(({ status }) => status)
        },
        { timeout: 120_000, interval: 500 },
      )
      .toEqual(['fulfilled', 'fulfilled'])
})

/** The outcome of a promise, even an error. */
const outcome = <Value>(promise: Promise<Value>): Promise<Value | Error> => promise.catch((error: Error) => error)
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* once(bytes: Uint8Array) {
  yield bytes
}

/** The first part, and the rest once it may continue. */
async function* pieces(bytes: Uint8Array, rest: Promise<void>) {
  yield bytes.subarray(0, bytes.length / 2)
  await rest
  yield bytes.subarray(bytes.length / 2)
}

async function* later(when: Promise<unknown> | AbortSignal, bytes: Uint8Array) {
  await (when instanceof AbortSignal ? new Promise((resolve) => when.addEventListener('abort', resolve)) : when)
  yield bytes
}
