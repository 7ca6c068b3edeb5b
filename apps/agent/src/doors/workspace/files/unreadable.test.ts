import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import { extract } from 'tar-stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ExecProcess } from '../../../runtime/Runtime.ts'
import { openChannel } from '../../../testing/openChannel.ts'
import { createFilesHandler } from './serveFiles.ts'
import { createSftpClient } from './sftpClient.ts'

const SERVER = '/usr/lib/openssh/sftp-server'
const NOBODY = 65_534
const reason = !existsSync(SERVER) ? 'openssh-sftp-server is not installed' : process.getuid?.() === 0 ? undefined : 'needs root'
const MIB = 2 ** 20
const NOTE = 'd.not-included.txt'

describe.skipIf(reason)(`what cannot be read of an order’s files (${reason ?? 'here'})`, () => {
  it('is left out of a folder’s tar and named there; all else arrives', async () => {
    const folder = openFolder()
    const inner = join(folder, 'd')
    for (const name of ['closed', 'open', 'closed folder', 'folder']) {
      mkdirSync(name.includes('folder') ? join(inner, name) : inner, { recursive: true })
      if (!name.includes('folder')) writeFileSync(join(inner, name), name)
    }
    writeFileSync(join(inner, 'closed folder', 'inside'), 'x')
    writeFileSync(join(inner, 'folder', 'inside'), 'x')
    writeFileSync(Buffer.concat([Buffer.from(`${inner}/`), Buffer.from([0xff, 0x41])]), 'no UTF-8')
    execFileSync('mkfifo', [join(inner, 'pipe')])
    symlinkSync('/nowhere', join(inner, 'link'))
    const socket = createServer().listen(join(inner, 'socket'))
    onTestFinished(() => void socket.close())
    chmodSync(join(inner, 'closed'), 0)
    chmodSync(join(inner, 'closed folder'), 0o711)
    writeFileSync(join(inner, 'line\nbreak'), '')
    chmodSync(join(inner, 'line\nbreak'), 0)

    const { notIncluded, entries } = await get(inner)
    expect(notIncluded).toBe(6)
    expect(Object.keys(entries).sort()).toEqual([NOTE, 'd/', 'd/open', 'd/folder/', 'd/folder/inside', 'd/link'].sort())
    const note = String(entries[NOTE])
    expect(
      note
        .split('\n')
        .filter((line) => line.startsWith('d/'))
        .sort(),
    ).toEqual(
      [
        'd/closed folder: Permission denied',
        'd/closed: Permission denied',
        'd/line\\nbreak: Permission denied',
        'd/pipe: this is neither a file nor a folder',
        'd/socket: this is neither a file nor a folder',
        'd/\ufffdA: it is gone, or its name is not UTF-8',
      ].sort(),
    )
  })

  it.each([
    ['shrinks', (file: string) => truncateSync(file, 5), /only \d+ of its 12582912 bytes could be read, and zeros follow/],
    ['grows', (file: string) => appendFileSync(file, 'more'), undefined],
    ['vanishes', (file: string) => rmSync(file), undefined],
    [
      'is replaced by a pipe',
      (file: string) => {
        rmSync(file)
        execFileSync('mkfifo', [file])
      },
      undefined,
    ],
    ['gets another owner and mode', (file: string) => chmodSync(file, 0), undefined],
  ])('that %s while it is sent in a tar spoils nothing beside it', async (_, change, named) => {
    const folder = openFolder()
    const inner = join(folder, 'd')
    mkdirSync(inner)
    writeFileSync(join(inner, 'large'), Buffer.alloc(12 * MIB, 'a'))
    const { notIncluded, entries } = await get(inner, () => change(join(inner, 'large')))
    const { length } = entries['d/large'] as Buffer
    expect(length).toBe(12 * MIB)
    expect(notIncluded).toBe(named ? 1 : 0)
    if (named) expect(String(entries[NOTE])).toMatch(named)
    else expect(entries['d/large']?.every((byte) => byte === 97)).toBe(true)
  })

  it.each([
    ['removed', (folder: string) => rmSync(folder, { recursive: true })],
    ['moved away', (folder: string) => renameSync(folder, `${folder}.old`)],
  ])('because the rest of the folder is %s is named, and the archive ends well', async (_, change) => {
    const folder = openFolder()
    const inner = join(folder, 'd')
    for (let index = 0; index < 300; index += 1) {
      mkdirSync(join(inner, `f${index}`), { recursive: true })
      writeFileSync(join(inner, `f${index}`, 'x'), Buffer.alloc(MIB / 8, 1))
    }
    const { notIncluded, entries } = await get(inner, () => change(inner))
    expect(notIncluded).toBeGreaterThan(0)
    expect(String(entries[NOTE])).toContain('it is gone')
  })

  it('because it lies more than 200 folders deep is named', async () => {
    const folder = openFolder()
    mkdirSync(join(folder, 'd', ...Array.from({ length: 205 }, () => 'e')), { recursive: true })
    const { notIncluded, entries } = await get(join(folder, 'd'))
    expect(notIncluded).toBe(1)
    expect(String(entries[NOTE])).toContain('it lies more than 200 folders deep')
    expect(Object.keys(entries).length).toBe(202)
  })

  it('ends its own transfer with `file_refused`, for a single file or a whole folder', async () => {
    const folder = openFolder()
    writeFileSync(join(folder, 'closed'), 'x', { mode: 0 })
    mkdirSync(join(folder, 'sealed'), { mode: 0o700 })
    execFileSync('mkfifo', [join(folder, 'pipe')])
    for (const name of ['closed', 'sealed', 'pipe', 'sealed/x'])
      await expect(get(join(folder, name))).rejects.toMatchObject({ code: 'file_refused' })
    await expect(get(join(folder, 'nothing'))).rejects.toMatchObject({ code: 'file_not_found' })
    writeFileSync(join(folder, 'large'), Buffer.alloc(8 * MIB))
    await expect(get(join(folder, 'large'), () => truncateSync(join(folder, 'large'), 5))).rejects.toMatchObject({
      code: 'file_refused',
      message: 'it became shorter while it was read',
    })
  })

  it('because its reader goes away, or the file server is killed, ends that transfer only', async () => {
    const folder = openFolder()
    const inner = join(folder, 'd')
    mkdirSync(inner)
    writeFileSync(join(inner, 'large'), Buffer.alloc(16 * MIB))
    for (const path of [inner, join(inner, 'large')]) {
      const left = openChannel()
      const handled = handler(1n, { op: 'get', path }, left.channel)
      for await (const { type } of readFrames(left.sent)) if (type === FRAME.bytes) break
      left.close()
      await expect(handled).rejects.toThrow()
      await expect(get(path, () => servers.at(-1)?.kill('SIGKILL'))).rejects.toMatchObject({ code: 'workspace_unsupported' })
    }
    expect((await get(inner)).notIncluded).toBe(0)
  })

  it('because a pipe took the place of a file does not wait for ever', async () => {
    const folder = openFolder()
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const sftp = createSftpClient(startServer(), { openMs: 50 })
    await expect(sftp.openToRead(join(folder, 'pipe'))).rejects.toMatchObject({
      kind: 'gone',
      message: expect.stringContaining('did not open within 0.05 seconds'),
    })
    await expect(sftp.stat('/')).rejects.toMatchObject({ kind: 'gone' })
  })

  it.each([
    [
      'nothing that is of the protocol',
      `process.stdin.once('data', () => setInterval(() => process.stdout.write('no protocol'), 5))`,
    ],
    [
      'names that lead elsewhere, and answers that are cut short',
      `let held = Buffer.alloc(0)
       const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32BE(n); return b }
       const text = (t) => Buffer.concat([u32(t.length), Buffer.from(t)])
       const answer = (type, id, ...rest) => { const b = Buffer.concat([Buffer.from([type]), u32(id), ...rest]); process.stdout.write(Buffer.concat([u32(b.length), b])) }
       let listed = false
       process.stdin.on('data', (d) => { held = Buffer.concat([held, d])
         while (held.length >= 4 && held.length >= 4 + held.readUInt32BE(0)) {
           const p = held.subarray(4, 4 + held.readUInt32BE(0)); held = held.subarray(4 + p.length)
           const id = p.readUInt32BE(1)
           if (p[0] === 1) answer(2, 3)
           else if (p[0] === 17) answer(105, id, u32(4), u32(0o40755))
           else if (p[0] === 11) answer(102, id, text('h'))
           else if (p[0] === 12 && !listed) { listed = true; answer(104, id, u32(2), ...['../../evil', 'cut'].flatMap((n) => [text(n), text(n), u32(4), u32(0o100644)])) }
           else if (p[0] === 12) answer(101, id, u32(1), text('end'), text(''))
           else answer(102, id)
         } })`,
    ],
  ])('because the file server answers %s harms nobody', async (_, program) => {
    const wanted = get('/d', undefined, [process.execPath, '-e', program])
    const result = await wanted.catch((error: { code: string }) => error.code)
    if (typeof result === 'string') expect(result).toBe('workspace_unsupported')
    else {
      expect(Object.keys(result.entries)).toEqual(['d/', NOTE])
      expect(String(result.entries[NOTE])).toContain('d/cut: the answer of the file server cannot be read')
    }
  })
})

const servers: ChildProcess[] = []

function startServer([file, ...args]: readonly string[] = [SERVER]): ExecProcess {
  const child = spawn(file as string, args, { stdio: ['pipe', 'pipe', 'pipe'], uid: NOBODY, gid: NOBODY })
  servers.push(child)
  child.stdin.on('error', () => {})
  const exitCode = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 127)))
  const { stdin, stdout, stderr } = child
  return { stdin, stdout, stderr, exitCode, closeTerminals: () => void child.kill('SIGKILL') }
}

let program: readonly string[] | undefined
const handler = createFilesHandler({ fileServer: async () => startServer(program), foldersOf: () => [] })

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  return folder
}

/** What a renter gets; `midway` is called once the first bytes of the contents have come. */
async function get(path: string, midway?: () => unknown, server?: readonly string[]) {
  const opened = openChannel()
  program = server
  const handled = handler(1n, { op: 'get', path }, opened.channel).finally(opened.close)
  handled.catch(() => {})
  const parts: Uint8Array[] = []
  let notIncluded = 0
  let isTar = false
  let bytes = 0
  for await (const { type, payload } of readFrames(opened.sent)) {
    if (type === FRAME.bytes) {
      parts.push(payload)
      bytes += payload.length
      if (bytes > 4096) {
        await midway?.()
        midway = undefined
      }
    } else {
      const message = decodeJson(payload) as { type?: string; notIncluded?: number }
      isTar ||= message.type === 'tar'
      notIncluded = message.notIncluded ?? notIncluded
    }
  }
  await handled
  return { notIncluded, entries: isTar ? await entriesOf(parts) : {} }
}

async function entriesOf(parts: readonly Uint8Array[]): Promise<Record<string, Buffer>> {
  const entries: Record<string, Buffer> = {}
  const reader = extract()
  reader.end(Buffer.concat(parts))
  for await (const entry of reader as AsyncIterable<AsyncIterable<Buffer> & { header: { name: string } }>) {
    const pieces: Buffer[] = []
    for await (const piece of entry) pieces.push(piece)
    entries[entry.header.name] = Buffer.concat(pieces)
  }
  return entries
}
