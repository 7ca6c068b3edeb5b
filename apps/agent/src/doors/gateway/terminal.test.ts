import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { workloadName } from '../../runtime/engine/names.ts'
import { setupGateway } from '../../testing/setupGateway.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'

const SHELL = 3
const ORDER = 1n
const reason = whyNoContainers()

describe.skipIf(reason)(`the terminal in the browser (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  let door: Awaited<ReturnType<typeof setupGateway>>
  let session: Record<string, string>
  let address: string

  beforeAll(async () => {
    market = await setupRuntime()
    address = await market.run(ORDER, SHELL)
    door = await setupGateway({ runtime: market.runtime, ownPorts: true })
    door.put(ORDER, { deployId: SHELL, address })
    session = (await door.signIn(ORDER, await door.enter(ORDER))).headers
  })
  afterAll(async () => {
    await door?.close()
    await market?.close()
  })

  it('loads all its assets from this gateway', async () => {
    const page = await (await fetch(`${door.originOf(ORDER)}/`, { headers: session })).text()
    expect(page).toContain('/.rackfair/terminal.js')
    for (const path of ['terminal.js', 'xterm.js', 'addon-fit.js', 'xterm.css', 'sign-in.js', 'enter.js', 'session.js'])
      expect((await fetch(`${door.originOf(ORDER)}/.rackfair/${path}`)).status, path).toBe(200)
  })

  it('opens for the owner and from this site only', async () => {
    const refused = (headers: Record<string, string>) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${door.originOf(ORDER).replace('http', 'ws')}/.rackfair/terminal`, { headers })
        socket.once('error', (error) => resolve(error.message))
        socket.once('open', () => resolve('open'))
      })
    expect(await refused(session)).toContain('403')
    expect(await refused({ ...session, origin: 'http://evil.example' })).toContain('403')
    expect(await refused({ cookie: await door.enter(ORDER), origin: door.originOf(ORDER) })).toContain('401')
  })

  it('runs typed and pasted input at the size of the window, and keeps the shell over a reconnect', async () => {
    const first = await open(100, 30)
    await first.type('stty size; id -un; export KEPT=here$((40+2))\r')
    await first.until(/29 100|30 100/)
    await first.until(/renter/)
    first.resize(90, 20)
    // The shell is notified by a signal: poll until it has handled it.
    await first.type('until stty size | grep -qE "(19|20) 90"; do sleep 0.2; done; echo resized-$(stty size | tr -d " ")\r')
    await first.until(/resized-(19|20)90/)
    await first.type(`echo ${'x'.repeat(3000)} | wc -c\r`)
    await first.until(/3001/)
    first.close()
    const second = await open(90, 20)
    await second.type('clear; echo again-$KEPT\r')
    await second.until(/again-here42/)
    second.close()
  })

  it('closes when idle', async () => {
    const hasty = await setupGateway({ runtime: market.runtime, ownPorts: true, terminalIdleMs: 1500 })
    hasty.put(ORDER, { deployId: SHELL, address })
    const { headers } = await hasty.signIn(ORDER, await hasty.enter(ORDER))
    const idle = connectTo(hasty.originOf(ORDER), headers)
    expect(await new Promise((resolve) => idle.once('close', resolve))).toBe(4408)
    await hasty.close()
  })

  it('sends one resize at a time to the engine, and always the last one', async () => {
    const asked = { now: 0, most: 0, sizes: [] as string[] }
    const terminal: TestRuntime['runtime']['terminal'] = async (...how) => {
      const opened = await market.runtime.terminal(...how)
      const resize = async (columns: number, rows: number) => {
        asked.sizes.push(`${columns}x${rows}`)
        asked.now += 1
        asked.most = Math.max(asked.most, asked.now)
        await opened.resize(columns, rows).finally(() => {
          asked.now -= 1
        })
      }
      return { ...opened, resize }
    }
    const watched = await setupGateway({ runtime: { ...market.runtime, terminal }, ownPorts: true })
    watched.put(ORDER, { deployId: SHELL, address })
    const owner = await watched.signIn(ORDER, await watched.enter(ORDER))
    const socket = connectTo(watched.originOf(ORDER), owner.headers)
    await new Promise((resolve) => socket.once('message', resolve))
    for (let columns = 100; columns <= 500; columns += 1) socket.send(JSON.stringify({ columns, rows: 40 }))
    await expect.poll(() => asked.sizes.at(-1)).toBe('500x40')
    expect(asked.most).toBe(1)
    expect(asked.sizes.length).toBeLessThan(400)
    socket.terminate()
    await watched.close()
  })

  it('applies back-pressure in both directions', async () => {
    const settled = async (measure: () => number | Promise<number>) => {
      for (let before = -1, now = await measure(); ; before = now, now = await measure()) {
        if (before === now) return now
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }
    const typist = await run('echo ready; exec sleep 300')
    for (let count = 0; count < 512; count += 1) typist.send(Buffer.alloc(256 * 1024 - 16, 'x'))
    expect(await settled(() => typist.bufferedAmount)).toBeGreaterThan(96 * 2 ** 20)
    typist.terminate()
    const reader = await run('for ((i = 0; ; i++)); do printf "%01023d\\n" 0; echo $i > /tmp/kilobytes; done')
    reader.pause()
    expect(await settled(async () => Number((await market.inside(ORDER, 'cat /tmp/kilobytes')).output))).toBeLessThan(
      32 * 2 ** 10,
    )
    reader.terminate()
    door.put(ORDER, { deployId: SHELL, address })
  })

  it('leaves no shell behind when the visitor leaves while it opens', async () => {
    const attached = async () => Number((await market.inside(ORDER, 'tmux list-clients | wc -l')).output)
    let opened = 0
    const terminal: TestRuntime['runtime']['terminal'] = (...how) =>
      market.runtime.terminal(...how).finally(() => {
        opened += 1
      })
    const watched = await setupGateway({ runtime: { ...market.runtime, terminal }, ownPorts: true })
    watched.put(ORDER, { deployId: SHELL, address })
    const owner = await watched.signIn(ORDER, await watched.enter(ORDER))
    for (let count = 0; count < 4; count += 1) {
      const socket = connectTo(watched.originOf(ORDER), owner.headers)
      await new Promise((resolve) => socket.once('open', resolve))
      socket.terminate()
    }
    await expect.poll(() => opened).toBe(4)
    await expect.poll(attached).toBe(0)
    const here = await open(80, 24)
    await expect.poll(attached).toBe(1)
    here.close()
    await watched.close()
  })

  it('leaves no process behind when the order ends while a shell ignores its input', async () => {
    const { Id: id } = await market.docker.getContainer(workloadName(market.instance, ORDER)).inspect()
    const carriers = () => commandLines().filter((one) => one.includes(`/${id}/`)).length
    const typist = await run('echo ready; exec sleep 300')
    for (let count = 0; count < 64; count += 1) typist.send(Buffer.alloc(256 * 1024 - 16, 'x'))
    expect(carriers()).toBeGreaterThan(1)
    await market.runtime.remove(ORDER, { wipe: true })
    await expect.poll(carriers).toBe(0)
    typist.terminate()
  })

  const connectTo = (origin: string, headers: Record<string, string>, query = '') =>
    new WebSocket(`${origin.replace('http', 'ws')}/.rackfair/terminal${query}`, { headers: { ...headers, origin } })
  /** A terminal of the gateway that runs this script. */
  const run = async (script: string) => {
    door.put(ORDER, { deployId: SHELL, address, terminal: ['/bin/bash', '-c', `stty raw -echo; ${script}`] })
    const socket = connectTo(door.originOf(ORDER), session)
    await new Promise((resolve) => socket.once('message', resolve))
    return socket
  }
  const open = async (columns: number, rows: number) => {
    const socket = connectTo(door.originOf(ORDER), session, `?columns=${columns}&rows=${rows}`)
    let text = ''
    socket.on('message', (data) => {
      text += String(data)
    })
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    const until = (pattern: RegExp) => expect.poll(() => text).toMatch(pattern)
    await until(/\$ /)
    return {
      until,
      type: async (keys: string) => socket.send(Buffer.from(keys)),
      resize: (nextColumns: number, nextRows: number) => socket.send(JSON.stringify({ columns: nextColumns, rows: nextRows })),
      close: () => socket.close(),
    }
  }
})

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
}
