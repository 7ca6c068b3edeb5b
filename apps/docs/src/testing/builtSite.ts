import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildSite } from '../buildSite.ts'

/** The whole site in a temporary folder: its files, and the text of its pages by path. */
export function builtSite() {
  const dir = mkdtempSync(join(tmpdir(), 'rackfair-docs-'))
  buildSite(dir)
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
  const pages = new Map(
    files.filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(dir, file), 'utf8')] as const),
  )
  return { dir, files: new Set(files), pages }
}
