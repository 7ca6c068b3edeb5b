import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { untar } from './untar.ts'

/** What is asked of the process: the room for all that it unpacks, a layer, or how much of one's file is there by now. */
export type UnpackQuestion =
  | { maxBytes: number; maxEntries: number }
  | { layer: number; file: string; size: number; digest: string; diffId: string; folder: string }
  | { layer: number; there: number }
/** Of each layer once. */
export type UnpackAnswer = { layer: number } & ({ unpackedBytes: number } | { problem: UnpackProblem; reason: string })
/** `content` is not what was announced, `archive` no archive of files; `room`, `ratio` and `killed`, by the kernel, are limits. */
export type UnpackProblem = 'content' | 'archive' | 'room' | 'ratio' | 'killed'

/**
 * What a layer may unpack to in any case, and for each byte that was fetched: whoever wants much unpacked has to send something for it.
 */
const FREE_BYTES = 128 * 2 ** 20
const MAX_RATIO = 100
const CHUNK = 2 ** 18

const room = { bytes: 0, entries: 0 }
const waiting = new Map<number, { there: number; wake: () => void }>()

process.on('disconnect', () => process.exit())
process.on('message', (question: UnpackQuestion) => {
  if ('maxBytes' in question) {
    room.bytes = question.maxBytes
    room.entries = question.maxEntries
  } else if ('there' in question) {
    const one = waiting.get(question.layer)
    if (!one) return
    one.there = question.there
    one.wake()
  } else
    void unpack(question).then((answer) => {
      waiting.delete(question.layer)
      process.send?.({ layer: question.layer, ...answer })
    })
})

class Refused extends Error {
  readonly problem: UnpackProblem

  constructor(problem: UnpackProblem, reason: string = problem) {
    super(reason)
    this.problem = problem
  }
}

/** The bytes of a file that is still being written, as they come. */
async function* bytesOf(layer: number, file: string, size: number): AsyncGenerator<Buffer> {
  const state = { there: 0, wake: () => {} }
  waiting.set(layer, state)
  const more = () =>
    new Promise<void>((resolve) => {
      state.wake = resolve
    })
  while (state.there === 0) await more()
  const handle = await open(file)
  try {
    for (let at = 0; at < size; ) {
      while (state.there <= at) await more()
      const wanted = Math.min(CHUNK, state.there - at)
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
      if (bytesRead === 0) throw new Refused('content')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/** In one pass: the digest of what came, what it unpacks to, the digest of that, and the files in it. */
async function unpack({ layer, file, size, digest, diffId, folder }: Extract<UnpackQuestion, { file: string }>) {
  const most = Math.max(FREE_BYTES, size * MAX_RATIO)
  const packedHash = createHash('sha256')
  const plainHash = createHash('sha256')
  let unpackedBytes = 0
  const [command, ...args] = untar(folder, room.entries)
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      output[name] = (output[name] + chunk).slice(-2000)
    })
  child.stdin.on('error', () => {})
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(127))
    child.once('close', resolve)
  })
  try {
    const source = bytesOf(layer, file, size)
    const first = await source.next()
    if (first.done) throw new Refused('content')
    const packed = async function* () {
      packedHash.update(first.value)
      yield first.value
      for await (const chunk of source) {
        packedHash.update(chunk)
        yield chunk
      }
    }
    const pass = new Transform({
      highWaterMark: 2 * CHUNK,
      transform(chunk: Buffer, _, next) {
        room.bytes -= chunk.length
        unpackedBytes += chunk.length
        if (room.bytes < 0) return next(new Refused('room'))
        if (unpackedBytes > most) return next(new Refused('ratio', String(MAX_RATIO)))
        plainHash.update(chunk)
        next(null, chunk)
      },
    })
    const unpacking = unpackerOf(first.value)
    if (unpacking) await pipeline(packed, unpacking, pass, child.stdin)
    else await pipeline(packed, pass, child.stdin)
    const code = await ended
    const [packedDigest, plainDigest] = [packedHash, plainHash].map((hash) => `sha256:${hash.digest('hex')}`)
    if (packedDigest !== digest || plainDigest !== diffId) throw new Refused('content')
    if (code !== 0) throw new Refused(code === null ? 'killed' : 'archive', output.stderr)
    room.entries -= Number(output.stdout)
    return { unpackedBytes }
  } catch (error) {
    const isOurs = error instanceof Refused && error.problem !== 'killed'
    if (isOurs) child.kill('SIGKILL')
    else child.stdin.destroy()
    const code = await ended
    if (error instanceof Refused) return { problem: error.problem, reason: error.message.slice(0, 300) }
    // Whoever unpacks the files has ended first, and says why.
    if (code === null) return { problem: 'killed' as const, reason: '' }
    if (output.stderr !== '') return { problem: 'archive' as const, reason: output.stderr.slice(-300) }
    return { problem: 'content' as const, reason: String(error).slice(0, 300) }
  }
}

function unpackerOf(head: Buffer): Transform | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return createGunzip({ chunkSize: CHUNK })
  if (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528) return createZstdDecompress({ chunkSize: CHUNK })
  return undefined
}
