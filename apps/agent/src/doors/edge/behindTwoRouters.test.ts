import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { whyItRests } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { saveConfig } from '../../config/agentConfig.ts'
import { INTERNET, inside, openHome, whyNoHome } from '../../testing/homeNetwork.ts'
import { setupMarket, startTestAgent, type TestMarket } from '../../testing/setupAgent.ts'
import { type StartedPebble, startPebble, whyNoPebble } from '../../testing/startPebble.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'

const PROGRAM = fileURLToPath(new URL('../../../../edge/src/main.ts', import.meta.url))
const ZONE = 'edge.test'
const NGINX = 2
const SOON = { timeout: 120_000, interval: 50 }
const SECRET = { title: 'only-the-page-says-this', header: 'only-a-header-says-this', path: 'only-a-path-says-this' }
/** Writes down all that this program reads, after decryption where it can decrypt. */
const RECORDER = `import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
Socket.prototype.push = function (chunk, ...more) {
  if (chunk) appendFileSync(process.env.RECORD, chunk)
  return Readable.prototype.push.call(this, chunk, ...more)
}`
/** The chain of the home, for programs in another network: sockets in the file system know no networks. */
const RELAY = `import { connect, createServer } from 'node:net'
createServer((one) => {
  const other = connect(process.env.CHAIN)
  for (const [a, b] of [[one, other], [other, one]]) a.on('error', () => b.destroy()).pipe(b)
}).listen(8545, '127.0.0.1')`

const walk = 'an agent behind two routers'
const reason = whyItRests(walk) ?? whyNoContainers() ?? whyNoHome() ?? whyNoPebble

describe.skipIf(reason)(`${walk}, and two edges of one name (${reason ?? 'here'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-home-'))
  const record = join(folder, 'record')
  const stop: (() => unknown)[] = []
  let home: ReturnType<typeof openHome>
  let pebble: StartedPebble
  let market: TestMarket
  let agent: Awaited<ReturnType<typeof startTestAgent>>
  let host = ''
  const edges: ChildProcess[] = []
  const logFiles: string[] = []

  const end = async (child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGKILL') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const edgeArgs = (at: number) => ['--zone', ZONE, '--data', join(folder, `edge-${at}`)]
  const startProgram = (at: number): void => {
    const { access } = market.chain.deployment
    const args = [
      ...[`--import=data:text/javascript,${encodeURIComponent(RECORDER)}`, PROGRAM, ...edgeArgs(at)],
      ...['--rpc', 'http://127.0.0.1:8545', '--access', access, '--host', INTERNET.edges[at] as string],
      ...['--metrics-port', `${5990 + at}`, '--raw-ports', '20000-20010', '--drain', '1'],
    ]
    const [first = '', ...rest] = [...inside('internet'), process.execPath, ...args]
    // Each process has its own: what an earlier one said is not waited for.
    logFiles[at] = join(folder, `edge-${at}-${performance.now()}.log`)
    const log = openSync(logFiles[at], 'w')
    edges[at] = spawn(first, rest, { stdio: ['ignore', log, log], env: { ...process.env, RECORD: record } })
    closeSync(log)
  }
  /** A visitor whose DNS says both addresses. Throws where there is no answer. */
  const visit = async (path = '/', ...more: string[]): Promise<string> => {
    const [first = '', ...rest] = inside('visitor')
    const at = `${host}:443:${INTERNET.edges.join(',')}`
    const curl = ['curl', '--silent', '--fail', '--max-time', '10', '--cacert', pebble.rootFile, '--resolve', at]
    const { stdout } = await promisify(execFile)(first, [...rest, ...curl, ...more, `https://${host}${path}`])
    return stdout
  }
  const visitUntil = () =>
    vi.waitFor(async () => {
      const page = await visit().catch((error: Error) => {
        throw new Error(`${error.message}\n${logs()}`)
      })
      expect(page).toContain(SECRET.title)
    }, SOON)
  const logOf = (at: number) => readFileSync(logFiles[at] as string, 'utf8')
  const logs = () => [logOf(0), logOf(1), ...agent.lines].join('\n')
  /** Until one of these edges, as it runs now, has said something. */
  const said = (message: string, ...some: number[]) =>
    vi.waitFor(() => {
      if (!some.some((at) => logOf(at).includes(`"msg":"${message}"`))) throw new Error(`${message}?\n${logs()}`)
    }, SOON)
  const CONNECTED = 'an agent is connected'
  const measured = async (what: string, done: () => Promise<unknown>) => {
    const from = performance.now()
    await done()
    console.log(`${what}: ${Math.round(performance.now() - from)} ms`)
  }

  beforeAll(async () => {
    market = await setupMarket()
    stop.unshift(() => market.close())
    home = openHome()
    stop.unshift(() => home.close())
    const chain = join(folder, 'chain.sock')
    const relay = createServer((one) => {
      const other = connect(Number(new URL(market.chain.rpcUrl).port), '127.0.0.1')
      one.on('error', () => other.destroy()).pipe(other)
      other.on('error', () => one.destroy()).pipe(one)
    }).listen(chain)
    stop.unshift(() => relay.close())
    const [first = '', ...rest] = [...inside('internet'), process.execPath, '--input-type=module', '-e', RELAY]
    const far = spawn(first, rest, { stdio: 'ignore', env: { ...process.env, CHAIN: chain } })
    stop.unshift(() => end(far))
    pebble = await startPebble({
      ...{ folder, tlsPort: 443, host: INTERNET.authority, namesLeadTo: INTERNET.edges[0] },
      inside: inside('internet'),
    })
    stop.unshift(() => pebble.close())
    const fingerprints = [0, 1].map((at) =>
      execFileSync(process.execPath, [PROGRAM, 'fingerprint', ...edgeArgs(at)], { encoding: 'utf8' }).trim(),
    )
    for (const at of [0, 1]) startProgram(at)
    stop.unshift(async () => {
      for (const one of edges) await end(one)
    })
    const config = market.config()
    const name = `p-${market.provider.slice(2, 12)}.${ZONE}`
    saveConfig(market.file, {
      ...config,
      gateway: {
        ...config.gateway,
        ...{ domain: name, portRange: null, appPorts: null, sshPort: null },
        edges: INTERNET.edges.map((one, at) => ({ host: one, port: 5998, fingerprint: fingerprints[at] as string, spares: 4 })),
        acme: { directory: pebble.directory, termsOfServiceAgreed: true },
      },
    })
    agent = await startTestAgent(market)
    stop.unshift(() => agent.stop())
    await agent.runtime.ensureImage((await import('../../presets/loadCatalog.ts')).loadCatalog().get(NGINX)?.app as never)
    await said(CONNECTED, 0)
    await said(CONNECTED, 1)
  })
  afterAll(async () => {
    for (const one of stop) await one()
    rmSync(folder, { recursive: true, force: true })
  })

  it('opens no port, and shows the page over HTTPS soon after its first deployment', async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    host = `o-${orderId}.p-${market.provider.slice(2, 12)}.${ZONE}`
    market.buyer.sealTo(await market.peer.keys())
    const env = { PAGE_TITLE: SECRET.title }
    const request = await market.buyer.sign({ orderId, deployId: NGINX, provider: market.provider, env })
    await measured('signed request to the first page over HTTPS', async () => {
      expect(await market.peer.deploy(request)).toMatchObject({ status: 202 })
      await visitUntil()
    })
    const listening = execFileSync('ss', ['-Hltn'], { encoding: 'utf8' }).trim().split('\n')
    expect(listening.length).toBeGreaterThan(0)
    for (const line of listening) expect(line).toMatch(/\s(127\.\d+\.\d+\.\d+|\[::1\]):\d+\s/)
    const knock = [...inside('visitor'), 'curl', '--max-time', '1', 'http://203.0.113.2/']
    expect(() => execFileSync(knock[0] as string, knock.slice(1), { stdio: 'ignore' })).toThrow()
  })

  it('is read by nobody in between: no page, header, path or key is in all that the edges have read', async () => {
    await visit(`/${SECRET.path}`, '--header', `authorization: Bearer ${SECRET.header}`).catch(() => {})
    await visit('/', '--header', `cookie: own=${SECRET.header}`, '--http1.1')
    const all = readFileSync(record)
    expect(all.includes(host), 'it was recorded').toBe(true)
    for (const secret of Object.values(SECRET)) expect(all.includes(secret), secret).toBe(false)
    const certificates = join(market.data, 'certificates')
    const keys = readdirSync(certificates).map((file) => readFileSync(join(certificates, file), 'utf8'))
    expect(keys.length).toBeGreaterThan(1)
    for (const key of keys) expect(all.includes(/PRIVATE KEY-----\n([^\n]+)/.exec(key)?.[1] ?? 'missing')).toBe(false)
  })

  it('is visited by the other edge when one is killed, and by it again when it is back', async () => {
    await end(edges[0])
    await measured('killed to the next page', () => visitUntil())
    startProgram(0)
    await said(CONNECTED, 0)
    await end(edges[1])
    await measured('the other killed to the next page', () => visitUntil())
    startProgram(1)
    await said(CONNECTED, 1)
  })

  it('is visited again when its public address has changed', async () => {
    home.changeAddress()
    await measured('another address to the next page', () => visitUntil())
  })

  it('is away while both edges are, and back with them', async () => {
    await measured('told to stop to stopped', () => Promise.all(edges.map((one) => end(one, 'SIGTERM'))))
    await expect(visit()).rejects.toThrow()
    for (const at of [0, 1]) startProgram(at)
    await said('open', 0, 1)
    await measured('the first of both started to the next page', () => visitUntil())
    expect(statSync(record).size).toBeGreaterThan(10_000)
    expect(readFileSync(record).includes(SECRET.title)).toBe(false)
  })
})
