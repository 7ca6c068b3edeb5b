import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../foundation/runCommand.ts'
import { IMAGE_CACHE } from './setupAgent.ts'

/** Creates an image cache with built images, none of them imported yet. */
export function makeImageCache(folder: string): string {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(IMAGE_CACHE).filter((one) => one.endsWith('.tar')))
    symlinkSync(join(IMAGE_CACHE, name), join(folder, name))
  return folder
}

/** Removes an imported image, as none of our code does. */
export async function dropImage(imageCache: string, imageId: string): Promise<void> {
  const store = join(imageCache, 'store')
  const run = mkdtempSync('/run/rackfair-drop-')
  const places = ['--root', store, '--runroot', run, '--tmpdir', join(run, 'tmp'), '--storage-driver', 'overlay']
  rmSync(join(store, 'libpod'), { recursive: true, force: true })
  const { code, stderr } = await runCommand('podman', [...places, 'rmi', '--force', imageId])
  await runCommand('umount', ['-l', join(store, 'overlay')])
  rmSync(run, { recursive: true, force: true })
  if (code !== 0) throw new Error(stderr)
}
