import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { decodeJson, encodeFrame, FRAME, readFrames } from '@rackfair/protocol/frames'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openChannel } from '../../../testing/openChannel.ts'
import { setupRuntime, type TestRuntime } from '../../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../../testing/whyNoContainers.ts'
import { createExecHandler } from './serveExec.ts'

const SHELL = 3
const reason = whyNoContainers()

describe.skipIf(reason)(`a command in an order’s container (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  beforeAll(async () => {
    market = await setupRuntime()
    await market.run(1n, SHELL)
  })
  afterAll(() => market?.close())

  it('receives its whole input, and returns both outputs and its exit code', async () => {
    const bytes = randomBytes(3_000_000)
    expect(await run(['cat'], bytes)).toEqual({ out: bytes, errors: '', exitCode: 0 })
    expect(await run(['sh', '-c', 'echo out; echo err >&2; exit 7'])).toEqual({
      ...{ out: Buffer.from('out\n'), errors: 'err\n', exitCode: 7 },
    })
    // It reads only a part of its input.
    expect(await run(['sh', '-c', 'head -c 3; exit 0'], bytes)).toMatchObject({ out: bytes.subarray(0, 3), exitCode: 0 })
    expect(await run(['sh', '-c', 'kill -9 $$'])).toMatchObject({ exitCode: 137 })
  })

  it('keeps its arguments, working directory and environment unchanged', async () => {
    const out = async (command: string[], more: object = {}) => String((await run(command, Buffer.alloc(0), more)).out)
    expect(await out(['printf', '%s|', '--version', '; rm -rf x', '$HOME', ''])).toBe('--version|; rm -rf x|$HOME||')
    expect(await out(['--', 'echo'])).toBe('')
    expect(await out(['pwd'], { workingDir: '/usr/bin' })).toBe('/usr/bin\n')
    expect(await out(['sh', '-c', 'echo "$ASKED $HOME"'], { env: { ASKED: 'a b=c' } })).toBe('a b=c /home/renter\n')
  })

  it.each([
    [['nosuchprogram', 'x'], {}, 127, 'nosuchprogram: no such file or program in the container\n'],
    [['/no/such/program'], {}, 127, '/no/such/program: no such file or program in the container\n'],
    [['/etc/passwd'], {}, 126, '/etc/passwd: permission denied\n'],
    [['/home'], {}, 126, '/home: permission denied\n'],
    [['/bin/true'], { workingDir: '/no/folder' }, 126, '/bin/true: its working directory cannot be entered\n'],
  ])('that cannot be run, %j %j, ends with %i and one sentence', async (command, more, exitCode, errors) => {
    expect(await run(command, Buffer.alloc(0), more)).toEqual({ out: Buffer.alloc(0), exitCode, errors })
  })

  it('that writes errors and goes on is heard at once', async () => {
    expect(await run(['sh', '-c', 'echo early >&2; sleep 0.2; echo late >&2; exit 3'])).toMatchObject({
      errors: 'early\nlate\n',
      exitCode: 3,
    })
  })

  it('is isolated like the application', async () => {
    const script =
      'id -u; grep -E "NoNewPrivs|Seccomp:|CapEff" /proc/self/status; cat /proc/self/uid_map; ulimit -n; touch /etc/x'
    const own = await run(['sh', '-c', script])
    const application = await market.inside(1n, script)
    expect(`${own.out}${own.errors}`).toBe(application.output)
    expect(String(own.out)).toMatch(/^1000\n.*CapEff:\s+0{16}\n.*NoNewPrivs:\s+1\n.*Seccomp:\s+2\n/s)
  })

  it('is killed with its stream, including everything that it started', async () => {
    const channel = openChannel()
    const handled = handle(['sh', '-c', 'sleep 4242 & sleep 4242 & wait'], channel).catch(() => {})
    const sleeping = async () => Number((await market.inside(1n, 'pgrep -c -f "^sleep 4242"')).output)
    await expect.poll(sleeping).toBe(2)
    channel.close()
    await handled
    await expect.poll(sleeping).toBe(0)
  })

  it('survives a killed engine, as does a file transfer', async () => {
    const files = await market.runtime.fileServer(1n)
    const { stdin, stdout, exitCode } = await market.runtime.exec(1n, ['sh', '-c', 'echo begun; read line; echo "$line"; exit 6'])
    let said = ''
    stdout.on('data', (chunk) => {
      said += chunk
    })
    await expect.poll(() => said, { timeout: 60_000 }).toBe('begun\n')
    await market.killEngine()
    files.stdin.write(Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]))
    expect(((await once(files.stdout, 'data')) as [Buffer])[0][4]).toBe(2)
    files.closeTerminals()
    stdin.end('whole\n')
    expect(await exitCode).toBe(6)
    expect(said).toBe('begun\nwhole\n')
    await market.runtime.check()
    expect(await run(['echo', 'back'])).toMatchObject({ exitCode: 0 })
  })

  it('is refused without an application, and for an invalid request', async () => {
    await expect(handle(['true'], openChannel(), {}, 9n)).rejects.toMatchObject({ code: 'app_not_running' })
    for (const more of [{ command: [] }, { command: 'true' }, { workingDir: 'x' }, { env: { 'A=B': '1' } }, { tty: true }])
      await expect(handle(['true'], openChannel(), more), JSON.stringify(more)).rejects.toMatchObject({ code: 'bad_request' })
  })

  const handle = (command: string[], { channel }: ReturnType<typeof openChannel>, more: object = {}, orderId = 1n) =>
    createExecHandler({ exec: market.runtime.exec })(orderId, { command, ...more }, channel)

  const run = async (command: string[], input = Buffer.alloc(0), more: object = {}) => {
    const channel = openChannel()
    const handled = handle(command, channel, more).then(channel.close)
    void (async () => {
      for (let at = 0; at < input.length; at += 100_000)
        await channel.send(encodeFrame(FRAME.bytes, input.subarray(at, at + 100_000)))
      channel.finish()
    })().catch(() => {})
    const out: Uint8Array[] = []
    const errors: Uint8Array[] = []
    let exitCode: number | undefined
    for await (const { type, payload } of readFrames(channel.sent)) {
      if (type === FRAME.bytes) out.push(payload)
      else if (type === FRAME.errorBytes) errors.push(payload)
      else exitCode = (decodeJson(payload) as { exitCode: number }).exitCode
    }
    await handled
    return { out: Buffer.concat(out), errors: Buffer.concat(errors).toString(), exitCode }
  }
})
