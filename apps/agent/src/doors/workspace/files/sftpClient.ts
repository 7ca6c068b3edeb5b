import type { ExecProcess } from '../../../runtime/Runtime.ts'

/** SSH File Transfer Protocol, version 3 (draft-ietf-secsh-filexfer-02), with the extensions of OpenSSH. */
const INIT = 1
const ANSWER = { status: 101, handle: 102, data: 103, name: 104, attributes: 105, extended: 201 } as const
const REQUEST = {
  ...{ open: 3, close: 4, read: 5, write: 6, lstat: 7, statOpen: 8, openFolder: 11, readFolder: 12, remove: 13, makeFolder: 14 },
  ...{ removeFolder: 15, stat: 17, rename: 18, readLink: 19, extended: 200 },
} as const
const STATUS = { ok: 0, end: 1, missing: 2, denied: 3 } as const
export const OPEN = { read: 0x01, write: 0x02, create: 0x08, truncate: 0x10 } as const
const MAX_PACKET_BYTES = 512 * 1024
/** A pipe that took the place of a file opens only once somebody writes to it. */
const OPEN_MS = 30_000

export interface Attributes {
  size: number
  mode: number
  /** Unix seconds. */
  modified: number
}
export interface Entry extends Attributes {
  name: string
}
type Handle = Buffer

/** What the server answered in place of what was asked for. After `gone` it answers nothing any more. */
export class SftpError extends Error {
  readonly kind: 'missing' | 'denied' | 'failed' | 'gone'
  constructor(kind: SftpError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

interface Answer {
  type: number
  body: Buffer
}

/** Speaks with an sftp-server that runs in a container, as the application's user: every path is one of the container's. */
export function createSftpClient(server: ExecProcess, { openMs = OPEN_MS } = {}) {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let nextId = 1
  let gone: SftpError | undefined
  let said = ''
  server.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk).slice(0, 300)
  })
  const lose = (reason?: string) => {
    gone ??= new SftpError('gone', reason ?? (said.trim() || 'the file server in the container has ended'))
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
  }
  void server.exitCode.then(() => lose())
  const end = () => {
    server.stdin.end()
    server.closeTerminals()
  }

  let held: Buffer = Buffer.alloc(0)
  server.stdout.on('data', (chunk: Buffer) => {
    if (gone) return
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length >= 4) {
      const length = held.readUInt32BE(0)
      // The program in the container may be anybody's by now.
      if (length > MAX_PACKET_BYTES || length < 5) {
        lose('the file server in the container speaks another protocol')
        return end()
      }
      if (held.length < 4 + length) return
      const packet = held.subarray(4, 4 + length)
      held = held.subarray(4 + length)
      const id = packet.readUInt32BE(1)
      // The answer to INIT has its version there.
      const key = packet[0] === 2 ? 0 : id
      waiting.get(key)?.resolve({ type: packet[0] as number, body: packet.subarray(5) })
      waiting.delete(key)
    }
  })

  const send = (id: number, packet: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone)
      waiting.set(id, { resolve, reject })
      const length = Buffer.alloc(4)
      length.writeUInt32BE(packet.length)
      server.stdin.write(Buffer.concat([length, packet]))
    })
  const started = send(0, Buffer.concat([Buffer.from([INIT]), u32(3)]))
  started.catch(() => {})

  const ask = async <T>(parse: (answer: Answer) => T, type: number, ...fields: Buffer[]): Promise<T> => {
    await started
    const id = nextId
    nextId = (nextId % 0xffff_fff0) + 1
    const answer = await send(id, Buffer.concat([Buffer.from([type]), u32(id), ...fields]))
    try {
      if (answer.type !== ANSWER.status) return parse(answer)
      const code = answer.body.readUInt32BE(0)
      if (code === STATUS.ok || code === STATUS.end) return parse(answer)
      const kind = code === STATUS.missing ? 'missing' : code === STATUS.denied ? 'denied' : 'failed'
      throw new SftpError(kind, readText(answer.body, 4).toString())
    } catch (error) {
      throw error instanceof SftpError ? error : new SftpError('failed', 'the answer of the file server cannot be read')
    }
  }
  const done = () => {}
  const isEnd = ({ type, body }: Answer) => type === ANSWER.status && body.readUInt32BE(0) === STATUS.end
  const attributesOf = ({ body }: Answer) => readAttributes(body, 0).attributes
  const handleOf = ({ body }: Answer): Handle => Buffer.from(readText(body, 0))
  const open = (path: string, flags: number, mode = 0o644) =>
    ask(handleOf, REQUEST.open, text(path), u32(flags), u32(4), u32(mode))

  return {
    open,
    /** @throws SftpError `gone` where it does not open in time: the server waits with it. */
    async openToRead(path: string): Promise<Handle> {
      const timer = setTimeout(() => {
        lose(`${path} did not open within ${openMs / 1000} seconds; it may be a pipe by now`)
        end()
      }, openMs)
      return open(path, OPEN.read).finally(() => clearTimeout(timer))
    },
    openFolder: (path: string) => ask(handleOf, REQUEST.openFolder, text(path)),
    close: (handle: Handle) => ask(done, REQUEST.close, text(handle)),
    /** Undefined at the end of the file. */
    read: (handle: Handle, offset: number, length: number) =>
      ask(
        (answer) => (isEnd(answer) ? undefined : readText(answer.body, 0)),
        REQUEST.read,
        text(handle),
        u64(offset),
        u32(length),
      ),
    write: (handle: Handle, offset: number, bytes: Uint8Array) =>
      ask(done, REQUEST.write, text(handle), u64(offset), text(bytes)),
    /** Some more entries; undefined after the last. */
    readFolder: (handle: Handle): Promise<Entry[] | undefined> =>
      ask((answer) => (isEnd(answer) ? undefined : readNames(answer.body).filter(isEntry)), REQUEST.readFolder, text(handle)),
    /** Of what a link points to. */
    stat: (path: string) => ask(attributesOf, REQUEST.stat, text(path)),
    /** Of the link itself. */
    lstat: (path: string) => ask(attributesOf, REQUEST.lstat, text(path)),
    /** Of an open file, whatever has its name by now. */
    statOpen: (handle: Handle) => ask(attributesOf, REQUEST.statOpen, text(handle)),
    remove: (path: string) => ask(done, REQUEST.remove, text(path)),
    makeFolder: (path: string) => ask(done, REQUEST.makeFolder, text(path), u32(0)),
    removeFolder: (path: string) => ask(done, REQUEST.removeFolder, text(path)),
    /** Fails if the target exists. */
    rename: (from: string, to: string) => ask(done, REQUEST.rename, text(from), text(to)),
    /** Atomically replaces an existing target. */
    replace: (from: string, to: string) => ask(done, REQUEST.extended, text('posix-rename@openssh.com'), text(from), text(to)),
    sync: (handle: Handle) => ask(done, REQUEST.extended, text('fsync@openssh.com'), text(handle)),
    readLink: (path: string) => ask(({ body }) => readNames(body)[0]?.name ?? '', REQUEST.readLink, text(path)),
    /** The filesystem that a path is on. */
    space: (path: string): Promise<{ freeBytes: number; sizeBytes: number }> => {
      const read = ({ body }: Answer) => {
        const at = (index: number) => Number(body.readBigUInt64BE(index * 8))
        return { freeBytes: at(1) * at(4), sizeBytes: at(1) * at(2) }
      }
      return ask(read, REQUEST.extended, text('statvfs@openssh.com'), text(path))
    },
    end,
  }
}
export type SftpClient = ReturnType<typeof createSftpClient>

/** Of the folder itself: a name with a slash leads elsewhere. */
const isEntry = ({ name }: Entry): boolean => name !== '' && name !== '.' && name !== '..' && !name.includes('/')

function readNames(body: Buffer): Entry[] {
  const entries: Entry[] = []
  let at = 4
  for (let left = body.readUInt32BE(0); left > 0; left -= 1) {
    const name = readText(body, at)
    at += 4 + name.length
    at += 4 + readText(body, at).length
    const { attributes, next } = readAttributes(body, at)
    at = next
    entries.push({ name: name.toString(), ...attributes })
  }
  return entries
}

function readAttributes(body: Buffer, from: number): { attributes: Attributes; next: number } {
  const flags = body.readUInt32BE(from)
  let at = from + 4
  const attributes: Attributes = { size: 0, mode: 0, modified: 0 }
  if (flags & 1) {
    attributes.size = Number(body.readBigUInt64BE(at))
    at += 8
  }
  if (flags & 2) at += 8
  if (flags & 4) {
    attributes.mode = body.readUInt32BE(at)
    at += 4
  }
  if (flags & 8) {
    attributes.modified = body.readUInt32BE(at + 4)
    at += 8
  }
  if (flags & 0x8000_0000) {
    const count = body.readUInt32BE(at)
    at += 4
    for (let index = 0; index < count * 2; index += 1) at += 4 + readText(body, at).length
  }
  return { attributes, next: at }
}

const readText = (body: Buffer, at: number): Buffer => body.subarray(at + 4, at + 4 + body.readUInt32BE(at))

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

function text(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u32(bytes.length), bytes])
}
