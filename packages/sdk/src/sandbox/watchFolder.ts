import type { FileEntry } from '@rackfair/protocol/workspaceAnswers'
import { pause } from '../pause.ts'

/** What became of an entry of a folder; `name` is its path below the folder. */
export type FileEvent = { name: string } & ({ kind: 'created' | 'changed'; entry: FileEntry } | { kind: 'removed' })

export interface WatchOptions {
  /** How deep it is watched. Defaults to 1: what lies in the folder itself. */
  depth?: number | undefined
  /** Milliseconds between two readings. Defaults to a second. */
  intervalMs?: number | undefined
}

export interface Watching {
  /** Resolves after `stop`. @throws AppError `file_not_found` once the folder is gone, `stream_interrupted` (retryable) */
  ended: Promise<void>
  stop(): void
}

const INTERVAL_MS = 1000

/** Of a file that is written again within the same second, and keeps its size, no change is seen. */
export async function watchFolder(
  list: (path: string, options: { depth: number | undefined }) => Promise<FileEntry[]>,
  path: string,
  onChange: (event: FileEvent) => void,
  { depth, intervalMs = INTERVAL_MS }: WatchOptions = {},
): Promise<Watching> {
  const read = async () => new Map((await list(path, { depth })).map((entry) => [entry.name, entry]))
  const stopping = new AbortController()
  let before = await read()
  const watch = async () => {
    for (;;) {
      await pause(intervalMs, stopping.signal)
      const now = await read()
      stopping.signal.throwIfAborted()
      for (const event of changes(before, now)) onChange(event)
      before = now
    }
  }
  const ended = watch().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  // Whoever does not wait for its end is told of nothing.
  ended.catch(() => undefined)
  return { ended, stop: () => stopping.abort() }
}

type Entries = ReadonlyMap<string, FileEntry>

function* changes(before: Entries, now: Entries): Generator<FileEvent> {
  for (const [name, entry] of now) {
    const earlier = before.get(name)
    if (!earlier || earlier.type !== entry.type) yield { kind: 'created', name, entry }
    // A folder changes with what is in it, which is told by itself.
    else if (entry.type !== 'folder' && (earlier.size !== entry.size || earlier.modified !== entry.modified))
      yield { kind: 'changed', name, entry }
  }
  for (const name of before.keys()) if (!now.has(name)) yield { kind: 'removed', name }
}
