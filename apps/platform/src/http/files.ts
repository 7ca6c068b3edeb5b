import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, resolve, sep } from 'node:path'
import { answerWith } from './answerWith.ts'
import type { Call } from './defineRoute.ts'
import type { Representation } from './ResponseCache.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.yaml': 'text/yaml; charset=utf-8',
  '.yml': 'text/yaml; charset=utf-8',
}
/** High, because a file without a compressed form beside it is compressed once and sent often. */
const FILE_QUALITY = 10
const LARGEST = 20 * 1024 * 1024
const kept = new Map<string, { mtimeMs: number; size: number; item: Representation }>()

/** The file in a folder that a path names, `undefined` for anything outside of it or of an unknown type. */
export function fileIn(folder: string, path: string): string | undefined {
  let name: string
  try {
    name = decodeURIComponent(path)
  } catch {
    return undefined
  }
  if (name.includes('\0') || name.split(/[\\/]/).some((part) => part.startsWith('.'))) return undefined
  const root = resolve(folder)
  const file = normalize(join(root, name))
  return file.startsWith(root + sep) && TYPES[extname(file)] ? file : undefined
}

/** Answers a file with its type, hash and compressed form, which a build may have put beside it; `undefined` if there is none. */
export async function answerFile(call: Call, file: string, cacheControl: string): Promise<Response | undefined> {
  const facts = await stat(file).catch(() => undefined)
  if (!facts?.isFile() || facts.size > LARGEST) return undefined
  let entry = kept.get(file)
  if (entry?.mtimeMs !== facts.mtimeMs || entry.size !== facts.size) {
    const body = await readFile(file)
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
    const brotli = await compressedForm(file, facts)
    entry = {
      ...{ mtimeMs: facts.mtimeMs, size: facts.size },
      item: { body, etag, block: 0, headers: {}, ...(brotli ? { brotli: Promise.resolve(brotli) } : {}) },
    }
    if (kept.size > 2_000) kept.clear()
    kept.set(file, entry)
  }
  const { item } = entry
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  const text = /text|json|javascript|svg|xml/.test(type)
  const headers = { 'content-type': type, 'cache-control': cacheControl, vary: 'accept-encoding' }
  return (await answerWith(call, item, headers, { compress: text, quality: FILE_QUALITY })).response
}

/** What a build wrote to `<file>.br`, unless the file was changed since. */
async function compressedForm(file: string, { mtimeMs }: { mtimeMs: number }): Promise<Buffer | undefined> {
  const facts = await stat(`${file}.br`).catch(() => undefined)
  if (!facts?.isFile() || facts.size > LARGEST || facts.mtimeMs < mtimeMs) return undefined
  return readFile(`${file}.br`)
}
