import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { DOOR_PROTOCOL, formatDoorHello, MAX_DOOR_LINE } from '@rackfair/protocol/door'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { dialBack } from './testing/dialBack.ts'
import { type StartedEdge, startEdge } from './testing/startEdge.ts'

const SOON = { timeout: 60_000, interval: 10 }
const closed = (socket: Socket) => new Promise((resolve) => socket.resume().once('close', resolve))

describe('the control connection', () => {
  let edge: StartedEdge
  beforeAll(async () => {
    edge = await startEdge({ times: { helloMs: 1_000, silenceMs: 2_500 } })
  })
  afterAll(() => edge.close())
  const open = async (options: Parameters<typeof dialBack>[1] = {}) => {
    const peer = await dialBack(edge, options)
    onTestFinished(() => peer.close())
    return peer
  }
  const refusal = async (options: Parameters<typeof dialBack>[1], localAddress?: string) => {
    const peer = await open({ ...options, ...(localAddress ? { localAddress } : {}) })
    await peer.hello()
    const { code } = await peer.next('refused')
    await peer.isClosed()
    return code
  }

  it('gives a name and a raw port to the signer, the same ones again, and the wished port where it is free', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const first = await open({ account })
    const given = await first.enter()
    expect(given.name).toBe(`p-${account.address.slice(2, 12).toLowerCase()}.edge.test`)
    const again = await open({ account })
    expect(await again.enter()).toEqual(given)
    // The newest takes the place of the other.
    expect(await first.next('refused')).toMatchObject({ code: 'replaced' })
    await first.isClosed()
    const wished = given.rawPort + (given.rawPort > edge.rawPorts[0] ? -1 : 1)
    const other = await (await open({ port: wished })).enter()
    expect(other.rawPort).toBe(wished)
    const taken = await (await open({ port: given.rawPort })).enter()
    expect([given.rawPort, wished]).not.toContain(taken.rawPort)
  })

  it('says to anybody what a provider would be given, keeps nothing for it, and gives just that', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const ask = async (port?: number, provider = account.address as string) => {
      const peer = await open()
      peer.send({ type: 'ask', provider, ...(port ? { port } : {}) })
      const { name, rawPort } = await peer.next('place')
      await peer.isClosed()
      return { name, rawPort }
    }
    const told = await ask()
    expect(told.name).toBe(`p-${account.address.slice(2, 12).toLowerCase()}.edge.test`)
    const other = await ask(told.rawPort, privateKeyToAccount(generatePrivateKey()).address)
    expect(other.rawPort, 'it is not kept').toBe(told.rawPort)
    expect(await (await open({ account })).enter()).toMatchObject(told)
    expect((await ask(told.rawPort, privateKeyToAccount(generatePrivateKey()).address)).rawPort).not.toBe(told.rawPort)
    const peer = await open()
    peer.send({ type: 'ask', provider: account.address })
    peer.send({ type: 'ask', provider: account.address })
    await peer.isClosed()
  })

  it('refuses who did not sign, and what was signed for another edge, challenge, connection, provider or chain', async () => {
    const stranger = privateKeyToAccount(generatePrivateKey())
    expect(await refusal({ provider: stranger.address })).toBe('not_signed')
    expect(await refusal({ chainId: 1 })).toBe('other_chain')
    const changed: Parameters<typeof formatDoorHello>[0] = {
      ...{
        chainId: 2985,
        provider: stranger.address,
        edge: 'other.example',
        challenge: '00'.repeat(32),
        binding: '00'.repeat(32),
      },
    }
    for (const [index, member] of (['provider', 'edge', 'challenge', 'binding'] as const).entries())
      expect(
        await refusal({ sign: (facts) => formatDoorHello({ ...facts, [member]: changed[member] }) }, `127.0.0.${index + 10}`),
        member,
      ).toBe('not_signed')
    expect(await refusal({ sign: () => 'rackfair edge' })).toBe('not_signed')
  })

  it('is closed for who speaks out of turn, too much, too long or another language, and for who says nothing', async () => {
    const wrong: (string | object)[] = [
      '\n',
      'GET / HTTP/1.1\r\n',
      '{}\n',
      '[]\n',
      { type: 'ping' },
      { type: 'spares', count: 1 },
      { type: 'hello', chainId: 2985, provider: '0x', signature: '0x' },
      'x'.repeat(MAX_DOOR_LINE + 1),
      '{"type":"later"}\n'.repeat(100),
    ]
    for (const message of wrong) {
      const peer = await open({ localAddress: '127.0.0.30' })
      peer.send(message)
      await peer.isClosed()
    }
    const silent = await open()
    await silent.isClosed()
    const greeted = await open()
    await greeted.hello()
    const welcome = await greeted.next('welcome')
    expect(welcome.connections).toBe(512)
    await greeted.isClosed()
    const again = await open()
    await again.enter()
    again.send({ type: 'hello', chainId: 2985, provider: again.provider, signature: `0x${'00'.repeat(65)}` })
    await again.isClosed()
  })

  it('is closed for an agent that is silent, however much is said to it', async () => {
    // It is asked for its spare again and again.
    const one = await startEdge({ times: { silenceMs: 400, ticketMs: 30 } })
    onTestFinished(() => one.close())
    const peer = await dialBack(one, { spares: 1 })
    onTestFinished(() => peer.close())
    await peer.enter()
    await peer.isClosed()
  })

  it('needs TLS 1.3 and the name of the protocol', async () => {
    const codeOf = async (options: object) => {
      const socket = connect({ port: edge.ports.control, host: '127.0.0.1', rejectUnauthorized: false, ...options })
      return new Promise((resolve) => {
        socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        socket.resume().once('close', () => resolve('closed'))
      })
    }
    expect(await codeOf({ ALPNProtocols: [DOOR_PROTOCOL], maxVersion: 'TLSv1.2' })).toContain('ERR_SSL')
    expect(await codeOf({ ALPNProtocols: ['h2'] })).toContain('ERR_SSL')
    expect(await codeOf({})).toBe('closed')
    const half = connectTcp(edge.ports.control, '127.0.0.1')
    half.write(Buffer.from([22, 3]))
    await closed(half)
  })

  it('lets a provider in while strangers hold many connections', async () => {
    const crowded = await startEdge({ limits: { unknown: 20, unknownPerNetwork: 8 }, times: { helloMs: 60_000 } })
    onTestFinished(() => crowded.close())
    const flood = Array.from({ length: 60 }, (_, index) => {
      const socket = connectTcp({ port: crowded.ports.control, host: '127.0.0.1', localAddress: `127.0.2.${(index % 6) + 1}` })
      socket.on('error', () => {})
      onTestFinished(() => void socket.destroy())
      return socket.resume()
    })
    await vi.waitFor(() => expect(flood.filter((one) => one.closed || one.readableEnded).length).toBeGreaterThanOrEqual(40), SOON)
    const peer = await dialBack(crowded, { localAddress: '127.0.0.5' })
    onTestFinished(() => peer.close())
    expect((await peer.enter()).name).toContain('edge.test')
  })

  it('opens nothing for a ticket that is wrong, used or late, nor for silence', async () => {
    const one = await startEdge({ times: { ticketMs: 300, nameMs: 300 } })
    onTestFinished(() => one.close())
    const peer = await dialBack(one, { spares: 1 })
    onTestFinished(() => peer.close())
    await peer.enter()
    const { tickets } = await peer.next('dial')
    const ticket = tickets[0] as string
    const used = peer.dial(ticket)
    await vi.waitFor(() => expect(used.bytesWritten).toBe(33), SOON)
    for (const line of [ticket, '00'.repeat(16), 'x'.repeat(32)]) {
      const socket = peer.dial(line)
      socket.end()
      await Promise.race([closed(socket), once(socket, 'end')])
    }
    const silent = connectTcp(one.ports.dial, '127.0.0.1')
    await closed(silent)
  })
})

it('says goodbye, lets visitors finish, and takes no new ones', async () => {
  const edge = await startEdge()
  const peer = await dialBack(edge, { serve: (socket) => void socket.pipe(socket) })
  onTestFinished(() => peer.close())
  const { rawPort } = await peer.enter()
  const visitor = connectTcp({ port: rawPort, host: '127.0.0.1', allowHalfOpen: true })
  visitor.write('before')
  await once(visitor, 'data')
  const closing = edge.close(60_000)
  expect(await peer.next('bye')).toEqual({ type: 'bye', afterMs: 60_000 })
  const late = connectTcp(rawPort, '127.0.0.1')
  expect(await new Promise((resolve) => late.once('error', (error: NodeJS.ErrnoException) => resolve(error.code)))).toBe(
    'ECONNREFUSED',
  )
  visitor.end(', and after')
  expect(await text(visitor)).toBe(', and after')
  await closing
  await peer.isClosed()
})
