import { createHmac } from 'node:crypto'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isInsideIp, publicLookup } from '@rackfair/sdk/publicLookup'

const ANSWER_MS = 10_000

/** Why an address is refused as a webhook; undefined for an accepted one. `isLocal` allows http, and addresses of this machine. */
export function refusedTarget(target: string, isLocal: boolean): string | undefined {
  if (!URL.canParse(target)) return 'this is not an address'
  const url = new URL(target)
  const { protocol, username, password } = url
  if (protocol !== 'https:' && !(isLocal && protocol === 'http:')) return 'a webhook has an address that begins with https'
  if (username !== '' || password !== '') return 'an address with a password in it is not accepted'
  if (!isLocal && isInsideIp(url)) return 'this address is not on the internet'
  return undefined
}

/** The header by which the receiver verifies that a message is authentic and recent: `t=SECONDS,v1=HEX`. */
export const signatureOf = (body: string, secret: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`

/**
 * Sends one message. Resolves when the receiver answers 2xx; otherwise rejects with the reason. Redirects are not followed, the response
 * body is not read, and a name is never connected to if it resolves to an address that is not public, at whatever moment it is resolved.
 */
export function sendWebhook(target: string, body: string, secret: string, { isLocal, now }: { isLocal: boolean; now: number }) {
  return new Promise<void>((resolve, reject) => {
    const refused = refusedTarget(target, isLocal)
    if (refused) return reject(new Error(refused))
    const url = new URL(target)
    const send = url.protocol === 'https:' ? requestTls : requestPlain
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'user-agent': 'Rackfair' },
      ...{ 'rackfair-signature': signatureOf(body, secret, now), connection: 'close' },
    }
    const request = send(
      url,
      { method: 'POST', agent: false, headers, ...(isLocal ? {} : { lookup: publicLookup }) },
      (response) => {
        response.destroy()
        clearTimeout(late)
        const status = response.statusCode ?? 0
        if (status >= 200 && status < 300) resolve()
        else reject(new Error(`it answered ${status}`))
      },
    )
    const late = setTimeout(() => request.destroy(new Error('it did not answer within 10 s')), ANSWER_MS)
    request.once('error', (error) => {
      clearTimeout(late)
      reject(error)
    })
    // Without a listener, an answer that switches protocols would end the request without a word.
    request.once('upgrade', (_response, socket) => {
      socket.destroy()
      clearTimeout(late)
      reject(new Error('it answered 101'))
    })
    request.end(body)
  })
}
