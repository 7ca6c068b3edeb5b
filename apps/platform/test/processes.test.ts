import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { formatAgentChallenge } from '@rackfair/protocol/agentTexts'
import type { DeploymentWire } from '@rackfair/protocol/deployments'
import { formatDeployText } from '@rackfair/protocol/deployText'
import type { PlatformMessage } from '@rackfair/protocol/relay'
import { builtProgram, startPostgres, whyNoPostgres } from '@rackfair/testkit'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { startPlatform } from '../src/startPlatform.ts'
import { NO_LINKS, startMarket } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 50 }
const PROGRAM = await builtProgram('platform')
const missing = whyNoPostgres()

it.skipIf(missing)(
  `finds the agent that another process on the same PostgreSQL holds${missing ? ` (${missing})` : ''}`,
  async () => {
    const postgres = await startPostgres()
    const market = await startMarket({ databaseUrl: await postgres.createDatabase() })
    const { act, chain } = market
    await act.becomeProvider()
    const { id, block } = await act.buy()
    const api = await startPlatform({ ...market.settings, role: 'api', port: 0 }, pino({ level: 'silent' }))
    await vi.waitFor(async () => expect((await fetch(`${api.url}/readyz`)).status).toBe(200), LONG)
    expect(await (await fetch(`${api.url}/v1/orders/${id}?minBlock=${block}`)).json()).toMatchObject({
      id: String(id),
      status: 1,
    })

    const { provider, user } = chain.accounts
    const socket = new WebSocket(`${market.platform.url.replace('http', 'ws')}/v1/relay`)
    onTestFinished(() => socket.terminate())
    const got: PlatformMessage[] = []
    socket.on('message', async (data) => {
      const message = JSON.parse(data.toString()) as PlatformMessage
      got.push(message)
      if (message.type !== 'challenge') return
      const hello = { chainId: 2985, provider: provider.address, version: 'test', platform: market.platform.url }
      const text = formatAgentChallenge({ ...hello, challenge: message.challenge })
      socket.send(JSON.stringify({ type: 'hello', ...hello, session: '0'.repeat(32) }))
      socket.send(
        JSON.stringify({ type: 'prove', operator: provider.address, signature: await provider.signMessage({ message: text }) }),
      )
    })
    await vi.waitFor(() => expect(got.map(({ type }) => type)).toContain('welcome'), LONG)
    await vi.waitFor(async () => {
      expect(await (await fetch(`${api.url}/v1/nodes/${provider.address}/1`)).json()).toMatchObject({ online: true })
    }, LONG)

    const time = Math.floor(Date.now() / 1000)
    const text = formatDeployText({
      orderId: id,
      deployId: 2,
      time,
      wallet: user.address,
      provider: provider.address,
      chainId: 2985,
    })
    const body = JSON.stringify({ text, signature: await user.signMessage({ message: text }) })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${api.url}/v1/deployments`, { method: 'POST', headers, body })
    expect(answer.status).toBe(202)
    const deployment = (await answer.json()) as DeploymentWire
    await vi.waitFor(() => expect(got.at(-1)).toMatchObject({ type: 'deploy', text }), LONG)
    const at = Date.now()
    const told = { ...deployment, id: 'own', phase: 'Running', steps: [{ phase: 'Running', at }] }
    socket.send(JSON.stringify({ type: 'status', deployment: told }))
    await vi.waitFor(async () => {
      expect(await (await fetch(`${api.url}/v1/deployments/${deployment.id}`)).json()).toMatchObject({ phase: 'Running' })
    }, LONG)
    await api.stop()
    await market.stop()
    await postgres.stop()
  },
)

it('exits with one clear line on a taken port or invalid configuration, and cleanly on SIGTERM', async () => {
  const market = await startMarket()
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-main-'))
  const deployment = join(folder, 'deployment.json')
  writeFileSync(deployment, JSON.stringify(market.chain.deployment))
  const run = (...args: string[]) =>
    runMain(['--rpc', market.chain.rpcUrl, '--deployment', deployment, '--data', join(folder, 'data'), ...args])
  expect(await run('--port', String(market.platform.port)).ended).toEqual({
    code: 2,
    errors: `platform: port ${market.platform.port} of 127.0.0.1 is in use\n`,
  })
  expect(await run('--role', 'king').ended).toEqual({ code: 2, errors: 'platform: --role is all, api or indexer, not king\n' })
  expect(await runMain([]).ended).toEqual({ code: 2, errors: 'platform: --rpc is missing\n' })
  const good = run('--port', '0')
  await once(good.child.stdout, 'data')
  good.child.kill('SIGTERM')
  expect(await good.ended).toEqual({ code: 0, errors: '' })
  rmSync(folder, { recursive: true, force: true })
  await market.stop()
})

it('serves the web app: routes fall back to the page, hashed files are immutable, scripts come from files only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-web-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), `<!doctype html><title>Rackfair</title>${' '.repeat(2_000)}`)
  writeFileSync(join(folder, 'assets', 'app-1a2b3c.js'), 'export {}')
  writeFileSync(join(folder, 'paths.json'), JSON.stringify(['/', '/nodelist', '/orderdeploy/:orderid/']))
  const market = await startMarket({ webFolder: folder })
  for (const path of ['/', '/nodelist', '/nodelist/', '/orderdeploy/7/', '/orderdeploy/7']) {
    const page = await market.get<string>(path)
    expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 200, 'no-cache'])
    expect(page.body).toContain('<title>Rackfair</title>')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("img-src 'self' data: blob:;")
    expect(policy).toContain(new URL(market.chain.rpcUrl).origin)
  }
  for (const path of ['/anything/else', '/NodeList', '/nodelist/7', '/OrderDeploy/7/', '/orderdeploy', '/V1/config']) {
    const page = await market.get<string>(path, { headers: { accept: 'text/html,*/*' } })
    expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 404, 'no-store'])
    expect(page.body).toContain('<title>Rackfair</title>')
    expect(await market.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  const script = await market.get('/assets/app-1a2b3c.js')
  expect(script.headers.get('cache-control')).toContain('immutable')
  expect((await market.get('/assets/gone.js')).status).toBe(404)
  expect(await market.get('/v1/unknown')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await market.get<string>('/reference/')).body).toContain('reference.js')
  await market.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('serves the compressed form that a build put beside a file, unless the file was changed since', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-web-'))
  const file = join(folder, 'app.js')
  const built = `export const text = '${'built '.repeat(500)}'`
  writeFileSync(file, built)
  // Another quality than the platform's own, which shows whose it is.
  const beside = brotliCompressSync(built, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } })
  writeFileSync(`${file}.br`, beside)
  const market = await startMarket({ webFolder: folder })
  const bytesOf = async (path: string, encoding = 'br') => {
    const answer = await market.get<string>(path, { headers: { 'accept-encoding': encoding } })
    return { body: answer.body, status: answer.status, bytes: Number(answer.headers.get('content-length')) }
  }
  expect(await bytesOf('/app.js')).toEqual({ body: built, status: 200, bytes: beside.length })
  expect(await bytesOf('/app.js', 'gzip')).toMatchObject({ body: built, status: 200 })
  expect(await bytesOf('/app.js.br')).toMatchObject({ status: 404 })

  const changed = built.replaceAll('built', 'newer')
  writeFileSync(file, changed)
  utimesSync(file, new Date(), new Date(Date.now() + 2_000))
  expect(await bytesOf('/app.js')).toMatchObject({ body: changed, status: 200 })
  await market.stop()
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  ['no project id', {}, ''],
  ['a project id', { walletConnectProjectId: 'abc' }, ' wss://relay.walletconnect.org'],
  [
    'a relay of its own',
    { walletConnectProjectId: 'abc', walletConnectRelayUrl: 'ws://127.0.0.1:7001/x' },
    ' ws://127.0.0.1:7001',
  ],
  ['a mainnet node', { mainnetRpcUrl: 'https://eth.example/key' }, ' https://eth.example'],
])('with %s, pages may connect to themselves, the chain and exactly what is configured', async (_, links, extra) => {
  const market = await startMarket({ site: { ...NO_LINKS, ...links } })
  const rpc = new URL(market.chain.rpcUrl)
  const policy = (await market.get('/v1/config')).headers.get('content-security-policy') ?? ''
  expect(policy.split('; ').find((rule) => rule.startsWith('connect-src'))).toBe(
    `connect-src 'self' ${rpc.origin} ws://${rpc.host}${extra}`,
  )
  await market.stop()
})

function runMain(args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, errors }))
  return { child, ended }
}
