import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../foundation/runCommand.ts'
import { rootfsFile, rootfsTar } from '../runtime/engine/buildImage.ts'
import type { ImageRecipe } from '../runtime/engine/imageRecipe.ts'
import { IMAGE_CACHE } from './setupAgent.ts'
import { digestOf, type PackedLayer, packLayerFast } from './startRegistry.ts'

export const isDeep = process.env.RACKFAIR_DEEP === '1'

/** Servers and clients of applications that only the long run uses: installing and pulling them is slow. */
const MORE = [
  ...['beanstalkd', 'bind9-dnsutils', 'dnsmasq-base', 'git', 'iperf3', 'jupyter-server', 'libmemcached-tools', 'lighttpd'],
  ...['memcached', 'mosquitto', 'mosquitto-clients', 'php-cli', 'python3-ipykernel', 'python3-websocket', 'rsync'],
]

/** One Debian with the servers of all test applications: their images share this layer. */
const RECIPE: ImageRecipe = {
  name: 'localhost/rackfair/own-test',
  suite: 'bookworm',
  packages: [
    ...['ca-certificates', 'curl', 'iproute2', 'libc6-dev', 'nginx-light', 'openssh-server', 'postgresql'],
    ...['procps', 'python3', 'redis-server', 'socat', 'tcc'],
    ...(isDeep ? MORE : []),
  ],
  // Each test that pulls it unpacks all of it, so it goes without the compiler that PostgreSQL does not need, and without its first
  // cluster.
  remove: [
    ...['/var/cache/apt/*', '/var/lib/apt/lists/*', '/var/lib/postgresql/15', '/usr/lib/postgresql/15/lib/bitcode'],
    ...['LLVM-14', 'z3'].map((name) => `/usr/lib/x86_64-linux-gnu/lib${name}.so*`),
  ],
  entrypoint: [],
  command: ['/bin/sh'],
  user: '1000:1000',
  port: 0,
}

const LOCAL = { recipe: RECIPE, root: join(IMAGE_CACHE, 'no-files') }
/** Path of the layer as a tar file. */
export const DEBIAN = rootfsFile(LOCAL, IMAGE_CACHE)
/** The same as a registry sends it. */
export const DEBIAN_LAYER = `${DEBIAN}.zst`

/** Builds the layer as a tar file once, and again only when its recipe changes. */
export const debianTar = (base?: () => Promise<string>): Promise<string> =>
  rootfsTar(LOCAL, IMAGE_CACHE, {
    onProgress: console.log,
    ...(base ? { base } : {}),
  })

/** Packed only once too: packing takes longer than sending it to a registry. */
export async function debianLayer(): Promise<PackedLayer> {
  const tar = await debianTar()
  if (existsSync(DEBIAN_LAYER))
    return { packing: 'zstd', packed: readFileSync(DEBIAN_LAYER), diffId: digestOf(readFileSync(tar)) }
  const layer = packLayerFast(readFileSync(tar))
  keep(DEBIAN_LAYER, layer.packed)
  return layer
}

export const BUSYBOX = join(IMAGE_CACHE, 'busybox')

/** The only program of a small image, static, from Debian's package. */
export async function busybox(): Promise<Buffer> {
  if (!existsSync(BUSYBOX)) {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-busybox-'))
    const line = 'apt-get download busybox-static && dpkg-deb -x busybox-static_*.deb .'
    const { code, stderr } = await runCommand('sh', ['-ec', line], { cwd: folder })
    if (code !== 0) throw new Error(stderr)
    mkdirSync(IMAGE_CACHE, { recursive: true })
    keep(BUSYBOX, readFileSync(join(folder, 'bin', 'busybox')))
    rmSync(folder, { recursive: true, force: true })
  }
  return readFileSync(BUSYBOX)
}

/** Another run may be reading or writing the same file. */
function keep(file: string, bytes: Buffer): void {
  writeFileSync(`${file}.${process.pid}`, bytes)
  renameSync(`${file}.${process.pid}`, file)
}
