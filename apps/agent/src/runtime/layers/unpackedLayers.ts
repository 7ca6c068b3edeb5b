import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The name of a layer's folder, of 156 bits of its digest. Those of an image together have to fit into the page in which the kernel reads an
 * overlay's options, and nobody may find two layers of one name: who brings the second would run what is in the first.
 */
export const layerName = (diffId: string): string =>
  Buffer.from(diffId.slice('sha256:'.length), 'hex').toString('base64url').slice(0, 26)

/** Layers that a pull has unpacked, in its own folder until the image is whole. */
export function openUnpackedLayers(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const place = (diffId: string) => join(folder, layerName(diffId))
  const note = (diffId: string) => `${place(diffId)}.bytes`
  return {
    place,

    /** How many bytes a layer that is there unpacked to. */
    bytesOf(diffId: string): number | undefined {
      if (!existsSync(place(diffId))) return undefined
      const bytes = Number(readFileSync(note(diffId), 'utf8'))
      return Number.isSafeInteger(bytes) ? bytes : undefined
    },

    /** An empty folder for a layer. */
    async begin(diffId: string): Promise<string> {
      const unfinished = `${place(diffId)}.new`
      for (const left of [unfinished, place(diffId)]) await rm(left, { recursive: true, force: true })
      mkdirSync(unfinished, { mode: 0o755 })
      return unfinished
    },

    finish(diffId: string, unpackedBytes: number): void {
      writeFileSync(note(diffId), String(unpackedBytes))
      renameSync(`${place(diffId)}.new`, place(diffId))
    },
  }
}
export type UnpackedLayers = ReturnType<typeof openUnpackedLayers>
