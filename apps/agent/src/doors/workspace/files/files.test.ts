import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { decodeJson, encodeFrame, FRAME, readFrames } from '@rackfair/protocol/frames'
import type { FileEntry } from '@rackfair/protocol/workspaceAnswers'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openChannel } from '../../../testing/openChannel.ts'
import { setupRuntime, type TestRuntime } from '../../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../../testing/whyNoContainers.ts'
import { createFilesHandler } from './serveFiles.ts'

const SHELL = 3
const HOME = '/home/renter'
const MIB = 2 ** 20
const reason =
  whyNoContainers() ?? (existsSync('/usr/lib/openssh/sftp-server') ? undefined : 'openssh-sftp-server is not installed')

describe.skipIf(reason)(`the files of an order (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  let handler: ReturnType<typeof createFilesHandler>
  beforeAll(async () => {
    market = await setupRuntime()
    await market.run(1n, SHELL, { diskBytes: 2 ** 30 })
    handler = createFilesHandler({ fileServer: market.runtime.fileServer, foldersOf: () => [HOME] })
  })
  afterAll(() => market?.close())
  const inside = async (line: string) => (await market.inside(1n, line)).output

  it('are uploaded and downloaded unchanged, listed, renamed and removed', async () => {
    const bytes = randomBytes(3 * MIB + 17)
    expect((await ask({ op: 'list' })).entries).toEqual([{ name: HOME, type: 'folder', size: 0, modified: 0 }])
    await ask({ op: 'mkdir', path: `${HOME}/über uns` })
    await put(`${HOME}/über uns/a b.bin`, bytes)
    expect(await inside(`sha256sum < "${HOME}/über uns/a b.bin"; stat -c "%U %a" "${HOME}/über uns/a b.bin"`)).toBe(
      `${createHash('sha256').update(bytes).digest('hex')}  -\nrenter 644\n`,
    )
    const list = await ask({ op: 'list', path: `${HOME}/über uns` })
    expect(list.entries).toEqual([{ name: 'a b.bin', type: 'file', size: bytes.length, modified: expect.any(Number) }])
    expect(list.freeBytes).toBeGreaterThan(500 * MIB)
    expect((await ask({ op: 'stat', path: `${HOME}/über uns/a b.bin` })).entries).toEqual(list.entries)
    expect((await ask({ op: 'stat', path: `${HOME}/über uns/` })).entries).toMatchObject([{ name: 'über uns', type: 'folder' }])
    expect(list.sizeBytes).toBeLessThanOrEqual(2 ** 30)
    expect((await ask({ op: 'get', path: `${HOME}/über uns/a b.bin` })).bytes).toEqual(bytes)
    await ask({ op: 'rename', path: `${HOME}/über uns/a b.bin`, to: `${HOME}/c` })
    await put(`${HOME}/empty`, Buffer.alloc(0))
    expect((await ask({ op: 'get', path: `${HOME}/empty` })).bytes.length).toBe(0)
    await refused({ op: 'rename', path: `${HOME}/empty`, to: `${HOME}/c` }, 'file_exists')
    await refused({ op: 'mkdir', path: `${HOME}/c` }, 'file_exists')
    await expect(put(`${HOME}/c`, Buffer.from('other'))).rejects.toMatchObject({ code: 'file_exists' })
    expect((await ask({ op: 'get', path: `${HOME}/c` })).bytes.length).toBe(bytes.length)
    await put(`${HOME}/c`, Buffer.from('other'), { replace: true })
    expect(String((await ask({ op: 'get', path: `${HOME}/c` })).bytes)).toBe('other')
    for (const path of ['c', 'empty', 'über uns']) await ask({ op: 'remove', path: `${HOME}/${path}` })
    expect(await inside(`ls -A ${HOME} | grep -v "^\\.bash"`)).toBe('')
    await refused({ op: 'get', path: `${HOME}/c` }, 'file_not_found')
    await refused({ op: 'list', path: `${HOME}/c` }, 'file_not_found')
    await refused({ op: 'stat', path: `${HOME}/c` }, 'file_not_found')
    await refused({ op: 'remove', path: `${HOME}/c` }, 'file_not_found')
  })

  it('of a folder are downloaded as a tar, with links as links', async () => {
    await inside(
      `mkdir -p ~/tree/deep/er && cd ~/tree && echo one > one && : > none && head -c 300000 /dev/zero > deep/zeros && ln -s /etc/passwd link && mkfifo fifo && echo x > "$(printf 'n%.0s' $(seq 200))" && chmod 700 one`,
    )
    const { bytes } = await ask({ op: 'get', path: `${HOME}/tree` })
    const found: Record<string, unknown> = {}
    const reader = extract()
    reader.on('entry', (header, stream, next) => {
      let size = 0
      stream.on('data', (chunk) => {
        size += (chunk as Buffer).length
      })
      stream.on('end', () => {
        found[header.name] = header.type === 'symlink' ? header.linkname : header.type === 'file' ? size : header.type
        next()
      })
    })
    reader.end(bytes)
    await new Promise<void>((resolve) => reader.once('finish', () => resolve()))
    expect(found).toEqual({
      ...{ 'tree/': 'directory', 'tree/deep/': 'directory', 'tree/deep/er/': 'directory', 'tree/one': 4, 'tree/none': 0 },
      ...{ 'tree/deep/zeros': 300_000, 'tree/link': '/etc/passwd', [`tree/${'n'.repeat(200)}`]: 2 },
      'tree.not-included.txt': expect.any(Number),
    })
    await ask({ op: 'remove', path: `${HOME}/tree` })
    expect(await inside('ls ~; head -c 4 /etc/passwd')).toBe('root')
  })

  it('arrive whole or not at all, even if the stream, the announced size or the disk ends', async () => {
    await put(`${HOME}/kept`, Buffer.from('before'))
    const half = Buffer.alloc(MIB)
    await expect(put(`${HOME}/kept`, half, { replace: true, size: 2 * MIB })).rejects.toMatchObject({
      code: 'stream_interrupted',
    })
    await expect(put(`${HOME}/kept`, half, { replace: true, size: 5 })).rejects.toMatchObject({ code: 'bad_request' })
    const channel = openChannel()
    const request = { op: 'put', path: `${HOME}/kept`, size: 2 * MIB, replace: true }
    const handled = handler(1n, request, channel.channel).catch((error: unknown) => error)
    for await (const _ of readFrames(channel.sent)) break
    await channel.send(encodeFrame(FRAME.bytes, half.subarray(0, 200_000)))
    await expect(put(`${HOME}/kept`, half, { replace: true })).rejects.toMatchObject({ code: 'upload_in_progress' })
    channel.close()
    await handled
    await expect(put(`${HOME}/huge`, half, { size: 2 ** 31 })).rejects.toMatchObject({ code: 'order_disk_full' })
    const { freeBytes = 0 } = await ask({ op: 'list', path: HOME })
    const filling = put(`${HOME}/late`, Buffer.alloc(40 * MIB), {}, () =>
      inside(`head -c ${freeBytes} /dev/zero > ~/taken 2>/dev/null; rm -f nothing`),
    )
    await expect(filling).rejects.toMatchObject({ code: 'order_disk_full' })
    expect(await inside('rm ~/taken; cat ~/kept; ls -A ~ | grep -v "^\\.bash"')).toBe('beforekept\n')
    await put(`${HOME}/kept`, half, { replace: true })
    expect(await inside('stat -c %s ~/kept; rm ~/kept')).toBe(`${MIB}\n`)
  })

  it('use far less memory than their size', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const held = () => {
      collect()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const before = held()
    let most = 0
    let samples = 0
    const sample = () => {
      samples += 1
      if (samples % 50 === 0) most = Math.max(most, held() - before)
    }
    const channel = openChannel()
    const size = 192 * MIB
    const handled = handler(1n, { op: 'put', path: `${HOME}/large`, size }, channel.channel).finally(channel.close)
    void (async () => {
      const piece = encodeFrame(FRAME.bytes, Buffer.alloc(256 * 1024, 7))
      for (let at = 0; at < size; at += 256 * 1024) {
        await channel.send(piece)
        sample()
      }
      channel.finish()
    })().catch(() => {})
    handled.catch(() => {})
    for await (const _ of readFrames(channel.sent));
    await handled
    expect(await inside('stat -c %s ~/large')).toBe(`${size}\n`)
    const back = openChannel()
    const sent = handler(1n, { op: 'get', path: `${HOME}/large` }, back.channel).then(back.close)
    let bytes = 0
    for await (const { type, payload } of readFrames(back.sent)) {
      if (type === FRAME.bytes) bytes += payload.length
      sample()
    }
    await sent
    console.log(`at most ${Math.round(most / MIB)} MiB held for ${size / MIB} MiB`)
    expect(bytes).toBe(size)
    expect(most).toBeLessThan(96 * MIB)
    await ask({ op: 'remove', path: `${HOME}/large` })
  })

  it('are accessed as the application’s user inside its container, wherever a link points', async () => {
    await inside('ln -s / ~/root; ln -s ../../../../../../../.. ~/up; ln -s /etc/shadow ~/shadow')
    const names = async (path: string) => (await ask({ op: 'list', path })).entries.map((one) => one.name).sort()
    const own = (await inside('ls -A /')).trim().split('\n').sort()
    expect(await names(`${HOME}/root`)).toEqual(own)
    expect(await names(`${HOME}/up`)).toEqual(own)
    expect(await names('/../../..')).toEqual(own)
    await refused({ op: 'get', path: `${HOME}/shadow` }, 'file_refused')
    expect((await ask({ op: 'stat', path: `${HOME}/shadow` })).entries).toMatchObject([{ name: 'shadow', type: 'link' }])
    await refused({ op: 'get', path: '/dev/null' }, 'file_refused')
    await refused({ op: 'mkdir', path: '/etc/x' }, /file_refused/)
    await refused({ op: 'mkdir', path: `${HOME}/${'ü'.repeat(140)}` }, 'name_too_long')
    await refused({ op: 'rename', path: `${HOME}/a`, to: `${HOME}/${'文'.repeat(86)}` }, 'name_too_long')
    await expect(put(`${HOME}/root/etc/x`, Buffer.from('x'))).rejects.toMatchObject({ code: 'file_refused' })
    expect(await inside('cat /.rackfair/sftp-server > /dev/null && echo readable; touch /.rackfair/x 2>&1')).toMatch(
      /readable\n.*Read-only/s,
    )
    for (const name of ['root', 'up', 'shadow']) await ask({ op: 'remove', path: `${HOME}/${name}` })
    expect(await inside('ls / | wc -l')).not.toBe('0\n')
  })

  it('are refused without an application, and for an invalid request', async () => {
    await expect(handler(9n, { op: 'list', path: '/' }, openChannel().channel)).rejects.toMatchObject({ code: 'app_not_running' })
    for (const request of [null, { op: 'x' }, { op: 'get' }, { op: 'get', path: 'x' }, { op: 'get', path: '/a\0b' }])
      await refused(request, 'bad_request')
    await refused({ op: 'put', path: '/x', size: -1 }, 'bad_request')
    await refused({ op: 'mkdir', path: `/${'x'.repeat(5000)}` }, 'bad_request')
  })

  const refused = (request: unknown, code: string | RegExp) =>
    expect(ask(request), JSON.stringify(request).slice(0, 100)).rejects.toMatchObject({
      code: typeof code === 'string' ? code : expect.stringMatching(code),
    })

  const ask = async (request: unknown, opened = openChannel(), onReady = async () => {}) => {
    const handled = handler(1n, request, opened.channel).finally(opened.close)
    handled.catch(() => {})
    const answer: { entries: FileEntry[]; freeBytes?: number; sizeBytes?: number } = { entries: [] }
    const parts: Uint8Array[] = []
    for await (const { type, payload } of readFrames(opened.sent)) {
      if (type === FRAME.bytes) parts.push(payload)
      else {
        const message = decodeJson(payload) as { entries?: FileEntry[]; ready?: true }
        if (message.ready) void onReady()
        Object.assign(answer, message, { entries: [...answer.entries, ...(message.entries ?? [])] })
      }
    }
    await handled
    return { ...answer, bytes: Buffer.concat(parts) }
  }

  const put = (path: string, bytes: Buffer, more: object = {}, midway: () => Promise<unknown> = async () => {}) => {
    const opened = openChannel()
    return ask({ op: 'put', path, size: bytes.length, ...more }, opened, async () => {
      try {
        for (let at = 0; at < bytes.length; at += 200_000) {
          await opened.send(encodeFrame(FRAME.bytes, bytes.subarray(at, at + 200_000)))
          if (at === 0) await midway()
        }
      } catch {
        // Refused in the meantime.
      }
      opened.finish()
    })
  }
})
