/** What would be invisible in a name, or turn it around. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const MAX_NAME_BYTES = 255

/** A path in a folder. @example joinPath('/data', 'a.txt') // '/data/a.txt' */
export const joinPath = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`

/** The folders from the top down to a path: [`/`, `/data`, `/data/models`]. */
export function trailOf(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)]
}

/** The last part of a path; of the top, itself. */
export const nameOf = (path: string): string => path.split('/').findLast((part) => part !== '') ?? '/'

/** Of these names those that look like another of them and differ by how their accents are written. */
export function lookalikes(names: readonly string[]): ReadonlySet<string> {
  const composed = Map.groupBy(names, (name) => name.normalize('NFC'))
  return new Set([...composed].flatMap(([form, all]) => (all.length > 1 ? all.filter((name) => name !== form) : [])))
}

/** A name as it is shown: what a stranger chose, without what acts on the text around it. */
export const shownName = (name: string): string => name.replace(HIDDEN, '·')

/** Whether no machine can keep a name because of its length. */
export const isTooLong = (name: string): boolean => new TextEncoder().encode(name).length > MAX_NAME_BYTES

/** Whether a file may be called so. */
export const isFileName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name) && !isTooLong(name)

/** The path that an address names; undefined for one that is none. */
export const readPath = (text: string | null): string | undefined =>
  text?.startsWith('/') && text.length <= 4096 && !text.includes('\0') && !text.split('/').includes('..') ? text : undefined

/** A path as one word of a shell's command. @example quotePath("/data/it's") // "'/data/it'\\''s'" */
export const quotePath = (path: string): string => (/^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)
