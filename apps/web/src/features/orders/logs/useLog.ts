import { FRAME } from '@rackfair/protocol/frames'
import { decodeLogBatch } from '@rackfair/protocol/logLines'
import type { AppError } from '@rackfair/rules/errors/AppError'
import type { Workspace } from '@rackfair/sdk/workspace'
import { toWorkspaceError } from '@rackfair/sdk/workspace'
import { useEffect, useReducer, useRef, useState } from 'react'
import { FrameBuffer } from '../../../entities/workspace/FrameBuffer.ts'
import { LogLines, MAX_LINES } from './LogLines.ts'
import type { LogState } from './LogView.tsx'

/** Minimum interval between renders of new lines. */
const DRAW_MS = 100

/** The growing log of an order. After a broken connection it resumes where it stopped: no line is missing or repeated. */
export function useLog(workspace: Workspace) {
  const log = useRef<LogLines>(undefined)
  log.current ??= new LogLines()
  const lines = log.current
  const [state, setState] = useState<LogState>({ is: 'opening' })
  const [error, setError] = useState<AppError>()
  const [turn, again] = useReducer((count: number) => count + 1, 0)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const cursor = useRef<string>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` begins anew after an error
  useEffect(() => {
    const leaving = new AbortController()
    const frames = new FrameBuffer()
    let timer: ReturnType<typeof setTimeout> | undefined
    const drawSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        draw()
      }, DRAW_MS)
    }
    setError(undefined)
    workspace
      .follow({
        kind: 'logs',
        request: () => ({ follow: true, ...(cursor.current === undefined ? { tail: MAX_LINES } : { cursor: cursor.current }) }),
        onState: (next) => {
          frames.clear()
          setState((now) => (next === 'open' ? { is: 'following' } : now.is === 'lost' ? now : { is: 'lost', since: Date.now() }))
        },
        onBytes: (bytes) => {
          for (const { type, payload } of frames.push(bytes)) {
            if (type !== FRAME.logBatch) continue
            const batch = decodeLogBatch(payload)
            lines.append(batch.lines)
            cursor.current = batch.cursor
          }
          drawSoon()
        },
        signal: leaving.signal,
      })
      .then(
        () => leaving.signal.aborted || setState({ is: 'ended' }),
        (cause: unknown) => leaving.signal.aborted || setError(toWorkspaceError(cause)),
      )
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [workspace, lines, turn])
  return { log: lines, state, error, again }
}
