import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { createServer, type SecureContext, type TLSSocket } from 'node:tls'
import { type Arrival, arrivalOf, noteArrival } from '../../foundation/arrival.ts'

/** What an authority speaks that checks a name (RFC 8737). */
const ACME = 'acme-tls/1'
/** A first visitor waits for the certificate. */
const HANDSHAKE_MS = 30_000
const RECORD_HEADER_BYTES = 5
const MAX_RECORD_BYTES = RECORD_HEADER_BYTES + 16_384

/** Ends TLS of connections that an edge hands over, with the certificate of the name that is asked for. */
export function createTlsDoor(options: {
  /** The certificate that visitors of a name get. */
  certificateOf: (name: string) => Promise<SecureContext | undefined>
  /** What the authority gets that checks a name. */
  challengeOf: (name: string) => SecureContext | undefined
  receive: (socket: Socket, arrival: Arrival) => void
}) {
  /** By both ends, which a TLS socket has in common with its connection. */
  const arrivals = new Map<string, Arrival & { stands?: (() => void) | undefined }>()
  const keyOf = ({ remoteAddress, remotePort, localPort }: Socket) => `${remoteAddress} ${remotePort} ${localPort}`
  const open = (find: (name: string) => Promise<SecureContext | undefined>, ALPNProtocols: string[]) =>
    createServer({
      ...{ handshakeTimeout: HANDSHAKE_MS, minVersion: 'TLSv1.2', allowHalfOpen: true, ALPNProtocols },
      SNICallback(name, done) {
        find(name.toLowerCase()).then(
          (context) => (context ? done(null, context) : done(new Error('no certificate'))),
          (error: Error) => done(error),
        )
      },
    }).on('tlsClientError', (_error, socket) => socket.destroy())
  const visitors = open(options.certificateOf, ['h2', 'http/1.1'])
  visitors.on('secureConnection', (socket) => {
    const arrival = arrivals.get(keyOf(socket))
    if (!arrival) return void socket.destroy()
    const { stands, ...rest } = arrival
    stands?.()
    options.receive(socket, { ...rest, tls: true, certificate: () => shownOn(socket) })
  })
  const authorities = open(async (name) => options.challengeOf(name), [ACME])
  authorities.on('secureConnection', (socket) => socket.end())
  return {
    /** Serves a connection, paused; `stands` is called once its TLS does. */
    take(socket: Socket, arrival: Arrival, stands?: () => void): void {
      noteArrival(socket, arrival)
      const key = keyOf(socket)
      arrivals.set(key, { ...arrivalOf(socket), stands })
      socket.once('close', () => arrivals.delete(key))
      // Who checks a name must not wait for the certificate, which waits for the check.
      peek(socket, (hello) => (hello.includes(ACME) ? authorities : visitors).emit('connection', socket))
    },
  }
}

/** SHA-256 of the certificate that this side has shown; undefined once the connection has ended. */
function shownOn(socket: TLSSocket): string | undefined {
  const shown = socket.getX509Certificate()
  return shown && createHash('sha256').update(shown.raw).digest('hex')
}

/** Shows the first record of a connection, which the connection keeps. One that sends none is cut. */
function peek(socket: Socket, done: (record: Buffer) => void): void {
  let seen: Buffer = Buffer.alloc(0)
  const read = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk])
    const length = seen.length < RECORD_HEADER_BYTES ? RECORD_HEADER_BYTES : RECORD_HEADER_BYTES + seen.readUInt16BE(3)
    if (seen.length < Math.min(length, MAX_RECORD_BYTES)) return
    socket.off('data', read).off('end', drop).off('timeout', drop).pause()
    socket.setTimeout(0)
    socket.unshift(seen)
    done(seen)
  }
  const drop = () => void socket.destroy()
  socket.on('data', read).on('end', drop).on('timeout', drop)
  socket.setTimeout(HANDSHAKE_MS)
  socket.resume()
}
