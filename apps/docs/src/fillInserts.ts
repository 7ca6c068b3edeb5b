import { readFileSync } from 'node:fs'
import { deployTextVector } from './inserts/deployTextVector.ts'
import { errorTable } from './inserts/errorTable.ts'
import { presetTable } from './inserts/presetTable.ts'
import { priceList } from './inserts/priceList.ts'
import { refundExamples } from './inserts/refundExamples.ts'
import { specificationRows } from './inserts/specificationRows.ts'
import type { Language } from './site.ts'

/** Inserts that a guide can have computed from the product itself, by a line `{{name argument}}`. */
const INSERTS: Readonly<Record<string, (language: Language, argument: string) => string>> = {
  deployText: deployTextVector,
  errors: errorTable,
  example,
  presets: presetTable,
  prices: priceList,
  refunds: refundExamples,
  specification: specificationRows,
}

/** Replaces every `{{name argument}}` line by the Markdown it stands for. Throws a sentence that names `path` when there is no such insert. */
export function fillInserts(markdown: string, language: Language, path: string): string {
  return markdown.replace(/^\{\{(\w+)(?: (\S+))?\}\}$/gm, (_, name: string, argument = '') => {
    const insert = INSERTS[name]
    if (!insert) throw new Error(`${path}: there is nothing to insert for {{${name}}}`)
    return insert(language, argument)
  })
}

/** A program of `examples`, whole: the same file that the tests check and run. */
function example(_language: Language, name: string): string {
  const source = readFileSync(new URL(`../../../examples/${name}.ts`, import.meta.url), 'utf8').trim()
  return `\`\`\`ts\n${source}\n\`\`\``
}
