import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '@rackfair/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { createClusterClient, refuseOld } from './clusterClient.ts'

const whyNoOpenssl = spawnSync('openssl', ['version']).error ? 'there is no openssl' : undefined

it.skipIf(whyNoOpenssl)(
  `reuses its TLS connection to the API server, and reconnects once that was closed as idle (${whyNoOpenssl ?? 'here'})`,
  async () => {
    const asked: string[] = []
    const { cluster, greeted } = await connect((request, answer) => {
      asked.push(`${request.method} ${request.url}`)
      // Like a server that closes an idle connection just when it is used again.
      if (asked.length === 4) request.socket.destroy()
      else answer.end('{"kind":"Pod"}')
    })
    for (const path of ['/1', '/2', '/3']) expect(await cluster.get(path)).toEqual({ kind: 'Pod' })
    expect(greeted.size).toBe(1)
    expect(await cluster.get('/4')).toEqual({ kind: 'Pod' })
    expect(asked).toEqual(['GET /1', 'GET /2', 'GET /3', 'GET /4', 'GET /4'])
    expect(greeted.size).toBe(2)
  },
)

it.skipIf(whyNoOpenssl)(
  `calls a cluster out of reach, which is waited for, whatever it answers instead of objects (${whyNoOpenssl ?? 'here'})`,
  async () => {
    const answers: [status: number, text: string][] = [
      ...['', '<html>Sign in', '{"kind":"P', 'null', '3', '[]'].map((text): [number, string] => [200, text]),
      ...['null', '{"message":3}', '<html>'].map((text): [number, string] => [503, text]),
    ]
    const { cluster } = await connect(({ url }, answer) => {
      const [status, text] = answers[Number(url?.slice(1))] ?? [404, '']
      answer.writeHead(status).end(text)
    })
    for (const at of answers.keys())
      await expect(cluster.get(`/${at}`)).rejects.toMatchObject({ code: 'engine_unavailable', retryable: true })
    expect(await cluster.get('/none')).toBeUndefined()
  },
)

async function connect(onRequest: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-api-'))
  makeCertificates(folder, ['127.0.0.1'])
  const [cert, key] = ['crt', 'key'].map((name) => readFileSync(join(folder, `server.${name}`)))
  const server = createServer({ cert, key }, onRequest)
  const greeted = new Set<Socket>()
  server.on('secureConnection', (socket) => greeted.add(socket))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'one' },
    clusters: [{ name: 'one', cluster: { server: url, 'certificate-authority': join(folder, 'ca.crt') } }],
    users: [{ name: 'one', user: { token: 'one' } }],
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
  }
  const kubeconfig = join(folder, 'config')
  writeFileSync(kubeconfig, JSON.stringify(config))
  return { cluster: await createClusterClient({ kubeconfig }), greeted }
}

it.each(['20', '29', '20+', '133'])('accepts a cluster of minor version %s', (minor) => {
  expect(() => refuseOld({ major: '1', minor, gitVersion: `v1.${minor}.0` })).not.toThrow()
})

it('names the minimum version to a cluster that is too old or reports none', () => {
  expect(() => refuseOld({ major: '1', minor: '19+', gitVersion: 'v1.19.16' })).toThrow(
    'the cluster is v1.19.16; from v1.20 on orders can run. Nothing was changed in it',
  )
  expect(() => refuseOld({ major: '1', minor: 'x', gitVersion: 'x'.repeat(1000) })).toThrow(/^the cluster is x{64}; /)
  expect(() => refuseOld(undefined)).toThrow('the cluster is of no known version')
})
