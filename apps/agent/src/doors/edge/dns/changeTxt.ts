import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { signTsig, type TsigKey, whyNotSigned } from './tsig.ts'
import { encodeUpdate, readMessage, type TxtChange, u16 } from './wire.ts'

const TIMEOUT_MS = 10_000
const MAX_ANSWER = 4_096
const RCODES: Readonly<Record<number, string>> = {
  ...{ 1: 'FORMERR', 2: 'SERVFAIL', 3: 'NXDOMAIN', 4: 'NOTIMP', 5: 'REFUSED', 9: 'NOTAUTH', 10: 'NOTZONE' },
}

/** A server that takes changes (RFC 2136) which are signed with a key. */
export interface DnsServer {
  host: string
  port: number
  key: TsigKey
}

/** The server answers, and does not do it. */
export class UpdateRefused extends Error {
  /** `REFUSED`, `BADKEY` and so on. */
  readonly code: string
  constructor(code: string) {
    super(`the name server says ${code}`)
    this.code = code
  }
}

/**
 * Changes a TXT record, and resolves once the server has it. By TCP: what is sent twice by UDP can come twice.
 * @throws UpdateRefused, or Error where there is no answer, or none that is signed.
 */
export async function changeTxt({ host, port, key }: DnsServer, change: TxtChange, timeoutMs = TIMEOUT_MS): Promise<void> {
  const message = encodeUpdate(randomInt(0x10000), change)
  const now = () => Math.floor(Date.now() / 1000)
  const { signed, mac } = signTsig(message, key, now())
  const answer = await exchange(host, port, signed, timeoutMs)
  const { id, isAnswer, rcode } = readMessage(answer)
  if (!isAnswer || id !== message.readUInt16BE(0)) throw new Error('the name server answers something else')
  const why = whyNotSigned(answer, key, mac, now())
  // Where it knows neither key nor zone, it signs nothing. Nobody gains by saying so in its place.
  if (rcode !== 0) throw new UpdateRefused(why?.startsWith('BAD') ? why : (RCODES[rcode] ?? `error ${rcode}`))
  if (why !== undefined) throw new Error(`the answer of the name server cannot be believed: ${why}`)
}

/** Sends one message, and resolves with the one that comes back. */
function exchange(host: string, port: number, message: Buffer, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    const end = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    const deadline = setTimeout(() => end(new Error('the name server does not answer')), timeoutMs)
    let seen: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      seen = Buffer.concat([seen, chunk])
      const length = seen.length < 2 ? 0 : seen.readUInt16BE(0)
      if (length > MAX_ANSWER) return end(new Error('the name server answers too much'))
      if (seen.length < 2 || seen.length < 2 + length) return
      socket.destroy()
      resolve(seen.subarray(2, 2 + length))
    })
    socket.on('end', () => end(new Error('the name server ended the connection')))
    socket.on('error', end)
    socket.on('close', () => clearTimeout(deadline))
    socket.write(Buffer.concat([u16(message.length), message]))
  })
}
