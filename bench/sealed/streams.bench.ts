import { performance } from 'node:perf_hooks'
import {
  connectSession,
  fromUtf8,
  type MuxStream,
  makeEncryptionKeys,
  readHello,
  type Session,
  startHello,
  utf8,
} from '@rackfair/sealed'

/**
 * The cost of sealing and streams, with both ends in this process and no network: the handshake, the throughput of one stream compared with
 * bare AES-128-GCM of the same WebCrypto, and memory while a neighbour is not read. Both wall time and processor time.
 */
const MEGABYTE = 1024 * 1024
const TOTAL = 256 * MEGABYTE
const FRAME = new Uint8Array(16 * 1024)
const keys = await makeEncryptionKeys()

async function connectPair(onOpen: (stream: MuxStream, request: string) => void) {
  const hello = await startHello(keys.publicKeys, 'bench', 'x25519')
  const accepted = await (await readHello(keys, await hello.seal(utf8('hello')), 'bench')).accept()
  const transport = (other: () => Session) => ({
    send: async (record: Uint8Array) => other().receive(record),
    close: () => undefined,
  })
  const server: Session = connectSession({
    ...{ keys: accepted.keys, maxStreams: 16, transport: transport(() => client) },
    onOpen: (stream, request) => onOpen(stream, fromUtf8(request)),
  })
  const client: Session = connectSession({
    keys: await hello.finish(accepted.answer),
    maxStreams: 16,
    transport: transport(() => server),
  })
  return client
}

async function send(stream: MuxStream, total: number) {
  for (let sent = 0; sent < total; sent += FRAME.length) await stream.write(FRAME)
  stream.finish()
}

async function readAll(stream: MuxStream): Promise<number> {
  let bytes = 0
  for await (const chunk of stream.incoming) bytes += chunk.length
  return bytes
}

async function measure(work: () => Promise<unknown>) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const used = process.cpuUsage(cpu)
  return { seconds: (performance.now() - start) / 1000, cpuSeconds: (used.user + used.system) / 1e6 }
}
const perSecond = (seconds: number) => (TOTAL / MEGABYTE / seconds).toFixed(0)

const STARTS = 200
const starts = await measure(async () => {
  for (let count = 0; count < STARTS; count += 1) await connectPair(() => undefined)
})
const plain = await measure(async () => {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-GCM', false, ['encrypt', 'decrypt'])
  const iv = new Uint8Array(12)
  for (let sent = 0; sent < TOTAL; sent += FRAME.length)
    await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, FRAME))
})
const client = await connectPair((stream, request) => {
  send(stream, request === 'unread' ? Number.POSITIVE_INFINITY : TOTAL).catch(() => undefined)
})
const stream = await measure(() => readAll(client.open(utf8('read'))))
client.open(utf8('unread'))
global.gc?.()
const before = process.memoryUsage().rss
const beside = await measure(() => readAll(client.open(utf8('read'))))
const grown = (process.memoryUsage().rss - before) / MEGABYTE

console.log(
  `start of a session, both ends: ${((starts.seconds / STARTS) * 1000).toFixed(2)} ms, ${((starts.cpuSeconds / STARTS) * 1000).toFixed(2)} ms of processor\n`,
)
console.log('| 256 MB in frames of 16 kB | MB/s | MB per second of processor |\n|---|---|---|')
for (const [name, { seconds, cpuSeconds }] of [
  ['AES-128-GCM of WebCrypto alone, sealed and opened', plain],
  ['one stream', stream],
  ['one stream beside one that nobody reads', beside],
] as const)
  console.log(`| ${name} | ${perSecond(seconds)} | ${perSecond(cpuSeconds)} |`)
console.log(`\nmemory with the unread stream after those 256 MB: ${grown.toFixed(0)} MB more`)
process.exit(0)
