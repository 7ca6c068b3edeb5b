import { decodeJson, encodeFrame, encodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openChannel } from '../../../testing/openChannel.ts'
import { setupRuntime, type TestRuntime } from '../../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../../testing/whyNoContainers.ts'
import { createTerminals } from './createTerminals.ts'
import { createScrollback } from './scrollback.ts'

const SHELL = 3
const NGINX = 2
const reason = whyNoContainers()

describe.skipIf(reason)(`a terminal of an order (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  let terminals: ReturnType<typeof createTerminals>
  const make = (idleMs: number) =>
    createTerminals({
      // The applications here have one service; which one a terminal is of is told apart before it is opened.
      open: (orderId, command, size) => market.runtime.terminal(orderId, command, size),
      isRunning: async (orderId) => (await market.runtime.find(orderId))?.running === true,
      idleMs,
    })

  beforeAll(async () => {
    market = await setupRuntime()
    await market.run(1n, SHELL)
    await market.run(2n, SHELL)
    terminals = make(600_000)
  })
  afterAll(async () => {
    terminals?.close()
    await market?.close()
  })

  it('is the image’s shell, at the size of the window, and survives a reload with its screen', async () => {
    const first = open(1n, { columns: 100, rows: 30 })
    await first.until(/\$ /)
    first.type('stty size; id -un; export KEPT=here$((40+2))\r')
    await first.until(/30 100\r\n.*renter/s)
    await first.channel.send(encodeJson({ columns: 90, rows: 20 }))
    first.type('until stty size | grep -q "20 90"; do sleep 0.2; done; echo resized-$KEPT\r')
    await first.until(/resized-here42/)
    const { session } = await first.opened
    first.channel.close()
    await first.handled
    const second = open(1n, { columns: 90, rows: 20, session })
    expect(await second.opened).toEqual({ session, resumed: true })
    await second.until(/resized-here42/)
    second.type('echo again-$KEPT; exit\r')
    await second.until(/again-here42/)
    expect(await second.closed).toEqual({ closed: 'ended' })
    expect(terminals.count(1n)).toBe(0)
    const third = open(1n, { columns: 90, rows: 20, session })
    expect(await third.opened).toMatchObject({ resumed: false })
    await third.channel.send(encodeJson({ end: true }))
    expect(await third.closed).toEqual({ closed: 'ended' })
  })

  it('shows characters that are not ASCII, in an image that says nothing of them', async () => {
    await market.run(3n, NGINX)
    const said = async (orderId: bigint) => {
      const shown = open(orderId, { command: ['/bin/sh', '-c', 'echo "<$LANG $(locale charmap)>"'] })
      await shown.until(/<.*>/)
      expect(await shown.closed).toEqual({ closed: 'ended' })
      return /<.*>/.exec(shown.text())?.[0]
    }
    expect(await said(3n)).toBe('<C.UTF-8 UTF-8>')
    expect(await said(1n)).toMatch(/^<\S+ UTF-8>$/)
  })

  it('belongs to its order and service only, and is shown in one place at a time', async () => {
    const mine = open(1n, { command: ['/bin/cat'] })
    const { session } = await mine.opened
    const theirs = open(2n, { session })
    expect(await theirs.opened).toMatchObject({ resumed: false })
    const beside = open(1n, { session, service: 'db' })
    expect(await beside.opened).toMatchObject({ resumed: false })
    const elsewhere = open(1n, { session })
    expect(await elsewhere.opened).toEqual({ session, resumed: true })
    expect(await mine.closed).toEqual({ closed: 'taken' })
    elsewhere.type('hello\r')
    await elsewhere.until(/hello\r\nhello/)
    for (const one of [theirs, beside, elsewhere]) await one.channel.send(encodeJson({ end: true }))
    await Promise.all([mine.handled, theirs.handled, beside.handled, elsewhere.handled])
  })

  it('continues unattended, misses no output while attended, and is one of at most eight', async () => {
    const script = 'stty -echo; read; seq 1 200000; echo finished; exec sleep 1000'
    const watched = open(1n, { command: ['/bin/bash', '-c', script] })
    await watched.opened
    watched.type('\r')
    await watched.until(/finished/)
    const numbers = watched.text().match(/\d+/g)?.map(Number) ?? []
    expect(numbers.findIndex((one, index) => one !== index + 1)).toBe(-1)
    expect(numbers.length).toBe(200_000)
    const left = open(1n, {
      command: ['/bin/bash', '-c', 'stty -echo; echo begun; read; seq 1 200000; echo done > /tmp/left; read'],
    })
    await left.until(/begun/)
    left.type('\r')
    await left.until(/\n2\r/)
    left.channel.close()
    await left.handled
    await expect.poll(async () => (await market.inside(1n, 'cat /tmp/left')).output).toBe('done\n')
    const others = Array.from({ length: 6 }, () => open(1n, { command: ['/bin/cat'] }))
    for (const one of others) await one.opened
    expect(terminals.count(1n)).toBe(8)
    // The one without a viewer makes room; after that there is none.
    const ninth = open(1n, { command: ['/bin/cat'] })
    expect(await ninth.opened).toMatchObject({ resumed: false })
    await expect(open(1n, { command: ['/bin/cat'] }).handled).rejects.toMatchObject({ code: 'too_many_streams' })
    for (const one of [watched, ...others, ninth]) await one.channel.send(encodeJson({ end: true }))
    await Promise.all([watched, ...others, ninth].map((one) => one.closed))
    expect(terminals.count(1n)).toBe(0)
  })

  it('ends with its engine and says so, and another opens once the engine is back', async () => {
    const cut = open(1n, { command: ['/bin/cat'] })
    const { session } = await cut.opened
    await market.killEngine()
    expect(await cut.closed).toEqual({ closed: 'ended' })
    await market.runtime.check()
    const next = open(1n, { session })
    expect(await next.opened).toMatchObject({ resumed: false })
    next.type('echo back$((40+2))\r')
    await next.until(/back42/)
    await next.channel.send(encodeJson({ end: true }))
    await next.handled
  })

  it('ends when idle for long and with its application, and is refused without one', async () => {
    const hasty = make(1000)
    const idle = open(2n, { command: ['/bin/cat'] }, hasty)
    expect(await idle.closed).toEqual({ closed: 'idle' })
    const cut = open(2n, { command: ['/bin/cat'] })
    await cut.opened
    await market.runtime.stop(2n)
    expect(await cut.closed).toEqual({ closed: 'ended' })
    await expect(open(2n, {}).handled).rejects.toMatchObject({ code: 'app_not_running' })
    for (const request of [{ columns: 1 }, { columns: 9999 }, { session: 'x' }, { command: [] }, { more: 1 }])
      await expect(open(1n, request).handled).rejects.toMatchObject({ code: 'bad_request' })
  })

  const open = (orderId: bigint, request: object, from = terminals) => {
    const channel = openChannel()
    let text = ''
    const opened = Promise.withResolvers<unknown>()
    const closed = Promise.withResolvers<unknown>()
    const reading = (async () => {
      for await (const { type, payload } of readFrames(channel.sent)) {
        if (type === FRAME.bytes) text += String(Buffer.from(payload))
        else if (text === '' && !isClosed(decodeJson(payload))) opened.resolve(decodeJson(payload))
        else closed.resolve(decodeJson(payload))
      }
    })()
    const handled = from.handler(orderId, { columns: 80, rows: 24, ...request }, channel.channel).then(channel.close, (error) => {
      const wasOpen = !channel.channel.signal.aborted
      channel.close()
      if (wasOpen) throw error
    })
    handled.catch(() => {})
    void reading
    return {
      channel,
      handled,
      opened: opened.promise as Promise<{ session: string }>,
      closed: closed.promise,
      text: () => text,
      type: (keys: string) => void channel.send(encodeFrame(FRAME.bytes, Buffer.from(keys))).catch(() => {}),
      until: (pattern: RegExp) => expect.poll(() => text).toMatch(pattern),
    }
  }
})

describe('a terminal’s scrollback', () => {
  it('is bounded, and read in chunks from any position', () => {
    const scrollback = createScrollback()
    for (let count = 0; count < 100_000; count += 1) scrollback.add(Buffer.from(`${String(count).padStart(9, '0')}\n`))
    expect(scrollback.end() - scrollback.start()).toBeLessThan(300 * 1024)
    const parts: Buffer[] = []
    for (let at = 0, read = scrollback.read(at, 1000); read.chunk.length > 0; read = scrollback.read(at, 1000)) {
      parts.push(read.chunk)
      at = read.next
    }
    const text = Buffer.concat(parts).toString()
    expect(text.length).toBe(scrollback.end() - scrollback.start())
    expect(text.endsWith('000099999\n')).toBe(true)
  })
})

const isClosed = (value: unknown): boolean => typeof value === 'object' && value !== null && 'closed' in value
