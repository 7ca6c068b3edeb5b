import { Duplex, PassThrough, Writable } from 'node:stream'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { WebSocket } from 'ws'
import type { ClusterClient } from './clusterClient.ts'
import { APP } from './names.ts'

const STDIN = 0
const STDERR = 2
const STATUS = 3
const RESIZE = 4
const CLOSE = 255
const V5 = 'v5.channel.k8s.io'
const PROTOCOLS = [V5, 'v4.channel.k8s.io']
const NOT_STARTED = 127
/** More than this waits at the socket: the writer does. */
const MAX_WAITING_BYTES = 256 * 1024
const DRAIN_POLL_MS = 10

interface Status {
  status?: string
  message?: string
  details?: { causes?: { reason?: string; message?: string }[] }
}

export interface PodProcess {
  stdin: Writable
  stdout: PassThrough
  stderr: PassThrough
  resize(columns: number, rows: number): void
  exitCode: Promise<number>
  close(): void
}

/** A container of an order's pod; the only one, where none is named. */
export interface Inside {
  namespace: string
  container?: string
}

/** Starts a command in an order's pod. What is read slowly is sent slowly: the socket is paused while a reader has enough. */
export async function startProcess(
  cluster: ClusterClient,
  { namespace, container = APP }: Inside,
  command: readonly string[],
  { tty = false } = {},
): Promise<PodProcess> {
  const query = new URLSearchParams({ container, stdin: '1', stdout: '1', tty: tty ? '1' : '0' })
  if (!tty) query.set('stderr', '1')
  for (const part of command) query.append('command', part)
  const socket = await cluster.open(`/api/v1/namespaces/${namespace}/pods/${APP}/exec?${query}`, PROTOCOLS)
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  const exit = Promise.withResolvers<number>()
  socket.on('message', (data: Buffer) => {
    const [channel] = data
    const body = data.subarray(1)
    if (channel === STATUS) exit.resolve(exitOf(body))
    else pass(socket, channel === STDERR ? stderr : stdout, body)
  })
  socket.once('close', () => {
    stdout.end()
    stderr.end()
    exit.resolve(NOT_STARTED)
  })
  socket.on('error', () => {})
  socket.resume()
  return {
    stdin: channelWriter(socket, STDIN, () => {
      if (socket.protocol === V5) socket.send(Buffer.from([CLOSE, STDIN]))
    }),
    stdout,
    stderr,
    resize: (columns, rows) => send(socket, RESIZE, Buffer.from(JSON.stringify({ Width: columns, Height: rows }))),
    exitCode: exit.promise,
    close: () => socket.close(),
  }
}

/** A connection to a port of the pod's own loopback. Where nothing listens it ends with `app_not_running`. */
export async function connectPort(cluster: ClusterClient, namespace: string, port: number): Promise<Duplex> {
  const socket = await cluster.open(`/api/v1/namespaces/${namespace}/pods/${APP}/portforward?ports=${port}`, [
    'v4.channel.k8s.io',
  ])
  const stream = new Duplex({
    read: () => socket.resume(),
    write(chunk: Buffer, _encoding, done) {
      send(socket, 0, chunk)
      whenDrained(socket, done)
    },
    final(done) {
      socket.close()
      done()
    },
    destroy(error, done) {
      socket.close()
      done(error)
    },
  })
  stream.on('error', () => {})
  /** Each channel begins with the number of its port. */
  const begun = new Set<number>()
  socket.on('message', (data: Buffer) => {
    const channel = data[0] ?? 0
    const body = data.subarray(begun.has(channel) ? 1 : 3)
    begun.add(channel)
    if (body.length === 0 || stream.destroyed) return
    if (channel !== 0) stream.destroy(new AppError('app_not_running', `nothing listens at port ${port}`, { facts: { port } }))
    else if (!stream.push(body)) socket.pause()
  })
  socket.on('error', () => {})
  socket.once('close', () => stream.push(null))
  socket.resume()
  return stream
}

function channelWriter(socket: WebSocket, channel: number, end: () => void): Writable {
  const writer = new Writable({
    write(chunk: Buffer, _encoding, done) {
      send(socket, channel, chunk)
      whenDrained(socket, done)
    },
    final(done) {
      if (socket.readyState === socket.OPEN) end()
      done()
    },
  })
  writer.on('error', () => {})
  return writer
}

function whenDrained(socket: WebSocket, done: () => void): void {
  if (socket.readyState !== socket.OPEN || socket.bufferedAmount < MAX_WAITING_BYTES) done()
  else setTimeout(() => whenDrained(socket, done), DRAIN_POLL_MS)
}

function send(socket: WebSocket, channel: number, body: Buffer): void {
  if (socket.readyState === socket.OPEN) socket.send(Buffer.concat([Buffer.from([channel]), body]))
}

function pass(socket: WebSocket, to: PassThrough, body: Buffer): void {
  if (body.length === 0 || to.destroyed || to.writableEnded || to.write(body)) return
  socket.pause()
  to.once('drain', () => socket.resume())
}

/** What is no status says nothing of an exit. */
function exitOf(body: Buffer): number {
  try {
    const { status, details } = JSON.parse(body.toString()) as Status
    if (status === 'Success') return 0
    const code = Number(details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message)
    return Number.isInteger(code) ? code : NOT_STARTED
  } catch {
    return NOT_STARTED
  }
}
