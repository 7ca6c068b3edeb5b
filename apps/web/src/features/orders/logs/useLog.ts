import { FRAME } from '@rackfair/protocol/frames'
import { decodeLogBatch } from '@rackfair/protocol/logLines'
import type { AppError } from '@rackfair/rules/errors/AppError'
import type { Workspace } from '@rackfair/sdk/workspace'
import { logsOfServices, toWorkspaceError } from '@rackfair/sdk/workspace'
import { useEffect, useReducer, useRef, useState } from 'react'
import { FrameBuffer } from '../../../entities/workspace/FrameBuffer.ts'
import { LogLines, MAX_LINES, type ReadLine } from './LogLines.ts'
import type { LogState } from './LogView.tsx'

/** Minimum interval between renders of new lines. */
const DRAW_MS = 100

/**
 * The growing log of an order, or of several of its services as one. After a broken connection it resumes where it stopped: no line is
 * missing or repeated.
 */
export function useLog(workspace: Workspace, services?: readonly string[]) {
  const log = useRef<LogLines>(undefined)
  log.current ??= new LogLines()
  const lines = log.current
  const [state, setState] = useState<LogState>({ is: 'opening' })
  const [error, setError] = useState<AppError>()
  const [turn, again] = useReducer((count: number) => count + 1, 0)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const cursor = useRef<string>(undefined)
  const names = services?.join(' ')

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` begins anew after an error
  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const drawSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        draw()
      }, DRAW_MS)
    }
    setError(undefined)
    const onState = (next: 'open' | 'waiting') =>
      setState((now) => (next === 'open' ? { is: 'following' } : now.is === 'lost' ? now : { is: 'lost', since: Date.now() }))
    const onLines = (read: readonly ReadLine[], next: string | undefined) => {
      lines.append(read)
      cursor.current = next ?? cursor.current
      drawSoon()
    }
    const how = { cursor: cursor.current, onState, onLines, signal: leaving.signal }
    const following = names === undefined ? followOne(workspace, how) : followAll(workspace, names.split(' '), how)
    following.then(
      () => leaving.signal.aborted || setState({ is: 'ended' }),
      (cause: unknown) => leaving.signal.aborted || setError(toWorkspaceError(cause)),
    )
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [workspace, lines, turn, names])
  return { log: lines, state, error, again }
}

interface How {
  /** Where to begin, after an error. */
  cursor: string | undefined
  onState: (state: 'open' | 'waiting') => void
  onLines: (lines: readonly ReadLine[], cursor: string | undefined) => void
  signal: AbortSignal
}

function followOne(workspace: Workspace, { cursor, onState, onLines, signal }: How): Promise<void> {
  const frames = new FrameBuffer()
  let last = cursor
  return workspace.follow({
    kind: 'logs',
    request: () => ({ follow: true, ...(last === undefined ? { tail: MAX_LINES } : { cursor: last }) }),
    onState: (next) => {
      frames.clear()
      onState(next)
    },
    onBytes: (bytes) => {
      for (const { type, payload } of frames.push(bytes)) {
        if (type !== FRAME.logBatch) continue
        const batch = decodeLogBatch(payload)
        last = batch.cursor
        onLines(batch.lines, batch.cursor)
      }
    },
    signal,
  })
}

/** Lines of several services come one at a time, and are shown some at a time. */
async function followAll(
  workspace: Workspace,
  services: readonly string[],
  { cursor, onState, onLines, signal }: How,
): Promise<void> {
  let pending: ReadLine[] = []
  let last: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    onLines(pending, last)
    pending = []
  }
  const from = cursor === undefined ? { tail: MAX_LINES } : { cursor }
  try {
    for await (const line of logsOfServices(workspace, services, { follow: true, ...from, onState, signal })) {
      pending.push(line)
      last = line.cursor ?? last
      timer ??= setTimeout(flush, DRAW_MS)
    }
  } finally {
    if (signal.aborted) clearTimeout(timer)
    else flush()
  }
}
