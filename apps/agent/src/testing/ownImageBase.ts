import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootfsTar } from '../runtime/engine/buildImage.ts'
import type { ImageRecipe } from '../runtime/engine/imageRecipe.ts'
import { runCommand } from '../runtime/runCommand.ts'
import { IMAGE_CACHE } from './setupAgent.ts'
import { digestOf, type PackedLayer, packLayer } from './startRegistry.ts'

export const isDeep = process.env.RACKFAIR_DEEP === '1'

/** Servers and clients of the applications that only the long run uses: to install and to pull them takes its time. */
const MORE = [
  ...['beanstalkd', 'bind9-dnsutils', 'dnsmasq-base', 'git', 'iperf3', 'jupyter-server', 'libmemcached-tools', 'lighttpd'],
  ...['memcached', 'mosquitto', 'mosquitto-clients', 'php-cli', 'python3-ipykernel', 'python3-websocket', 'rsync'],
]

/** One Debian with the servers of all test applications in it: their images share this layer. */
const RECIPE: ImageRecipe = {
  name: 'localhost/rackfair/own-test',
  suite: 'bookworm',
  packages: [
    ...[
      'busybox-static',
      'ca-certificates',
      'curl',
      'gcc',
      'iproute2',
      'libc6-dev',
      'nginx-light',
      'openssh-server',
      'postgresql',
    ],
    ...['procps', 'python3', 'redis-server', 'socat'],
    ...(isDeep ? MORE : []),
  ],
  remove: ['/var/cache/apt/*', '/var/lib/apt/lists/*'],
  entrypoint: [],
  command: ['/bin/sh'],
  user: '1000:1000',
  port: 0,
}

/** Builds the layer as a tar file once, and again only when its recipe changes. */
export const debianTar = (): Promise<string> =>
  rootfsTar({ recipe: RECIPE, root: join(IMAGE_CACHE, 'no-files') }, IMAGE_CACHE, console.log)

/** Packed once too: that takes longer than to send it to a registry. */
export async function debianLayer(): Promise<PackedLayer> {
  const tar = await debianTar()
  const kept = `${tar}.gz`
  if (existsSync(kept)) return { packed: readFileSync(kept), diffId: digestOf(readFileSync(tar)) }
  const layer = packLayer(readFileSync(tar))
  keep(kept, layer.packed)
  return layer
}

/** The one static program of a small image, out of Debian's package. */
export async function busybox(): Promise<Buffer> {
  const kept = join(IMAGE_CACHE, 'busybox')
  if (!existsSync(kept)) {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-busybox-'))
    const line = 'apt-get download busybox-static && dpkg-deb -x busybox-static_*.deb .'
    const { code, stderr } = await runCommand('sh', ['-ec', line], { cwd: folder })
    if (code !== 0) throw new Error(stderr)
    mkdirSync(IMAGE_CACHE, { recursive: true })
    keep(kept, readFileSync(join(folder, 'bin', 'busybox')))
    rmSync(folder, { recursive: true, force: true })
  }
  return readFileSync(kept)
}

/** Another run may be reading, or writing the same. */
function keep(file: string, bytes: Buffer): void {
  writeFileSync(`${file}.${process.pid}`, bytes)
  renameSync(`${file}.${process.pid}`, file)
}
