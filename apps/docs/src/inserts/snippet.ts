import { readFileSync } from 'node:fs'
import type { Language } from '../site.ts'

/** A program of `apps/docs/snippets`, whole: the same file that the tests check and run. */
export function snippet(_language: Language, name: string): string {
  const source = readFileSync(new URL(`../../snippets/${name}`, import.meta.url), 'utf8').trim()
  return `\`\`\`ts\n${source}\n\`\`\``
}
