import { encodeFrame, FRAME } from '@rackfair/protocol/frames'
import { encodeLogBatch, type LogLine } from '@rackfair/protocol/logLines'
import { logsRequest } from '@rackfair/protocol/workspaceRequests'
import type { LogPosition, LogReader, LogSource, PlacedLine } from '../../../runtime/output/LogSource.ts'
import { parseRequest } from '../parseRequest.ts'
import { type WorkspaceChannel, WorkspaceError, type WorkspaceHandler } from '../WorkspaceChannel.ts'

/** Interval between polls for new lines while somebody follows the log. */
const FOLLOW_MS = 100
const MAX_NOTES_IN_BATCH = 10

const START: LogPosition = { segment: 0, offset: 0 }
const NOTHING: LogSource = {
  before: async () => START,
  end: () => START,
  open: () => ({ read: async () => [], position: START, atEnd: true, close: async () => {} }),
}

export interface LogsOptions {
  /** What the order's application wrote. */
  output: (orderId: bigint, service?: string) => LogSource | undefined
  /** What the agent wrote about it. */
  notes: (orderId: bigint) => LogSource
}

/**
 * The log of an order: what the agent did for it and what its application wrote, merged by time into one stream. Nothing is read ahead of
 * the reader, so a long log costs no memory, and nothing at all while nobody reads.
 */
export function createLogsHandler({ output, notes }: LogsOptions): WorkspaceHandler {
  return async (orderId, request, channel) => {
    const { cursor, tail, follow, service } = parseRequest(logsRequest, request)
    const written = output(orderId, service)
    if (!written) throw new WorkspaceError('workspace_unsupported', 'this agent keeps no output of its containers')
    const sources = [written, service === undefined ? notes(orderId) : NOTHING] as const
    const [begin, beginNotes] = cursor
      ? parseCursor(cursor)
      : await Promise.all(sources.map((source) => source.before(tail)) as [Promise<LogPosition>, Promise<LogPosition>])
    // Who does not follow is told what there is now: an application may write faster than anybody reads.
    const end = follow === true ? undefined : written.end()
    const application = sources[0].open(begin)
    const agent = sources[1].open(beginNotes)
    try {
      await send(application, agent, beginNotes, end, channel)
    } finally {
      await Promise.all([application.close(), agent.close()])
    }
  }
}

async function send(
  application: LogReader,
  agent: LogReader,
  beginNotes: LogPosition,
  end: LogPosition | undefined,
  channel: WorkspaceChannel,
): Promise<void> {
  let notes: PlacedLine[] = []
  let sentNotes = beginNotes
  let hasRead = false
  while (!channel.signal.aborted) {
    const before = { ...application.position }
    if (notes.length === 0) notes = await agent.read()
    // A place that was given may lie anywhere: the first read puts it right.
    const isPast = hasRead && end !== undefined && isAfter(application.position, end)
    const lines: LogLine[] = isPast ? [] : await application.read()
    hasRead = true
    const atEnd = isPast || application.atEnd
    // What the agent says later than these lines waits for more of them, as long as there are more.
    const until = atEnd ? Number.POSITIVE_INFINITY : (lines.at(-1)?.time ?? 0)
    const due = notes.slice(0, MAX_NOTES_IN_BATCH).filter((one) => one.time <= until)
    notes = notes.slice(due.length)
    sentNotes = due.at(-1)?.end ?? sentNotes
    const hasMoved = before.segment !== application.position.segment || before.offset !== application.position.offset
    if (hasMoved || due.length > 0) {
      const batch = { cursor: formatCursor(application.position, sentNotes), lines: merge(lines, due) }
      await channel.write(encodeFrame(FRAME.logBatch, encodeLogBatch(batch)))
    } else if (notes.length === 0 && atEnd) {
      if (end) return
      await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS))
    }
  }
}

const isAfter = (position: LogPosition, end: LogPosition): boolean =>
  position.segment > end.segment || (position.segment === end.segment && position.offset >= end.offset)

/** Both by time; each of them stays in its own order. */
function merge(lines: readonly LogLine[], notes: readonly LogLine[]): LogLine[] {
  const merged: LogLine[] = []
  let next = 0
  for (const line of lines) {
    while (next < notes.length && (notes[next] as LogLine).time <= line.time) merged.push(notes[next++] as LogLine)
    merged.push(line)
  }
  return [...merged, ...notes.slice(next)]
}

const formatCursor = (application: LogPosition, agent: LogPosition): string =>
  [application.segment, application.offset, agent.segment, agent.offset].join('.')

function parseCursor(cursor: string): [LogPosition, LogPosition] {
  const [segment = 0, offset = 0, agentSegment = 0, agentOffset = 0] = cursor.split('.').map(Number)
  return [
    { segment, offset },
    { segment: agentSegment, offset: agentOffset },
  ]
}
