import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { DOOR_PROTOCOL } from '@rackfair/protocol/door'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadCertificate } from '../../../../edge/src/certificate.ts'
import { startEdge } from '../../../../edge/src/testing/startEdge.ts'
import { sayingLog } from '../../foundation/log.ts'
import { createEdgeClient, type EdgeClientTimes } from './createEdgeClient.ts'

const SOON = { timeout: 60_000, interval: 10 }
const NEVER = 1_000_000

function start({ port, fingerprint }: { port: number; fingerprint: string }, times: Partial<EdgeClientTimes> = {}) {
  const account = privateKeyToAccount(generatePrivateKey())
  const said: string[] = []
  const welcomes: number[] = []
  const client = createEdgeClient({
    ...{ edge: { host: '127.0.0.1', port, fingerprint, spares: 2 }, chainId: 2985, provider: account.address, account },
    ...{ rawPort: 20_000, needsRawPort: false, onDomain: () => {}, onVisitor: () => {} },
    onWelcome: ({ rawPort }) => welcomes.push(rawPort),
    times: { retryMs: [10, 20], refusedMs: NEVER, ...times },
    log: sayingLog((message, facts) => said.push(`${message} ${JSON.stringify(facts)}`)),
  })
  onTestFinished(() => client.close())
  return { said, welcomed: (count: number) => vi.waitFor(() => expect(welcomes.length, said.join('\n')).toBe(count), SOON) }
}

describe('the way of an agent to its edge', () => {
  it('waits for an edge that takes long to judge it', async () => {
    const edge = await startEdge({
      async isSigned() {
        await sleep(300)
        return true
      },
    })
    onTestFinished(() => edge.close())
    const { welcomed } = start({ port: edge.ports.control, fingerprint: edge.certificate.fingerprint }, { pingMs: 20 })
    await welcomed(1)
  })

  it('is tried again soon where the edge could not ask the chain, and not where it refuses for good', async () => {
    let asked = 0
    const edge = await startEdge({
      async isSigned() {
        asked += 1
        if (asked === 1) throw new Error('no chain')
        return asked === 2
      },
    })
    onTestFinished(() => edge.close())
    const to = { port: edge.ports.control, fingerprint: edge.certificate.fingerprint }
    await start(to).welcomed(1)
    const { said } = start(to)
    await vi.waitFor(() => expect(said.join()).toContain('not_signed'), SOON)
    await sleep(200)
    expect(asked).toBe(3)
  })

  it('is found anew when a router has forgotten it, with all connections that waited', async () => {
    const edge = await startForgottenEdge()
    start(edge, { pingMs: 20, silenceMs: 500 })
    const [first = []] = await edge.dialled(1)
    const [, second = []] = await edge.dialled(2)
    await vi.waitFor(() => expect(first.filter((one) => one.closed)).toHaveLength(2), SOON)
    expect(second.filter((one) => one.closed)).toHaveLength(0)
  })
})

/** An edge whose connections fall silent at once, as behind a router that has forgotten them: only the newest is open. */
async function startForgottenEdge() {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-edge-'))
  const certificate = await loadCertificate(folder, 'edge.test')
  rmSync(folder, { recursive: true })
  const rounds: Socket[][] = []
  const dial = createServer((socket) => {
    socket.on('error', () => {}).resume()
    rounds.at(-1)?.push(socket)
  }).listen(0, '127.0.0.1')
  const control = createTlsServer({ ...certificate, ALPNProtocols: [DOOR_PROTOCOL] }, (socket: TLSSocket) => {
    const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`)
    let isWelcome = false
    socket.on('error', () => {})
    socket.on('data', (text) => {
      if (isWelcome) return void (rounds.length > 1 && send({ type: 'pong' }))
      isWelcome = String(text).includes('hello')
      if (!isWelcome) return
      rounds.push([])
      const ports = { rawPort: 20_000, tlsPort: 443, plainPort: 80, dialPort: (dial.address() as AddressInfo).port }
      send({ type: 'welcome', name: 'p-1.edge.test', ...ports, connections: 8 })
      send({ type: 'dial', tickets: ['a', 'b'].map((one) => one.repeat(32)) })
    })
    send({ type: 'challenge', challenge: 'ab'.repeat(32), edge: 'edge.test' })
  }).listen(0, '127.0.0.1')
  await Promise.all([control, dial].map((one) => one.listening || once(one, 'listening')))
  onTestFinished(() => {
    for (const one of [control, dial]) one.close()
    for (const one of rounds.flat()) one.destroy()
  })
  return {
    ...{ port: (control.address() as AddressInfo).port, fingerprint: certificate.fingerprint },
    /** What has been dialled, two connections for each time that the agent came. */
    async dialled(times: number): Promise<Socket[][]> {
      await vi.waitFor(() => expect(rounds[times - 1]).toHaveLength(2), SOON)
      return rounds
    },
  }
}
