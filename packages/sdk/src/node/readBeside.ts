import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { APP_LIMITS } from '@rackfair/app-spec/AppSpec'
import type { Beside, Wanted } from '@rackfair/app-spec/import/Beside'
import type { Pasted } from '@rackfair/app-spec/import/Reading'
import { readEnvFile } from '@rackfair/app-spec/import/readEnvFile'
import { readPasted } from '@rackfair/app-spec/import/readPasted'

export interface BesideOptions {
  /** Where the files that the text names lie. Nothing outside of it is read, and without one nothing at all. */
  folder?: string | undefined
  /** The text of a file of variables, in place of the `.env` in the folder. */
  variables?: string | undefined
  /** What counts before what lies there. */
  given?: Beside
}

export interface ReadBeside extends Pasted {
  /** What the text names and was not read, and why. */
  unread: { name: string; why: 'outside' | 'no_text' | 'too_large' }[]
  /** Whether its variables are taken from the `.env` in the folder. */
  hasVariables: boolean
}

/** A file that turns out to be one may itself be named by what was read before. */
const ROUNDS = 4
/** A little more than a file may have, so that a larger one is refused by the line that names it. */
const MAX_BYTES = APP_LIMITS.fileBytes + 1
const FILES: readonly Wanted['kind'][] = ['file', 'secret', 'values', 'folder']

/**
 * Reads a text as `readPasted` does, with the files that lie beside it: those that it names, and for a compose file the variables of `.env`.
 *
 * @throws Error of the file system, where a file cannot be read
 * @example readBeside(readFileSync('shop/compose.yaml', 'utf8'), { folder: 'shop' }).application
 */
export function readBeside(text: string, { folder, variables, given = {} }: BesideOptions = {}): ReadBeside {
  const unread: ReadBeside['unread'] = []
  const files = new Map<string, string>()
  const env = variables ?? (folder === undefined ? undefined : textAt(folder, '.env'))
  const isCompose = readPasted(text).kind === 'compose'
  const isRead = typeof env === 'string' && (variables !== undefined || isCompose)
  const beside = (): Beside => ({
    images: given.images ?? {},
    variables: { ...(isRead ? readEnvFile(env) : {}), ...given.variables },
    files: { ...Object.fromEntries(files), ...given.files },
  })
  let read = readPasted(text, beside())
  for (let round = 0; folder !== undefined && round < ROUNDS; round += 1) {
    const before = files.size
    for (const { kind, name, isGiven } of read.wanted) {
      if (isGiven || !FILES.includes(kind) || files.has(name) || unread.some((one) => one.name === name)) continue
      const found = textAt(folder, name)
      if (typeof found === 'string') files.set(name, found)
      // What looks like a folder is not sent, wherever it is.
      else if (found && !(kind === 'folder' && found.why === 'outside')) unread.push({ name, ...found })
    }
    if (files.size === before) break
    read = readPasted(text, beside())
  }
  return { ...read, unread, hasVariables: isRead && variables === undefined }
}

/** The text of a file in a folder; undefined where none is. */
function textAt(folder: string, name: string): string | { why: ReadBeside['unread'][number]['why'] } | undefined {
  const isIn = (path: string, outer: string) => path.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`)
  const wanted = resolve(folder, name)
  if (wanted === resolve(folder)) return undefined
  if (!isIn(wanted, resolve(folder))) return { why: 'outside' }
  let path: string
  try {
    path = realpathSync(wanted)
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  // A link may lead out of it.
  if (!isIn(path, realpathSync(folder))) return { why: 'outside' }
  // What is no file may never answer.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const state = fstatSync(descriptor)
    if (!state.isFile()) return undefined
    if (state.size > MAX_BYTES) return { why: 'too_large' }
    const bytes = readFileSync(descriptor)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return { why: 'no_text' }
    throw error
  } finally {
    closeSync(descriptor)
  }
}
