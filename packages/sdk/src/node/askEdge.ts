import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { connect } from 'node:tls'
import {
  createDoorLines,
  DOOR_PROTOCOL,
  type DoorEdgeMessage,
  doorEdgeMessage,
  type EdgeAddress,
  readDoorMessage,
} from '@rackfair/protocol/door'
import { AppError } from '@rackfair/rules/errors/AppError'

const ANSWER_MS = 8_000

/** What a provider registers to be reached through an edge. */
export interface EdgePlace {
  /** The edge's address. */
  ip: string
  /** The raw port that it gives to this provider. */
  port: number
  /** Orders have names below it. */
  domain: string
}

/**
 * Asks an edge what it would give to a provider. Nothing is kept for it until its agent comes.
 *
 * @param options.lookup which addresses may be connected to; by default all that the name has
 * @throws AppError `edge_unavailable` where it does not answer within 8 seconds, has another certificate, or refuses the provider.
 * @example await askEdge(parseEdge('edge.example#abab…'), '0x5b38…') // { ip: '198.51.100.7', port: 20017, domain: 'p-5b38da6a70.edge.example' }
 */
export function askEdge(
  edge: EdgeAddress,
  provider: string,
  { lookup, port }: { lookup?: LookupFunction; port?: number | undefined } = {},
): Promise<EdgePlace> {
  return new Promise((resolve, reject) => {
    const { host } = edge
    const socket = connect({
      ...{ host, port: edge.port, ALPNProtocols: [DOOR_PROTOCOL], minVersion: 'TLSv1.3' as const },
      // Its certificate is known by its fingerprint, and signed by nobody.
      rejectUnauthorized: false,
      ...(lookup ? { lookup } : {}),
    })
    const fail = (reason: string) => {
      reject(new AppError('edge_unavailable', `${host}: ${reason}`, { retryable: true }))
      socket.destroy()
    }
    const deadline = setTimeout(() => fail('it does not answer'), ANSWER_MS)
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    socket.once('close', () => {
      clearTimeout(deadline)
      fail('it ended the connection')
    })
    socket.once('secureConnect', () => {
      const raw = socket.getPeerX509Certificate()?.raw
      const found = raw && createHash('sha256').update(raw).digest('hex')
      if (found !== edge.fingerprint) fail('it has another certificate than the one named')
      else socket.write(`${JSON.stringify({ type: 'ask', provider, ...(port === undefined ? {} : { port }) })}\n`)
    })
    const receive = (message: DoorEdgeMessage | undefined) => {
      if (message?.type === 'refused') fail(message.message)
      if (message?.type !== 'place') return
      const ip = socket.remoteAddress
      if (ip === undefined) return fail('it ended the connection')
      resolve({ ip: ip.replace(/^::ffff:/, ''), port: message.rawPort, domain: message.name })
      socket.destroy()
    }
    const lines = createDoorLines((line) => {
      try {
        receive(readDoorMessage(doorEdgeMessage, line))
      } catch {
        fail('it speaks another language')
      }
    })
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => lines.push(text) || fail('it speaks another language'))
  })
}
