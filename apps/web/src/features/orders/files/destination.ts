import { saveFile } from '../../../platform/browser/saveFile.ts'
import type { Destination } from './transferFiles.ts'

/** Browsers keep large blobs on disk; pieces are collected into parts of this size. */
const PART_BYTES = 16 * 1024 * 1024
/** Nobody closes a dialog sooner: the browser has shown none, as one without windows. */
const FASTEST_PERSON_MS = 100

/** Missing from TypeScript's DOM types: the picker for a file that is then written piece by piece. */
type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>

/** Restarts the file on each attempt; `cancel` discards an unfinished one. */
export interface DestinationMaker {
  begin: () => Promise<Destination>
  cancel: () => Promise<void>
}

/**
 * Asks where a download goes, where the browser can write to a place piece by piece; else it becomes one of the browser's downloads.
 * Undefined when the person closes the dialog.
 */
export async function chooseDestination(name: string): Promise<DestinationMaker | undefined> {
  const picker = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker
  if (!picker) return toDownloads(name)
  const asked = performance.now()
  try {
    return toHandle(await picker.call(window, { suggestedName: name }))
  } catch (error) {
    if ((error as DOMException).name === 'AbortError' && performance.now() - asked >= FASTEST_PERSON_MS) return undefined
    // The browser rejects the name, has no dialog to show, or the page may not open one.
    return toDownloads(name)
  }
}

/** The file's content appears atomically on close. */
function toHandle(handle: FileSystemFileHandle): DestinationMaker {
  let open: FileSystemWritableFileStream | undefined
  const cancel = async () => {
    await open?.abort().catch(() => undefined)
    open = undefined
  }
  return {
    cancel,
    async begin() {
      await cancel()
      const writable = await handle.createWritable()
      open = writable
      return {
        write: (bytes) => writable.write(bytes),
        async close() {
          open = undefined
          await writable.close()
        },
      }
    },
  }
}

function toDownloads(name: string): DestinationMaker {
  let parts: Blob[] = []
  let held: Uint8Array<ArrayBuffer>[] = []
  let heldBytes = 0
  const flush = () => {
    parts.push(new Blob(held))
    held = []
    heldBytes = 0
  }
  const clear = () => {
    parts = []
    held = []
    heldBytes = 0
  }
  return {
    cancel: async () => clear(),
    async begin() {
      clear()
      return {
        async write(bytes) {
          held.push(bytes)
          heldBytes += bytes.length
          if (heldBytes >= PART_BYTES) flush()
        },
        async close() {
          flush()
          saveFile(name, new Blob(parts))
          clear()
        },
      }
    },
  }
}
