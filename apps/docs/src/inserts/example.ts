import { readFileSync } from 'node:fs'
import type { Language } from '../site.ts'

/** A program of `examples`, whole: the same file that the tests check and run. */
export function example(_language: Language, name: string): string {
  const source = readFileSync(new URL(`../../../../examples/${name}.ts`, import.meta.url), 'utf8').trim()
  return `\`\`\`ts\n${source}\n\`\`\``
}
