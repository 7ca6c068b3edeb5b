import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect } from 'node:tls'
import {
  createDoorLines,
  DOOR_EXPORTER,
  DOOR_PROTOCOL,
  type DoorEdgeMessage,
  type DoorVisitor,
  doorEdgeMessage,
  formatDoorHello,
  parseDoorVisitor,
  readDoorMessage,
} from '@rackfair/protocol/door'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { vi } from 'vitest'
import { CHAIN, type StartedEdge } from './startEdge.ts'

type Of<Type extends DoorEdgeMessage['type']> = Extract<DoorEdgeMessage, { type: Type }>

/**
 * The agent's side of an edge, message by message. With `serve`, it dials back for each visitor and hands over the connection.
 */
export async function dialBack(
  { ports }: Pick<StartedEdge, 'ports'>,
  options: {
    account?: PrivateKeyAccount
    provider?: string
    chainId?: number
    port?: number
    spares?: number
    serve?: (socket: Socket, visitor: DoorVisitor) => void
    /** What is signed; by default the right text. */
    sign?: (facts: Parameters<typeof formatDoorHello>[0]) => string
    localAddress?: string
  } = {},
) {
  const account = options.account ?? privateKeyToAccount(generatePrivateKey())
  const received: DoorEdgeMessage[] = []
  const socket = connect({
    ...{ host: '127.0.0.1', port: ports.control, ALPNProtocols: [DOOR_PROTOCOL], rejectUnauthorized: false },
    ...(options.localAddress ? { localAddress: options.localAddress } : {}),
  })
  socket.on('error', () => {})
  socket.setEncoding('utf8')
  const { dial, answer, dialled } = createDialler(ports.dial, options.serve)
  const lines = createDoorLines((line) => {
    const message = readDoorMessage(doorEdgeMessage, line)
    if (!message) return
    received.push(message)
    if (message.type === 'dial' && options.serve) for (const ticket of message.tickets) answer(ticket)
  })
  socket.on('data', (text: string) => lines.push(text))
  const send = (message: object | string) => socket.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`)
  const next = <Type extends DoorEdgeMessage['type']>(type: Type): Promise<Of<Type>> =>
    vi.waitFor(
      () => {
        const found = received.find((one): one is Of<Type> => one.type === type)
        if (!found) throw new Error(`no ${type}; closed: ${socket.closed}; got ${JSON.stringify(received)}`)
        return found
      },
      { timeout: 20_000, interval: 5 },
    )
  const { challenge, edge } = await next('challenge')
  const provider = options.provider ?? account.address
  const binding = socket.exportKeyingMaterial(32, DOOR_EXPORTER, Buffer.alloc(0)).toString('hex')
  const facts = { chainId: options.chainId ?? CHAIN, provider, edge, challenge, binding }
  const text = (options.sign ?? formatDoorHello)(facts)
  return {
    ...{ account, provider: provider.toLowerCase(), received, socket, send, next, dial, facts },
    isClosed: () => (socket.closed ? Promise.resolve() : once(socket, 'close').then(() => {})),
    async hello() {
      const { port, chainId = CHAIN } = options
      const signature = await account.signMessage({ message: text })
      send({ type: 'hello', chainId, provider, signature, ...(port ? { port } : {}) })
    },
    /** Enters, and keeps `spares` connections ready. */
    async enter(): Promise<Of<'welcome'>> {
      await this.hello()
      const welcome = await next('welcome')
      send({ type: 'spares', count: options.spares ?? 0 })
      send({ type: 'ping' })
      await next('pong')
      const pinging = setInterval(send, 1_000, { type: 'ping' })
      socket.once('close', () => clearInterval(pinging))
      return welcome
    },
    close(): void {
      socket.destroy()
      for (const one of dialled) one.destroy()
    },
  }
}
/** The plain connections of an agent. */
function createDialler(port: number, serve: ((socket: Socket, visitor: DoorVisitor) => void) | undefined) {
  const dialled = new Set<Socket>()
  const dial = (ticket: string): Socket => {
    const one = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true })
    one.on('error', () => {})
    dialled.add(one)
    one.once('close', () => dialled.delete(one))
    one.write(`${ticket}\n`)
    return one
  }
  const answer = (ticket: string) => {
    const one = dial(ticket)
    let head = Buffer.alloc(0)
    const read = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\n')
      if (end < 0) return
      one.off('data', read).pause()
      one.unshift(head.subarray(end + 1))
      const visitor = parseDoorVisitor(head.subarray(0, end).toString('latin1'))
      if (visitor) serve?.(one, visitor)
    }
    one.on('data', read)
  }
  return { dial, answer, dialled }
}

export type Peer = Awaited<ReturnType<typeof dialBack>>
