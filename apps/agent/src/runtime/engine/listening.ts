import { open } from 'node:fs/promises'
import { MAX_LISTENS } from '@rackfair/protocol/deployments'

export interface Listening {
  address: string
  port: number
}

/** Sockets that listen stand first in the kernel's list. */
const MAX_BYTES = 64 * 1024
const LISTENS = '0A'

/** Where the programs in the network namespace of a process listen by TCP; undefined if it has ended. */
export async function listeningOf(pid: number): Promise<Listening[] | undefined> {
  const texts = await Promise.all(['tcp', 'tcp6'].map((name) => head(`/proc/${pid}/net/${name}`)))
  return texts[0] === undefined ? undefined : parseListening(texts.join('\n'))
}

/** The beginning of a file; undefined where it cannot be read: without IPv6 there is one list, and the process may end at any time. */
async function head(file: string): Promise<string | undefined> {
  const handle = await open(file).catch(() => undefined)
  if (!handle) return undefined
  const buffer = Buffer.alloc(MAX_BYTES)
  try {
    let at = 0
    for (let got = -1; got !== 0 && at < MAX_BYTES; at += got) got = (await handle.read(buffer, at, MAX_BYTES - at)).bytesRead
    return buffer.toString('latin1', 0, at)
  } catch {
    return undefined
  } finally {
    await handle.close()
  }
}

/**
 * The listening sockets in lists of the form of /proc/net/tcp and tcp6, by port, at most as many as are told.
 * @example parseListening('0: 0100007F:1FFC 00000000:0000 0A ...') // [{ address: '127.0.0.1', port: 8188 }]
 */
export function parseListening(text: string): Listening[] {
  const found = new Map<string, Listening>()
  for (const [, hex = '', port = '', state] of text.matchAll(
    /^ *\d+: ([\dA-F]{8}|[\dA-F]{32}):([\dA-F]{4}) \S+ ([\dA-F]{2}) /gm,
  )) {
    if (state !== LISTENS) continue
    const one = { address: addressOf(hex), port: Number.parseInt(port, 16) }
    found.set(`${one.address} ${one.port}`, one)
  }
  return [...found.values()].sort((a, b) => a.port - b.port || (a.address < b.address ? -1 : 1)).slice(0, MAX_LISTENS)
}

/** The kernel writes each four bytes as a number of this machine, which is little-endian. */
function addressOf(hex: string): string {
  const words = (hex.match(/.{8}/g) ?? []).map((word) => Buffer.from(word, 'hex').reverse())
  const bytes = Buffer.concat(words)
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
}
