import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { z } from 'zod'
import { diskFull, saysDiskFull } from '../../foundation/diskFull.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { LAYOUT_NAME } from '../registry/ociLayout.ts'
import type { ImageRecipe } from './imageRecipe.ts'
import { writeRecipeLayout } from './recipeLayout.ts'

const IMPORT_MS = 10 * 60_000

/**
 * podman mounts a store on itself, which keeps it from ever being removed, and leaves what it needed to run. It also notes where all of
 * this lies, and refuses a store that was moved: but the notes are about containers, and here are none.
 */
const IMPORT = `
store=$1 run=$2 layout=$3
cd "$layout" && rm -rf "$store/libpod" || exit 1
podman --root "$store" --runroot "$run" --tmpdir "$run/tmp" --storage-driver overlay --cgroup-manager cgroupfs pull --quiet "$4"
code=$?
umount -l "$store/overlay" 2>/dev/null
rm -rf "$run" "$layout"
exit $code`

const imported = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/))

/**
 * The images of recipes as a store of podman's beside their tar files, which engines read and do not write: several agents of one machine
 * share it, and what one has imported the next one finds.
 */
export function createRecipeStore(tarFolder: string) {
  const store = join(tarFolder, 'store')
  const list = join(tarFolder, 'store.json')
  // podman of Debian 12 takes 50 characters: whatever the folder, this is short.
  const run = `/run/rackfair-store-${createHash('sha256').update(store).digest('hex').slice(0, 16)}`
  const read = () => {
    try {
      return imported.parse(JSON.parse(readFileSync(list, 'utf8')))
    } catch {
      // Its images are imported again.
      return {}
    }
  }

  return {
    /** Makes the folder that an engine is told to find the store in. Before the engine starts. */
    link(folder: string): void {
      mkdirSync(store, { recursive: true })
      const next = `${folder}.${process.pid}`
      symlinkSync(store, next)
      renameSync(next, folder)
    },

    /** The id of the image that was imported from the recipe with this key. */
    find: (key: string): string | undefined => read()[key],

    /** Imports a tar file as the image of a recipe, one at a time on this machine, and answers its id. */
    async import(key: string, tar: string, name: string, recipe: ImageRecipe): Promise<string> {
      const layout = mkdtempSync('/run/rackfair-layout-')
      const imageId = await writeRecipeLayout(join(layout, 'image'), tar, recipe)
      const command = ['sh', '-c', IMPORT, 'import', store, run, layout, `oci:image:${LAYOUT_NAME}`]
      const { code, stdout, stderr } = await runCommand('flock', [`${store}.lock`, ...command], { timeoutMs: IMPORT_MS })
      if (saysDiskFull(stderr)) throw diskFull(`the image ${name} cannot be kept`)
      if (code !== 0 || !stdout.trim().endsWith(imageId))
        throw new AppError('image_missing', `the image ${name} cannot be imported on this machine`, {
          cause: `podman pull: ${(stderr.trim() || stdout).slice(-300)}`,
        })
      const next = `${list}.${randomUUID()}`
      writeFileSync(next, `${JSON.stringify({ ...read(), [key]: imageId }, null, 2)}\n`, { mode: 0o600 })
      renameSync(next, list)
      return imageId
    },
  }
}
export type RecipeStore = ReturnType<typeof createRecipeStore>
