import { decodeJson, FRAME } from '@rackfair/protocol/frames'
import type { AppError } from '@rackfair/rules/errors/AppError'
import type { UsageLimits, UsagePoint, Workspace } from '@rackfair/sdk/workspace'
import { toWorkspaceError, usageMessage } from '@rackfair/sdk/workspace'
import { useEffect, useMemo, useReducer, useState } from 'react'
import { FrameBuffer } from '../../../entities/workspace/FrameBuffer.ts'
import { addLive, joinPoints, MAX_LIVE_POINTS, RANGES, type UsageRange } from './usageRange.ts'

interface Read {
  limits: UsageLimits
  history: readonly UsagePoint[]
  live: readonly UsagePoint[]
}

/** What an order's application uses: of a stretch of time up to now, and every two seconds from now on. */
export function useUsage(workspace: Workspace, range: UsageRange) {
  const [read, setRead] = useState<Read & { range: UsageRange }>()
  const [lostSince, setLostSince] = useState<number>()
  const [error, setError] = useState<AppError>()
  const [turn, again] = useReducer((count: number) => count + 1, 0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` begins anew after an error, and after an hour
  useEffect(() => {
    const leaving = new AbortController()
    const frames = new FrameBuffer()
    const { seconds, step } = RANGES[range]
    const take = (message: ReturnType<typeof usageMessage>) => {
      if (!message) return
      if (message.type === 'now') {
        setRead((before) => before && { ...before, live: addLive(before.live, message.point) })
        return
      }
      const next = message.type === 'limits' ? { limits: message } : { history: message.points, live: [] }
      setRead((before) => ({
        ...(before?.range === range ? before : { limits: { type: 'limits', gpus: [] }, history: [], live: [] }),
        ...next,
        range,
      }))
    }
    setError(undefined)
    workspace
      .follow({
        kind: 'usage',
        request: () => {
          const to = Math.ceil(Date.now() / 1000)
          return { history: { from: to - seconds, to, points: Math.min(1000, Math.ceil(seconds / step)) }, live: true }
        },
        onState: (state) => {
          frames.clear()
          setLostSince((since) => (state === 'open' ? undefined : (since ?? Date.now())))
        },
        onBytes: (bytes) => {
          for (const { type, payload } of frames.push(bytes))
            if (type === FRAME.json) take(usageMessage(decodeJson(payload), 'usage'))
        },
        signal: leaving.signal,
      })
      .catch((cause: unknown) => leaving.signal.aborted || setError(toWorkspaceError(cause)))
    return () => leaving.abort()
  }, [workspace, range, turn])

  const isLong = (read?.live.length ?? 0) >= MAX_LIVE_POINTS
  useEffect(() => {
    if (isLong) again()
  }, [isLong])
  const current = read?.range === range ? read : undefined
  const points = useMemo(() => current && joinPoints(current.history, current.live, RANGES[range].step), [current, range])
  return { limits: current?.limits, points, lostSince, error, again }
}
