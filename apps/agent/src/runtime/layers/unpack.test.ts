import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { digestOf, packLayer, tarOf } from '../../testing/startRegistry.ts'
import { openLayerStore } from './layerStore.ts'
import { startUnpacking } from './startUnpacking.ts'
import { openUnpackedLayers } from './unpackedLayers.ts'
import { untar } from './untar.ts'

const isRoot = process.getuid?.() === 0
const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-unpack-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Entry {
  name: string
  /** As tar has it: `0` is a file, `1` a hard link, `2` a link, `3` a device, `5` a folder. */
  type?: string
  link?: string
  content?: string
  /** Written in place of its length. */
  size?: number
}

/** A tar file of entries that no program would write. */
function tarWith(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, type = '0', link = '', content = '', size = content.length }) => {
    const head = Buffer.alloc(512)
    const put = (at: number, text: string) => head.write(text, at, 'latin1')
    put(0, name)
    put(100, type === '5' ? '0000755\0' : '0000644\0')
    put(108, '0000000\0')
    put(116, '0000000\0')
    put(124, `${size.toString(8).padStart(11, '0')}\0`)
    put(136, '00000000000\0')
    put(148, ' '.repeat(8))
    put(156, type)
    put(157, link)
    put(257, 'ustar\x0000')
    put(
      148,
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
    )
    return [head, Buffer.from(content), Buffer.alloc(-content.length & 511)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function unpack(tar: Buffer, most = 1000) {
  const folder = join(temporary(), 'layer')
  mkdirSync(folder)
  const [command, ...args] = untar(folder, most)
  const { status, stdout, stderr } = spawnSync(command, args, { input: tar, encoding: 'utf8' })
  return { folder, status, stdout, stderr }
}
const at = ({ folder }: { folder: string }, path: string) => lstatSync(join(folder, path), { throwIfNoEntry: false })

it.runIf(isRoot)('unpacks what tar packs in each of its formats, as tar itself does', () => {
  const from = join(temporary(), 'from')
  const deep = `${'long-name-of-a-folder/'.repeat(8)}${'x'.repeat(120)}`
  mkdirSync(join(from, deep), { recursive: true })
  writeFileSync(join(from, deep, 'file'), randomBytes(70_000))
  writeFileSync(join(from, 'program'), '#!', { mode: 0o755 })
  chmodSync(join(from, 'program'), 0o6755)
  writeFileSync(join(from, 'a name with ü and\na line'), '')
  linkSync(join(from, 'program'), join(from, 'same'))
  symlinkSync(`/${'far/'.repeat(40)}`, join(from, 'link'))
  spawnSync('mkfifo', [join(from, 'pipe')])
  spawnSync('chown', ['-h', '1234:70000', join(from, 'link'), join(from, 'pipe'), join(from, deep)])
  utimesSync(join(from, deep), 1e9, 1e9)
  const show = (folder: string) =>
    spawnSync(
      'sh',
      [
        '-c',
        "find . -printf '%p %y %m %U %G %l %n %T@\\n' | sed 's/[.][0-9]*$//' | sort; find . -type f -exec sha256sum {} + | sort",
      ],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    ).stdout
  for (const format of ['gnu', 'pax', 'oldgnu']) {
    const { stdout } = spawnSync('tar', [`--format=${format}`, '-C', from, '-cf', '-', '.'])
    const unpacked = unpack(stdout)
    expect(unpacked).toMatchObject({ status: 0, stderr: '' })
    expect(show(unpacked.folder), format).toBe(show(from))
  }
})

it.runIf(isRoot).each<[string, Entry[], RegExp | undefined]>([
  ['names that lead out', [{ name: '../outside' }], /leads out/],
  ['names that lead out on the way', [{ name: 'a/../../outside' }], /leads out/],
  ['absolute names', [{ name: '/tmp/rackfair-outside', content: 'x' }], undefined],
  ['a link out and a file behind it', [{ name: 'out', type: '2', link: '../..' }, { name: 'out/outside' }], undefined],
  [
    'an absolute link and a file behind it',
    [{ name: 'out', type: '2', link: '/' }, { name: 'out/tmp/rackfair-outside' }],
    undefined,
  ],
  [
    'a link in place of a file that comes again',
    [
      { name: 'a', type: '2', link: '/etc/passwd' },
      { name: 'a', content: 'x' },
    ],
    undefined,
  ],
  ['a hard link to a file of this machine', [{ name: 'a', type: '1', link: '/etc/passwd' }], /link: No such file/],
  ['a hard link that leads out', [{ name: 'a', type: '1', link: '../../../etc/passwd' }], /leads out/],
  [
    'a folder in place of a link',
    [{ name: 'a', type: '2', link: '/etc' }, { name: 'a/', type: '5' }, { name: 'a/b' }],
    undefined,
  ],
  ['something that is taken away outside', [{ name: '.wh...' }], /cannot be one/],
  [
    'a device',
    [
      { name: 'disk', type: '4' },
      { name: 'gone', type: '3' },
    ],
    undefined,
  ],
  ['an unknown kind', [{ name: 'a', type: 'S' }], /unknown kind/],
  ['a file that ends early', [{ name: 'a', content: 'x', size: 5000 }], /ends in the middle/],
  ['a name of two megabytes', [{ name: 'a', type: 'L', size: 2 ** 21 }], /megabyte/],
])('writes nothing outside its folder for %s', (_, entries, refused) => {
  const around = () =>
    spawnSync('sh', ['-c', 'stat -c "%n %i %s" /etc/passwd /etc; ls -d /tmp/rackfair-outside'], { encoding: 'utf8' }).stdout
  const before = around()
  const unpacked = unpack(tarWith(entries))
  expect(around()).toBe(before)
  expect(readdirSync(join(unpacked.folder, '..'))).toEqual(['layer'])
  if (refused)
    expect(unpacked).toMatchObject({ status: expect.not.stringMatching('^0$'), stderr: expect.stringMatching(refused) })
  else expect(unpacked).toMatchObject({ status: 0, stderr: '' })
  expect(at(unpacked, 'disk') ?? at(unpacked, 'gone')).toBeUndefined()
})

it.runIf(isRoot)('takes away what the layers below have, and hides it behind a folder that says so', () => {
  const [below, above] = [
    tarOf({ 'kept/a': '', 'gone/a': '', 'hidden/a': '', 'again/a': '', 'late/a': '' }),
    tarWith([
      { name: '.wh.gone' },
      { name: 'kept/b' },
      { name: 'hidden/', type: '5' },
      { name: 'hidden/.wh..wh..opq' },
      { name: 'hidden/b' },
      { name: '.wh.again' },
      { name: 'again/', type: '5' },
      { name: 'again/b' },
      { name: 'late/', type: '5' },
      { name: 'late/b' },
      { name: '.wh.late' },
      { name: '.wh..wh.plnk/x' },
    ]),
  ].map((tar) => unpack(tar)) as [ReturnType<typeof unpack>, ReturnType<typeof unpack>]
  expect(above).toMatchObject({ status: 0, stderr: '' })
  const mounted =
    'mount -t tmpfs t /mnt && mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay o -o lowerdir=$2:$1,upperdir=/mnt/u,workdir=/mnt/w /mnt/r && cd /mnt/r && find . -type f | sort'
  const { stdout } = spawnSync(
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-ec', mounted, 'x', below.folder, above.folder],
    {
      encoding: 'utf8',
    },
  )
  expect(stdout.trim().split('\n')).toEqual(['./again/b', './hidden/b', './kept/a', './kept/b', './late/b'])
})

it.runIf(isRoot)('takes no more entries than there may be', () => {
  const many = tarWith(Array.from({ length: 20 }, (_, index) => ({ name: `file${index}` })))
  expect(unpack(many, 20)).toMatchObject({ status: 0, stdout: '20\n' })
  expect(unpack(many, 19).stderr).toBe('too many entries\n')
})

/** Unpacks a layer within a gigabyte. */
function unpackLayer({ packed, diffId }: ReturnType<typeof packLayer>) {
  const folder = temporary()
  const unpacking = startUnpacking({ maxBytes: 1e9, registry: 'a.example', confine: () => {} })
  onTestFinished(() => unpacking.close())
  writeFileSync(join(folder, 'packed'), packed)
  mkdirSync(join(folder, 'layer'))
  const { done, there } = unpacking.unpack({
    ...{ file: join(folder, 'packed'), folder: join(folder, 'layer'), size: packed.length, diffId, digest: digestOf(packed) },
  })
  there(packed.length)
  return done
}

it.runIf(isRoot)('ends where more than a hundred times what came is unpacked, beyond the first 128 MiB', async () => {
  const zeros = (megabytes: number) => packLayer(tarOf({ zeros: Buffer.alloc(megabytes * 2 ** 20) }))
  await expect(unpackLayer(zeros(130))).rejects.toMatchObject({ message: expect.stringContaining('100 times') })
  expect(await unpackLayer(zeros(120))).toBeDefined()
})

it.runIf(isRoot)('ends for the image whose process the kernel has killed, and says what to do', async () => {
  const folder = temporary()
  let pid = 0
  const unpacking = startUnpacking({ maxBytes: 1e9, registry: 'a.example', confine: (one) => (pid = one) })
  onTestFinished(() => unpacking.close())
  const { packed, diffId } = packLayer(tarOf({ a: randomBytes(1000) }))
  writeFileSync(join(folder, 'packed'), packed)
  mkdirSync(join(folder, 'layer'))
  const { done } = unpacking.unpack({
    ...{ file: join(folder, 'packed'), folder: join(folder, 'layer'), size: packed.length, diffId },
    digest: 'sha256:unknown until all of it is there',
  })
  process.kill(pid, 'SIGKILL')
  await expect(done).rejects.toMatchObject({ code: 'image_too_large', message: expect.stringContaining('memory of this order') })
})

it('keeps whole images, a layer that is there twice once, and nothing else', async () => {
  const root = temporary()
  // Two that begin with the same 128 bits: who can make such layers must not be able to replace one by the other.
  const [low, high] = ['aa', 'bb'].map((byte) => `sha256:${'00'.repeat(16)}${byte.repeat(16)}`) as [string, string]
  const came = openUnpackedLayers(join(root, 'came'))
  for (const diffId of [low, high]) {
    writeFileSync(join(await came.begin(diffId), 'of'), diffId)
    came.finish(diffId, 10)
  }
  const store = openLayerStore(root)
  const config = (diffIds: string[]) =>
    Buffer.from(JSON.stringify({ config: { Cmd: ['/x'], User: 'web' }, rootfs: { diff_ids: diffIds } }))
  store.take(join(root, 'came'), '11'.repeat(32), config([high, low, high]), [low, high])
  store.take(join(root, 'came'), '22'.repeat(32), config([low]), [low])
  expect(store.find('11'.repeat(32))).toMatchObject({ command: ['/x'], user: 'web' })
  expect(store.find('11'.repeat(32))?.layers.map((layer) => readFileSync(join(layer, 'of'), 'utf8'))).toEqual([high, low])
  store.keep(new Set(['22'.repeat(32)]))
  expect(store.find('11'.repeat(32))).toBeUndefined()
  expect(store.find('22'.repeat(32))?.layers).toHaveLength(1)
  expect(readdirSync(join(root, 'layers'))).toHaveLength(1)
  await expect.poll(() => readdirSync(join(root, 'gone'))).toEqual([])
  expect(existsSync(join(root, 'images', '11'.repeat(32)))).toBe(false)
})
