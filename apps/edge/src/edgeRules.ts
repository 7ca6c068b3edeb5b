import { readFileSync } from 'node:fs'
import { z } from 'zod'

const MAX_ENTRIES = 10_000
const label = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())

/** What the owner of an edge decides, in a file that is read again on SIGHUP. */
const edgeRules = z.strictObject({
  /** Labels for providers, by their addresses. Names of orders begin with `o-`. */
  names: z
    .record(
      address,
      label.refine((text) => !/^[op]-/.test(text), 'begins like names that an edge gives itself'),
    )
    .default({}),
  /** Providers, and names with all that is below them, that get no visitors. */
  blocked: z
    .array(z.union([address, z.string().regex(/^[a-z0-9.-]{1,253}$/)]))
    .max(MAX_ENTRIES)
    .default([]),
  /** Gigabytes (10^9 bytes) that the visitors of one provider may transfer in a month. */
  monthlyGb: z.number().positive().optional(),
})
export type EdgeRules = z.infer<typeof edgeRules>
export const NO_RULES: EdgeRules = { names: {}, blocked: [] }

/** @throws Error that names the file and the first wrong field. */
export function readEdgeRules(file: string): EdgeRules {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${(error as Error).message}`)
  }
  const parsed = edgeRules.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new Error(`${file}: ${issue?.path.join('.') || 'root'}: ${issue?.message}`)
}

/** Whether a provider, or a name or one above it, is blocked. */
export function createBlocked({ blocked }: EdgeRules): (provider: string, name: string) => boolean {
  const all = new Set(blocked)
  return (provider, name) => {
    if (all.has(provider)) return true
    for (let rest = name; rest !== ''; rest = rest.includes('.') ? rest.slice(rest.indexOf('.') + 1) : '')
      if (all.has(rest)) return true
    return false
  }
}
