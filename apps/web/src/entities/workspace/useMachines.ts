import { decodeJson, FRAME } from '@rackfair/protocol/frames'
import type { AppError } from '@rackfair/rules/errors/AppError'
import type { MachinesNow, NodeUses, Workspace } from '@rackfair/sdk/workspace'
import { machinesMessage, toWorkspaceError } from '@rackfair/sdk/workspace'
import { useEffect, useReducer, useState } from 'react'
import { FrameBuffer } from './FrameBuffer.ts'

const DAY = 86_400
/** One for every quarter of an hour. */
const POINTS = 96

export interface Machines {
  now: MachinesNow
  /** The last 24 hours, by node. */
  history: ReadonlyMap<number, NodeUses['points']>
}

export type MachinesRead = ReturnType<typeof useMachines>

/** What the agent says of its machines: of the last 24 hours, and every five seconds from now on. */
export function useMachines(workspace: Workspace | undefined) {
  const [now, setNow] = useState<MachinesNow>()
  const [history, setHistory] = useState<Machines['history']>(new Map())
  const [isWaiting, setIsWaiting] = useState(false)
  const [error, setError] = useState<AppError>()
  const [turn, again] = useReducer((count: number) => count + 1, 0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` begins anew after an error
  useEffect(() => {
    if (!workspace) return
    const leaving = new AbortController()
    const frames = new FrameBuffer()
    const take = (message: ReturnType<typeof machinesMessage>) => {
      if (message?.type === 'now') setNow(message)
      if (message?.type === 'history') setHistory(new Map(message.nodes.map(({ nodeId, points }) => [nodeId, points])))
    }
    setError(undefined)
    workspace
      .follow({
        kind: 'machines',
        request: () => {
          const to = Math.ceil(Date.now() / 1000)
          return { history: { from: to - DAY, to, points: POINTS }, live: true }
        },
        onState: (state) => {
          frames.clear()
          setIsWaiting(state === 'waiting')
        },
        onBytes: (bytes) => {
          for (const { type, payload } of frames.push(bytes))
            if (type === FRAME.json) take(machinesMessage(decodeJson(payload), 'machines'))
        },
        signal: leaving.signal,
      })
      .catch((cause: unknown) => leaving.signal.aborted || setError(toWorkspaceError(cause)))
    return () => leaving.abort()
  }, [workspace, turn])

  const machines: Machines | undefined = now && { now, history }
  return { machines: isWaiting || error ? undefined : machines, isWaiting, error, again }
}
