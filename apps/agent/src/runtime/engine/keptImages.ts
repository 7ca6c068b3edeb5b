import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const layer = z.object({ digest: z.string(), diffId: z.string(), bytes: z.number(), unpackedBytes: z.number() })
const kept = z.record(
  z.string(),
  z.object({
    imageId: z.string().regex(/^[0-9a-f]{64}$/),
    bytes: z.number(),
    usedAt: z.number(),
    /** Where it came from, and what it consists of. */
    registry: z.string().optional(),
    layers: z.array(layer).default([]),
  }),
)
type Kept = z.infer<typeof kept>

/** Which of the renters' images the engine has, by digest, as a file in `folder` says. */
export function openKeptImages(folder: string) {
  const file = join(folder, 'own.json')
  return {
    read: (): Kept => (existsSync(file) ? kept.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}),
    write(next: Kept): void {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${file}.new`, JSON.stringify(next), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

/** A layer shared by several images is on the disk once. */
export function diskBytes(all: Kept): number {
  const layers = new Map(Object.values(all).flatMap((one) => one.layers.map(({ digest, bytes }) => [digest, bytes] as const)))
  const others = Object.values(all).filter((one) => one.layers.length === 0)
  return [...layers.values(), ...others.map(({ bytes }) => bytes)].reduce((sum, bytes) => sum + bytes, 0)
}
