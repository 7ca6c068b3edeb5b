import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { Language } from './site.ts'

export interface SpecificationRow {
  text: string
  files?: string[]
  /** Parts of titles, by the file of the test. */
  tests?: Record<string, string | string[]>
  departures?: string[]
}

export interface Specification {
  /** `count` is the number of rows that the section must have; rows are by id. */
  sections: { title: Record<Language, string>; count: number; rows: Record<string, SpecificationRow> }[]
  departures: Record<string, { text: string; reason: string }>
}

/** Reads `docs/specification.yaml`. Throws if it is not YAML or has a key twice. */
export function readSpecification(): Specification {
  return parse(readFileSync(fileURLToPath(new URL('../../../docs/specification.yaml', import.meta.url)), 'utf8'))
}
