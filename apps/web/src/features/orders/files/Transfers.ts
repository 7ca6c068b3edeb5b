import { AppError } from '@rackfair/rules/errors/AppError'
import { toWorkspaceError, type Workspace } from '@rackfair/sdk/workspace'
import type { DestinationMaker } from './destination.ts'
import { isTooLong, nameOf } from './filePaths.ts'
import { downloadFile, uploadFile } from './transferFiles.ts'

export interface Transfer {
  id: number
  direction: 'up' | 'down'
  /** Of the container. */
  path: string
  bytes: number
  /** Undefined if not known in advance. */
  size: number | undefined
  /** `lost`: the connection is down; the transfer restarts when it is back. */
  state: 'queued' | 'running' | 'lost' | 'done' | 'failed'
  error?: AppError
  /** Entries of a folder that could not be read whole. */
  notIncluded?: number
}

interface Job {
  run: (control: {
    signal: AbortSignal
    onProgress: (bytes: number, size: number | undefined) => void
  }) => Promise<Partial<Transfer>>
  /** After the last try. */
  cleanUp: () => Promise<void>
  leaving: AbortController
}

/** Concurrent transfers; further ones are queued. */
const MAX_RUNNING = 2
/** Minimum interval between progress updates. */
const PROGRESS_MS = 200
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 10_000
/** Interrupted so often in a row without getting further than before, it fails: the next try would break whatever broke at the same place. */
const MAX_STUCK_TRIES = 4
/** The machine needs a moment to release a file whose sender disconnected. */
const MAX_BUSY_TRIES = 8
/** How it says so. Earlier agents say that the file exists. */
const BUSY: ReadonlySet<string> = new Set(['upload_in_progress', 'file_exists'])

/**
 * Uploads and downloads of an order. They continue while other tabs are shown, and restart after a lost connection: a file is complete or
 * absent.
 */
export class Transfers {
  private list: readonly Transfer[] = []
  private readonly jobs = new Map<number, Job>()
  /** The sources of uploads, kept while they are listed. */
  private readonly sources = new Map<number, Blob>()
  private readonly listeners = new Set<() => void>()
  private readonly workspace: Workspace
  private nextId = 1

  constructor(workspace: Workspace) {
    this.workspace = workspace
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  readonly read = (): readonly Transfer[] => this.list

  /** Resolves when the file is in place, or the transfer was given up; the value says whether it is there. */
  upload(path: string, file: Blob, replace = false): Promise<boolean> {
    let mayReplace = replace
    this.sources.set(this.nextId, file)
    return this.add({ direction: 'up', path, size: file.size }, async ({ signal, onProgress }) => {
      // Once the machine has accepted the upload, a file found there on retry is our own.
      const onReady = () => {
        mayReplace = true
      }
      if (isTooLong(nameOf(path))) throw new AppError('name_too_long', 'the name has more than 255 bytes; nothing was sent')
      await uploadFile(this.workspace, { path, file, replace: mayReplace }, { signal, onProgress, onReady })
      return {}
    })
  }

  /** Resends a file, replacing the one that was in its way. */
  replace(id: number): Promise<boolean> {
    const failed = this.list.find((one) => one.id === id)
    const file = this.sources.get(id)
    this.remove(id)
    return failed && file ? this.upload(failed.path, file, true) : Promise.resolve(false)
  }

  download(path: string, destination: DestinationMaker): Promise<boolean> {
    return this.add(
      { direction: 'down', path, size: undefined },
      async (control) => ({
        notIncluded: await downloadFile(this.workspace, path, await destination.begin(), control),
      }),
      destination.cancel,
    )
  }

  /** Stops it, and takes it off the list. */
  remove(id: number): void {
    this.jobs.get(id)?.leaving.abort()
    this.sources.delete(id)
    this.publish(this.list.filter((one) => one.id !== id))
  }

  removeDone(): void {
    this.publish(this.list.filter(({ state }) => state !== 'done'))
  }

  private add(
    what: Pick<Transfer, 'direction' | 'path' | 'size'>,
    run: Job['run'],
    cleanUp: Job['cleanUp'] = async () => undefined,
  ): Promise<boolean> {
    const id = this.nextId++
    const leaving = new AbortController()
    this.jobs.set(id, { run, cleanUp, leaving })
    this.publish([...this.list, { id, ...what, bytes: 0, state: 'queued' }])
    const ended = Promise.withResolvers<boolean>()
    const look = () => {
      const one = this.list.find((transfer) => transfer.id === id)
      if (one && one.state !== 'done' && one.state !== 'failed') return
      this.listeners.delete(look)
      ended.resolve(one?.state === 'done')
    }
    this.listeners.add(look)
    this.startNext()
    return ended.promise
  }

  private startNext(): void {
    const running = this.list.filter(({ state }) => state === 'running' || state === 'lost').length
    const next = this.list.find(({ state }) => state === 'queued')
    const job = next && this.jobs.get(next.id)
    if (running >= MAX_RUNNING || !job) return
    this.change(next.id, { state: 'running' })
    void this.runJob(next.id, job).finally(() => {
      this.jobs.delete(next.id)
      this.startNext()
    })
    this.startNext()
  }

  private async runJob(id: number, { run, cleanUp, leaving: { signal } }: Job): Promise<void> {
    let retryMs = FIRST_RETRY_MS
    let wasLost = false
    let busyTries = 0
    let furthest = -1
    let stuckTries = 0
    while (!signal.aborted) {
      let reached = -1
      const progress = inIntervals(PROGRESS_MS, (to: Pick<Transfer, 'bytes' | 'size'>) =>
        this.change(id, { state: 'running', ...to }),
      )
      try {
        const result = await run({
          signal,
          onProgress: (bytes, size) => {
            reached = bytes
            if (bytes > furthest) retryMs = FIRST_RETRY_MS
            progress.tell({ bytes, size })
          },
        })
        progress.end()
        this.change(id, { state: 'done', ...result })
        return
      } catch (cause) {
        progress.end()
        const error = toWorkspaceError(cause)
        // One that did not begin waits for its connection.
        if (reached >= 0) stuckTries = reached > furthest ? 0 : stuckTries + 1
        furthest = Math.max(furthest, reached)
        const isRetried = BUSY.has(error.code)
          ? wasLost && ++busyTries <= MAX_BUSY_TRIES
          : error.retryable && stuckTries < MAX_STUCK_TRIES
        if (signal.aborted || !isRetried) {
          await cleanUp()
          this.change(id, { state: 'failed', error })
          return
        }
        wasLost = true
        this.change(id, { state: 'lost', bytes: 0 })
        await new Promise((resolve) => setTimeout(resolve, retryMs))
        retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)
      }
    }
    await cleanUp()
  }

  private change(id: number, to: Partial<Transfer>): void {
    this.publish(this.list.map((one) => (one.id === id ? { ...one, ...to } : one)))
  }

  private publish(list: readonly Transfer[]): void {
    this.list = list
    const isBusy = list.some(({ state }) => state !== 'done' && state !== 'failed')
    if (isBusy) window.addEventListener('beforeunload', askToStay)
    else window.removeEventListener('beforeunload', askToStay)
    for (const listener of [...this.listeners]) listener()
  }
}

/** Passes values on at most once per interval: the first at once, and the latest of the others after it, even if none follows. */
function inIntervals<Value>(ms: number, pass: (value: Value) => void): { tell: (value: Value) => void; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: { value: Value } | undefined
  const passOn = () => {
    const next = waiting
    waiting = undefined
    timer = next && setTimeout(passOn, ms)
    if (next) pass(next.value)
  }
  return {
    tell(value) {
      waiting = { value }
      if (timer === undefined) passOn()
    },
    end() {
      clearTimeout(timer)
      if (waiting) pass(waiting.value)
    },
  }
}

/** Leaving the page aborts its transfers. */
const askToStay = (event: Event) => event.preventDefault()

const all = new WeakMap<Workspace, Transfers>()

/** The transfers of a workspace, shared by all callers. */
export function transfersOf(workspace: Workspace): Transfers {
  const known = all.get(workspace) ?? new Transfers(workspace)
  all.set(workspace, known)
  return known
}
