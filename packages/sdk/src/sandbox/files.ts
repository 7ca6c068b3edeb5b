import type { FileEntry } from '@rackfair/protocol/workspaceAnswers'
import { appError } from '../errors/appError.ts'
import { changeFiles } from '../workspace/changeFiles.ts'
import { download, listFiles, upload } from '../workspace/copy.ts'
import type { Workspace } from '../workspace/Workspace.ts'

/** Paths are absolute, in the image's file system, with the rights of its user. */
export interface Files {
  /**
   * A file as text, or with `readBytes` as bytes; at most `maxBytes`, by default 64 MiB.
   * @throws AppError `file_not_found`, `file_refused` for a folder, `payload_too_large`, `stream_interrupted` (retryable).
   */
  read(path: string, options?: { maxBytes?: number }): Promise<string>
  readBytes(path: string, options?: { maxBytes?: number }): Promise<Uint8Array>
  /**
   * Writes a file whole, in place of one that is there. Folders above it are made.
   * @throws AppError `file_refused`, `order_disk_full`, `stream_interrupted` (retryable).
   */
  write(path: string, data: string | Uint8Array): Promise<void>
  /** @throws AppError `file_not_found`, `file_refused` */
  list(path: string): Promise<FileEntry[]>
  /** Removes a file, or a folder with all that is in it. @throws AppError `file_not_found`, `file_refused` */
  remove(path: string): Promise<void>
}

const MAX_BYTES = 64 * 2 ** 20

export function filesOf(workspace: Workspace): Files {
  const readBytes: Files['readBytes'] = async (path, { maxBytes = MAX_BYTES } = {}) => {
    let whole = new Uint8Array(0)
    let length = 0
    const tooLong = () => appError('payload_too_large', `${path} has more than ${maxBytes} bytes`)
    await download(workspace, path, {
      onBegin({ type, size = 0 }) {
        if (type === 'tar') throw appError('file_refused', `${path} is a folder`)
        if (size > maxBytes) throw tooLong()
        whole = new Uint8Array(size)
      },
      onBytes(piece) {
        if (length + piece.length > whole.length) throw tooLong()
        whole.set(piece, length)
        length += piece.length
      },
    })
    return whole
  }
  return {
    readBytes,
    read: async (path, options) => new TextDecoder().decode(await readBytes(path, options)),
    async write(path, data) {
      const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
      const put = () => upload(workspace, path, only(bytes), { size: bytes.length, replace: true })
      try {
        await put()
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'file_not_found') throw error
        await makeFolders(workspace, path)
        await put()
      }
    },
    list: (path) => listFiles(workspace, path),
    remove: (path) => changeFiles(workspace, { op: 'remove', path }),
  }
}

/** Makes the folders above a file that are missing. */
async function makeFolders(workspace: Workspace, path: string): Promise<void> {
  const names = path.split('/').slice(1, -1)
  for (let depth = 1; depth <= names.length; depth += 1) {
    const folder = `/${names.slice(0, depth).join('/')}`
    await changeFiles(workspace, { op: 'mkdir', path: folder }).catch((error: { code?: unknown }) => {
      // What is there, or may not be made, shows in the next step.
      if (error.code !== 'file_exists' && error.code !== 'file_refused') throw error
    })
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
