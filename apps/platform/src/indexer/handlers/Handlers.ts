import type { ChainEvent, EventName } from '../decodeLog.ts'
import type { Fold } from '../Fold.ts'

/** Event to rows: pure over the batch, no request, no clock. */
export type Handlers = { [Name in EventName]?: (fold: Fold, event: ChainEvent<Name>) => void }
