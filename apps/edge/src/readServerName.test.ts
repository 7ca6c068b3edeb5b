import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { connect } from 'node:tls'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readHost } from './readHost.ts'
import { MAX_HELLO_BYTES, readServerName } from './readServerName.ts'

/** The ClientHello that Node's own TLS sends. */
async function helloOf(options: {
  servername?: string
  ALPNProtocols?: string[]
  minVersion?: 'TLSv1.2' | 'TLSv1.3'
}): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asking = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', ...options })
  asking.on('error', () => {})
  const [socket] = await once(server, 'connection')
  const parts: Buffer[] = []
  for (;;) {
    parts.push((await once(socket, 'data'))[0])
    const all = Buffer.concat(parts)
    if (all.length < 5 + all.readUInt16BE(3)) continue
    for (const one of [socket, asking]) one.destroy()
    server.close()
    return all
  }
}

/** The same handshake in records of `size` bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5)
  const parts: Buffer[] = []
  for (let at = 0; at < message.length; at += size) {
    const part = message.subarray(at, at + size)
    parts.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part)
  }
  return Buffer.concat(parts)
}

describe('the server name of a ClientHello', () => {
  let hello: Buffer
  beforeAll(async () => {
    hello = await helloOf({ servername: 'o-12.atlas.edge.example', ALPNProtocols: ['h2', 'http/1.1'] })
  })

  it('is read from what Node sends, whatever its version, and not before it is whole', async () => {
    expect(readServerName(hello)).toEqual({ name: 'o-12.atlas.edge.example' })
    expect(readServerName(await helloOf({ servername: 'a.example', minVersion: 'TLSv1.2' }))).toEqual({ name: 'a.example' })
    for (let size = 0; size < hello.length; size += 1) expect(readServerName(hello.subarray(0, size)), String(size)).toBe('more')
    expect(readServerName(Buffer.concat([hello, Buffer.from('anything')]))).toEqual({ name: 'o-12.atlas.edge.example' })
  })

  it.each([1, 2, 3, 7, 100, 512])('is read from records of %i bytes', (size) => {
    const split = inRecords(hello, size)
    const expected = split.length <= MAX_HELLO_BYTES ? { name: 'o-12.atlas.edge.example' } : 'none'
    expect(readServerName(split)).toEqual(expected)
    expect(readServerName(split.subarray(0, split.length - 1))).toBe('more')
  })

  it('is in lower case and has no dot at its end', async () => {
    const at = hello.indexOf('o-12.atlas.edge.example')
    const upper = Buffer.from(hello)
    upper.write('O-12.Atlas.EDGE.exampl.', at, 'latin1')
    expect(readServerName(upper)).toEqual({ name: 'o-12.atlas.edge.exampl' })
    for (const wrong of ['o 12', 'o\n12', 'o/12', '..12', '\u00e912']) {
      const bytes = Buffer.from(hello)
      bytes.write(wrong, at, 'latin1')
      expect(readServerName(bytes), wrong).toBe('none')
    }
  })

  it('is none without one, and of a hello that is none or too long', async () => {
    expect(readServerName(await helloOf({}))).toBe('none')
    expect(readServerName(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toBe('none')
    const other = Buffer.from(hello)
    other[5] = 2
    expect(readServerName(other)).toBe('none')
    const long = Buffer.from(hello)
    long.writeUIntBE(MAX_HELLO_BYTES + 1, 6, 3)
    expect(readServerName(long)).toBe('none')
    const empty = Buffer.concat([Buffer.from([22, 3, 1, 0, 0]), hello])
    expect(readServerName(empty)).toBe('none')
    const never = Buffer.alloc(MAX_HELLO_BYTES, Buffer.concat([Buffer.from([22, 3, 1, 0, 1, 1])]))
    expect(readServerName(never)).toBe('none')
  })

  it('never throws, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(), fc.boolean(), (noise, place, cut) => {
        const bytes = Buffer.from(hello)
        Buffer.from(noise).copy(bytes, place % bytes.length)
        const read = readServerName(cut ? bytes.subarray(0, place % bytes.length) : bytes)
        expect(read === 'more' || read === 'none' || /^[a-z0-9._-]{1,253}$/.test(read.name)).toBe(true)
      }),
    )
  })
})

describe('the Host of a request', () => {
  const host = (...lines: string[]) => readHost(Buffer.from(`${['GET / HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n`))

  it('is the one of its head', () => {
    expect(host('Accept: */*', 'Host:  O-12.Atlas.edge.example:80 ', 'A: b')).toEqual({ name: 'o-12.atlas.edge.example' })
    expect(readHost(Buffer.from('GET / HTTP/1.1\r\nHost: a.example\r\n'))).toBe('more')
    for (const start of ['', 'G', 'POST', 'GET ']) expect(readHost(Buffer.from(start))).toBe('more')
  })

  it('is none where there is none, or two, and of anything that is no request', () => {
    expect(host('Accept: */*')).toBe('none')
    expect(host('Host: a.example', 'host: a.example')).toBe('none')
    expect(host('Host: a/b')).toBe('none')
    expect(readHost(Buffer.from([22, 3, 1]))).toBe('none')
    expect(readHost(Buffer.from(`GET / HTTP/1.1\r\nx: ${'y'.repeat(16_384)}`))).toBe('none')
  })
})
