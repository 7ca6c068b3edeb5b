import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Gpu } from '../Gpu.ts'

/** Where every engine looks for vendors' device specifications (Container Device Interface). */
const FOLDERS = ['/etc/cdi', '/var/run/cdi']

const spec = z.object({ kind: z.string(), devices: z.array(z.object({ name: z.coerce.string() })) })

/** The CDI devices of this machine, such as `nvidia.com/gpu=0`. Files without devices are skipped. */
export function readCdiNames(folders: readonly string[] = FOLDERS): Set<string> {
  const names = new Set<string>()
  for (const folder of folders.filter((one) => existsSync(one))) {
    for (const file of readdirSync(folder).filter((name) => /\.(json|ya?ml)$/.test(name))) {
      const read = spec.safeParse(tryParse(join(folder, file)))
      if (read.success) for (const { name } of read.data.devices) names.add(`${read.data.kind}=${name}`)
    }
  }
  return names
}

function tryParse(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** The CDI name of a GPU; undefined if no file on this machine lists it. Tools name devices by number, by UUID, or both. */
export function cdiNameOf(gpu: Gpu, names: ReadonlySet<string>): string | undefined {
  return [gpu.id, gpu.device].map((name) => `${gpu.vendor}.com/gpu=${name}`).find((name) => names.has(name))
}
