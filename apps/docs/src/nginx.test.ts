import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startChain } from '@rackfair/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ROOT } from './readGuide.ts'
import { startPlatform } from './testing/startPlatform.ts'

const BLOCK = /^```nginx\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs/guides/en/operators.md'), 'utf8'))?.[1] ?? ''
const missing = ['nginx', 'openssl'].find((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)

test.skipIf(missing)(
  `terminates TLS in front of the platform with the nginx file of the guide (${missing ?? 'here'})`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-nginx-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const chain = await startChain()
    onTestFinished(() => chain.stop())
    const deploymentFile = join(folder, 'deployment.json')
    writeFileSync(deploymentFile, JSON.stringify(chain.deployment))
    const web = join(ROOT, 'presets')
    const platform = await startPlatform({ rpcUrl: chain.rpcUrl, deploymentFile, data: join(folder, 'data'), web })
    onTestFinished(platform.stop)
    const port = await startNginx(folder, BLOCK, platform.url)

    expect(await overHttp2(port, '/readyz')).toMatchObject({ status: 200 })
    expect(await overHttp2(port, '/metrics')).toMatchObject({ status: 403 })
    // An open stream: the first bytes have to arrive although the answer never ends.
    expect(await overHttp2(port, '/v1/events')).toMatchObject({ status: 200, firstBytes: expect.stringMatching(/\S/) })
    expect(await upgradeStatus(port, '/v1/relay')).toBe(101)
  },
  180_000,
)

/** Starts nginx on the guide's file; only the port, the certificate's place and the platform's address are this test's own. */
async function startNginx(folder: string, block: string, platformUrl: string): Promise<number> {
  const port = await freePort()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=market.example', '-days', '1', '-nodes', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...subject], {
    stdio: 'ignore',
  })
  const here = block
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/\S+\/fullchain\.pem/, certificate)
    .replace(/\S+\/privkey\.pem/, key)
    .replace('http://127.0.0.1:3000', platformUrl)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `pid ${folder}/pid; error_log ${folder}/error.log; events {}\nhttp { access_log off;\n${here}}\n`)
  const nginx = spawn('nginx', ['-c', file, '-e', join(folder, 'error.log'), '-g', 'daemon off;'], { stdio: 'inherit' })
  const exited = new Promise((resolve) => nginx.once('exit', resolve))
  onTestFinished(async () => {
    nginx.kill('SIGTERM')
    await exited
  })
  await vi.waitFor(() => overHttp2(port, '/healthz'), { timeout: 30_000, interval: 100 })
  return port
}

function overHttp2(port: number, path: string): Promise<{ status: number; firstBytes: string }> {
  return new Promise((resolve, reject) => {
    const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
    session.once('error', reject)
    const stream = session.request({ ':path': path, ':authority': 'market.example' })
    let status = 0
    stream.once('response', (headers) => {
      status = Number(headers[':status'])
    })
    stream.once('data', (chunk: Buffer) => {
      resolve({ status, firstBytes: chunk.toString() })
      session.destroy()
    })
    stream.once('error', reject)
  })
}

function upgradeStatus(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ port, path, host: '127.0.0.1', servername: 'market.example', rejectUnauthorized: false },
      headers: {
        ...{ host: 'market.example', connection: 'Upgrade', upgrade: 'websocket' },
        ...{ 'sec-websocket-version': '13', 'sec-websocket-key': Buffer.alloc(16).toString('base64') },
      },
    })
    asked.once('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
    asked.once('response', ({ statusCode = 0 }) => resolve(statusCode))
    asked.once('error', reject)
    asked.end()
  })
}
