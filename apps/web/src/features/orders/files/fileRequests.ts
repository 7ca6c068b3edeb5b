import { decodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import { type FileEntry, type FileSpace, listMessage, toWorkspaceError, type Workspace } from '@rackfair/sdk/workspace'

/** The machine's name for an incomplete upload. */
const PART_PREFIX = '.rackfair-part-'
/** Maximum number of entries read of one folder. */
export const MAX_ENTRIES = 20_000

export interface Folder {
  entries: FileEntry[]
  /** Of the disk that it is on; undefined for the list of the disk's folders. */
  space: FileSpace | undefined
  /** There is more in it than is shown. */
  isCut: boolean
}

/**
 * What is in a folder: folders first, then by name. Without a path: the folders of the order's disk.
 * @throws AppError why it cannot be read.
 */
export async function listFolder(workspace: Workspace, path: string | undefined): Promise<Folder> {
  const folder: Folder = { entries: [], space: undefined, isCut: false }
  const request = path === undefined ? { op: 'list' } : { op: 'list', path }
  const stream = await workspace.open('files', request)
  try {
    for await (const { type, payload } of readFrames(stream.incoming)) {
      if (type !== FRAME.json) continue
      const message = listMessage(decodeJson(payload), 'files')
      if (!message) continue
      if ('entries' in message) folder.entries.push(...message.entries.filter(({ name }) => !name.startsWith(PART_PREFIX)))
      else folder.space = message
      folder.isCut = folder.entries.length > MAX_ENTRIES
      if (folder.isCut) {
        stream.cancel()
        break
      }
    }
  } catch (error) {
    throw toWorkspaceError(error)
  }
  const rank = ({ type }: FileEntry) => (type === 'folder' ? 0 : 1)
  const byName = new Intl.Collator(undefined, { numeric: true })
  folder.entries.sort((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name))
  folder.entries.splice(MAX_ENTRIES)
  return folder
}
