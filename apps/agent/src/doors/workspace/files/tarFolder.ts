import { visibleText } from '@rackfair/rules/text/visibleText'
import { type Pack, pack } from 'tar-stream'
import { PIECE_BYTES, readPieces } from './readPieces.ts'
import { type Attributes, type Entry, type SftpClient, SftpError } from './sftpClient.ts'
import { typeOf } from './typeOf.ts'

const MAX_DEPTH = 200
/** Named one by one; of more, only the number is told. */
const MAX_NAMED = 1000

interface Place {
  path: string
  /** In the archive. */
  name: string
}
interface Opened extends Place {
  handle: Buffer
}
type Folder = Opened & { attributes: Attributes }

/**
 * A folder as a tar. What cannot be read is left out, or filled up with zeros where its beginning was sent already, and named with the
 * reason in a last file beside the folder. `filled` resolves to how many entries that are.
 */
export function tarFolder(sftp: SftpClient, folder: Folder): { tar: AsyncIterable<Buffer>; filled: Promise<number> } {
  const tar = pack()
  const missing: string[] = []
  let missed = 0
  const miss = (name: string, reason: string) => {
    missed += 1
    if (missed <= MAX_NAMED) missing.push(lineOf(name, reason))
  }
  const filled = addFolder({ sftp, tar, miss }, folder, 0)
    .then(async () => {
      if (missed > 0) await addNote(tar, folder.name, missing, missed)
      tar.finalize()
      return missed
    })
    .catch((error: Error) => {
      tar.destroy(error)
      return missed
    })
  return { tar: tar as unknown as AsyncIterable<Buffer>, filled }
}

interface Filling {
  sftp: SftpClient
  tar: Pack
  miss(name: string, reason: string): void
}

async function addFolder(filling: Filling, { path, name, handle, attributes }: Folder, depth: number): Promise<void> {
  const { sftp, tar } = filling
  addHead(tar, { ...headOf(attributes), name: `${name}/`, type: 'directory' })
  await orMiss(filling, name, async () => {
    for (let some = await sftp.readFolder(handle); some; some = await sftp.readFolder(handle))
      for (const entry of some) await addEntry(filling, { path, name }, entry, depth)
  })
  await sftp.close(handle).catch(() => {})
}

function addEntry(filling: Filling, folder: Place, entry: Entry, depth: number): Promise<void> {
  const { sftp, tar, miss } = filling
  const path = `${folder.path}/${entry.name}`
  const name = `${folder.name}/${entry.name}`
  return orMiss(filling, name, async () => {
    const type = typeOf(entry.mode)
    if (type === 'link') addHead(tar, { ...headOf(entry), name, type: 'symlink', linkname: await sftp.readLink(path) })
    else if (type === 'file') await addFile(filling, { path, name, handle: await sftp.openToRead(path) })
    else if (type === 'other') miss(name, 'this is neither a file nor a folder')
    else if (depth >= MAX_DEPTH) miss(name, `it lies more than ${MAX_DEPTH} folders deep`)
    else await addFolder(filling, { path, name, handle: await sftp.openFolder(path), attributes: entry }, depth + 1)
  })
}

/** An open file, which may change meanwhile: as many bytes of it as it had when it was opened. */
async function addFile({ sftp, tar, miss }: Filling, { name, handle }: Opened): Promise<void> {
  try {
    const own = await sftp.statOpen(handle)
    if (typeOf(own.mode) !== 'file') return miss(name, 'it was replaced by something that is no file')
    const added = Promise.withResolvers<void>()
    added.promise.catch(() => {})
    const entry = tar.entry({ ...headOf(own), name, size: own.size }, (error) => (error ? added.reject(error) : added.resolve()))
    quiet(entry)
    const write = async (bytes: Buffer) => {
      if (entry.write(bytes)) return
      await Promise.race([new Promise<void>((resolve) => entry.once('drain', resolve)), added.promise])
    }
    let sent = 0
    try {
      for await (const piece of readPieces(sftp, handle, own.size)) {
        await write(piece)
        sent += piece.length
      }
    } catch (error) {
      if (!isOfOneFile(error)) throw error
      miss(name, `only ${sent} of its ${own.size} bytes could be read, and zeros follow: ${error.message}`)
      for (; sent < own.size; sent += PIECE_BYTES) await write(Buffer.alloc(Math.min(PIECE_BYTES, own.size - sent)))
    }
    entry.end(undefined)
    await added.promise
  } finally {
    await sftp.close(handle).catch(() => {})
  }
}

async function addNote(tar: Pack, folder: string, missing: readonly string[], missed: number): Promise<void> {
  const more = missed > missing.length ? [`and ${missed - missing.length} more`] : []
  const text = ['These entries are not in this archive, or not whole:', '', ...missing, ...more, ''].join('\n')
  quiet(tar.entry({ name: `${folder}.not-included.txt` }, text))
}

const addHead = (tar: Pack, head: Parameters<Pack['entry']>[0]): void => quiet(tar.entry(head))

/** An entry fails with its archive, which says so itself; without a listener the process would end. */
function quiet(entry: ReturnType<Pack['entry']>): void {
  entry.on('error', () => {})
}

async function orMiss({ miss }: Filling, name: string, add: () => Promise<void>): Promise<void> {
  try {
    await add()
  } catch (error) {
    if (!isOfOneFile(error)) throw error
    miss(name, error.kind === 'missing' ? 'it is gone, or its name is not UTF-8' : error.message)
  }
}

/** The file server goes on, and what else it has can be read. */
const isOfOneFile = (error: unknown): error is SftpError => error instanceof SftpError && error.kind !== 'gone'

const lineOf = (name: string, reason: string): string => visibleText(`${name}: ${reason.slice(0, 200)}`).replaceAll('\n', '\\n')

const headOf = ({ mode, modified }: Attributes) => ({ mode: mode & 0o777, mtime: new Date(modified * 1000) })
