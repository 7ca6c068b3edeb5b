import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootfsTar } from '../runtime/engine/buildImage.ts'
import type { ImageRecipe } from '../runtime/engine/imageRecipe.ts'
import { runCommand } from '../runtime/runCommand.ts'
import { IMAGE_CACHE } from './setupAgent.ts'
import { type PackedLayer, packLayer } from './startRegistry.ts'

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

export const debianLayer = async (): Promise<PackedLayer> => packLayer(readFileSync(await debianTar()))

/** The one static program of a small image, out of Debian's package. */
export async function busybox(): Promise<Buffer> {
  const kept = join(IMAGE_CACHE, 'busybox')
  if (!existsSync(kept)) {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-busybox-'))
    const line = 'apt-get download busybox-static && dpkg-deb -x busybox-static_*.deb .'
    const { code, stderr } = await runCommand('sh', ['-ec', line], { cwd: folder })
    if (code !== 0) throw new Error(stderr)
    mkdirSync(IMAGE_CACHE, { recursive: true })
    cpSync(join(folder, 'bin', 'busybox'), `${kept}.${process.pid}`)
    renameSync(`${kept}.${process.pid}`, kept)
    rmSync(folder, { recursive: true, force: true })
  }
  return readFileSync(kept)
}
