import type { FileEntry } from '@rackfair/protocol/workspaceAnswers'

/** What the bits of a mode say that a path is. */
export function typeOf(mode: number): FileEntry['type'] {
  const kind = mode & 0o170000
  if (kind === 0o100000) return 'file'
  if (kind === 0o040000) return 'folder'
  return kind === 0o120000 ? 'link' : 'other'
}
