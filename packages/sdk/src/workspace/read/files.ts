import { amount, fieldsOf, figure, listOf, oneOf, type Read, textOf } from '../../http/read/fields.ts'

/** Of one message; a folder comes in several. */
const MAX_MESSAGE_ENTRIES = 100_000

/** What lies in a folder. Names are a stranger's. */
export interface FileEntry {
  name: string
  type: 'file' | 'folder' | 'link' | 'other'
  size: number
  /** Unix seconds. */
  modified: number
}

/** Of the disk that a folder is on. */
export interface FileSpace {
  freeBytes: number
  sizeBytes: number
}

/**
 * A `json` frame of a list of files: some entries, or the space of the disk; undefined for what is neither.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readFilesMessage(json: unknown): { entries: readonly FileEntry[] } | { space: FileSpace } | undefined {
  const of = fieldsOf(json, 'files')
  if (Object.hasOwn(json as object, 'entries')) return { entries: of('entries', listOf(entry, MAX_MESSAGE_ENTRIES)) }
  if (!Object.hasOwn(json as object, 'freeBytes')) return undefined
  return { space: { freeBytes: of('freeBytes', amount), sizeBytes: of('sizeBytes', amount) } }
}

const entry: Read<FileEntry> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    name: of('name', textOf(4096)),
    type: of('type', oneOf('file', 'folder', 'link', 'other')),
    size: of('size', amount),
    modified: of('modified', figure),
  }
}
