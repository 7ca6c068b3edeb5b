import type { ChainEvent, EventName } from '../decodeLog.ts'
import type { Fold } from '../Fold.ts'

/** Maps events to rows: pure over the batch, no requests, no clock. */
export type Handlers = { [Name in EventName]?: (fold: Fold, event: ChainEvent<Name>) => void }
