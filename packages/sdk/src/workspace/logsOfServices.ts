import { type FollowedLine, type LogsOptions, logs } from './logs.ts'
import { ofService } from './ofService.ts'
import type { Workspace } from './Workspace.ts'

/** A line of one of several services; of the machine's own lines none. */
export type ServiceLine = FollowedLine & { service: string | undefined }

/** Lines of one service that are read ahead while those of others are awaited. */
const AHEAD = 1000
/** How long a service that has written nothing keeps others waiting: lines of one moment may come in any order. */
const QUIET_MS = 300

interface Part {
  service: string
  lines: FollowedLine[]
  /** Until when its next line is awaited before later lines of others. */
  quietFrom: number
  hasEnded: boolean
  /** Its own cursor behind what was yielded, and whether anything was yielded behind that. */
  cursor: string | undefined
  isWithin: boolean
}

/**
 * The logs of several services of an order as one, by time. `services` are named as `details.services` of a deployment has them, the main one
 * first; its log has the machine's own lines. A line's cursor continues behind all that was yielded before it.
 *
 * @throws AppError as `logs`
 * @example for await (const { service, bytes } of logsOfServices(workspace, ['web', 'db'])) console.log(service, new TextDecoder().decode(bytes))
 */
export async function* logsOfServices(
  workspace: Workspace,
  services: readonly string[],
  { tail, cursor, signal, onState, follow }: LogsOptions = {},
): AsyncGenerator<ServiceLine> {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  signal?.addEventListener('abort', leave, { once: true })
  if (signal?.aborted) leave()
  const cursors = parseCursors(cursor)
  const parts = services.map((service): Part => {
    return {
      service,
      lines: [],
      quietFrom: Number.POSITIVE_INFINITY,
      hasEnded: false,
      cursor: cursors.get(service),
      isWithin: false,
    }
  })
  const bell = createBell()
  // What is cut to its last lines is read whole before.
  let isWhole = tail === undefined || cursor !== undefined
  let failure: unknown
  const waiting = new Set<string>()
  const pump = async (part: Part, index: number): Promise<void> => {
    const options: LogsOptions = {
      ...{ follow, signal: leaving.signal, cursor: part.cursor },
      ...(part.cursor === undefined ? { tail } : {}),
      onState: (state) => {
        if (state === 'open') waiting.delete(part.service)
        else waiting.add(part.service)
        onState?.(waiting.size > 0 ? 'waiting' : 'open')
        part.quietFrom = performance.now() + (state === 'open' ? QUIET_MS : 0)
        bell.ring()
      },
    }
    for await (const line of logs(index === 0 ? workspace : ofService(workspace, part.service), options)) {
      part.lines.push(line)
      part.quietFrom = performance.now() + QUIET_MS
      bell.ring()
      while (isWhole && part.lines.length >= AHEAD && !leaving.signal.aborted) await bell.next()
    }
  }
  for (const [index, part] of parts.entries())
    pump(part, index)
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => {
        part.hasEnded = true
        bell.ring()
      })
  try {
    while (!leaving.signal.aborted) {
      if (failure !== undefined) throw failure
      const now = performance.now()
      const awaited = parts.filter((one) => !one.hasEnded && one.quietFrom > now && (!isWhole || one.lines.length === 0))
      if (awaited.length > 0) {
        await bell.next(Math.min(...awaited.map(({ quietFrom }) => quietFrom)) - now)
        continue
      }
      if (!isWhole) {
        for (let left = parts.reduce((sum, { lines }) => sum + lines.length, 0); left > (tail ?? 0); left -= 1) take(parts)
        isWhole = true
      }
      const line = take(parts)
      if (line) yield line
      else if (parts.every(({ hasEnded }) => hasEnded)) return
      else await bell.next()
      bell.ring()
    }
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
    bell.ring()
  }
}

/** The earliest line that is there. */
function take(parts: readonly Part[]): ServiceLine | undefined {
  const [first] = parts.filter(({ lines }) => lines.length > 0).sort((a, b) => (a.lines[0]?.time ?? 0) - (b.lines[0]?.time ?? 0))
  const line = first?.lines.shift()
  if (!first || !line) return undefined
  const { cursor, ...rest } = line
  first.cursor = cursor ?? first.cursor
  first.isWithin = cursor === undefined
  const isBetween = parts.every(({ isWithin }) => !isWithin)
  return {
    ...rest,
    service: line.source === 'agent' ? undefined : first.service,
    ...(isBetween ? { cursor: formatCursors(parts) } : {}),
  }
}

const formatCursors = (parts: readonly Part[]): string =>
  parts.flatMap(({ service, cursor }) => (cursor === undefined ? [] : [`${service}:${cursor}`])).join(',')

const parseCursors = (text = ''): Map<string, string> =>
  new Map(
    text.split(',').flatMap((one): [string, string][] => {
      const [service = '', cursor] = one.split(':')
      return cursor === undefined ? [] : [[service, cursor]]
    }),
  )

/** Wakes all who wait for it, once something has come or some time has passed. */
function createBell() {
  let wake = () => {}
  let rung = new Promise<void>((resolve) => {
    wake = resolve
  })
  return {
    ring(): void {
      const before = wake
      rung = new Promise((resolve) => {
        wake = resolve
      })
      before()
    },
    async next(ms = Number.POSITIVE_INFINITY): Promise<void> {
      if (!Number.isFinite(ms)) return rung
      let timer: ReturnType<typeof setTimeout> | undefined
      const passed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      })
      await Promise.race([rung, passed])
      clearTimeout(timer)
    },
  }
}
