import { type ServerName, toName } from './readServerName.ts'

/** Bytes of a request's head that are read at most. */
export const MAX_HEAD_BYTES = 16_384

/**
 * Reads the Host of an HTTP request. Of two, none is believed: two programs could disagree about which counts.
 *
 * @example readHost(Buffer.from('GET / HTTP/1.1\r\nHost: o-12.atlas.edge.example\r\n\r\n')) // { name: 'o-12.atlas.edge.example' }
 */
export function readHost(bytes: Buffer): ServerName {
  const text = bytes.toString('latin1')
  // One of another protocol is known by its first bytes, and a request line begins with a word.
  if (!/^[A-Z]{0,16}( |$)/.test(text.slice(0, 17))) return 'none'
  const end = text.search(/\r?\n\r?\n/)
  if (end < 0) return bytes.length < MAX_HEAD_BYTES ? 'more' : 'none'
  const hosts = text
    .slice(0, end)
    .split(/\r?\n/)
    .slice(1)
    .flatMap((line) => /^host:[ \t]*(.*?)[ \t]*$/i.exec(line)?.[1] ?? [])
  return hosts.length === 1 ? toName((hosts[0] as string).replace(/:\d{1,5}$/, '')) : 'none'
}
