import { amount, fieldsOf, figure, listOf, oneOf, optional, type Read, textOf } from '@rackfair/protocol/shape'
import type { FileBegin } from '@rackfair/protocol/workspaceRequests'

/** Per message; a folder may take several. */
const MAX_MESSAGE_ENTRIES = 100_000

/** An entry of a folder. Names are untrusted. */
export interface FileEntry {
  name: string
  type: 'file' | 'folder' | 'link' | 'other'
  size: number
  /** Unix seconds. */
  modified: number
}

/** Space on the disk that holds a folder. */
export interface FileSpace {
  freeBytes: number
  sizeBytes: number
}

/**
 * A `json` frame of a file listing: some entries, or the space of the disk; undefined for any other frame.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readFilesMessage(json: unknown): { entries: readonly FileEntry[] } | { space: FileSpace } | undefined {
  const of = fieldsOf(json, 'files')
  if (Object.hasOwn(json as object, 'entries')) return { entries: of('entries', listOf(entry, MAX_MESSAGE_ENTRIES)) }
  if (!Object.hasOwn(json as object, 'freeBytes')) return undefined
  return { space: { freeBytes: of('freeBytes', amount), sizeBytes: of('sizeBytes', amount) } }
}

/**
 * A `json` frame of a download: what is sent, or that all of it was that could be read; undefined for any other frame.
 * @throws AppError `answer_malformed`.
 */
export function readDownloadMessage(json: unknown): FileBegin | { notIncluded: number } | undefined {
  const of = fieldsOf(json, 'download')
  if ((json as { done?: unknown }).done === true) return { notIncluded: of('notIncluded', optional(amount)) ?? 0 }
  if (!Object.hasOwn(json as object, 'type')) return undefined
  const size = of('size', optional(amount))
  return { type: of('type', oneOf('file', 'tar')), ...(size === undefined ? {} : { size }) }
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
