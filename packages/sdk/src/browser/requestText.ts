import type { requestText as InNode } from '../node/requestText.ts'
import { readLimited } from '../uptime/readLimited.ts'

/** As in Node, but for the addresses: a page cannot look up names, and the browser guards the network around it. */
export const requestText: typeof InNode = async (url, { maxBytes, milliseconds }) => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(milliseconds), redirect: 'error' })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
  return readLimited(answer.body ?? [], maxBytes)
}
