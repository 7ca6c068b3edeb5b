import type { ChainEvent } from '../decodeLog.ts'
import type { Fold } from '../Fold.ts'
import { accessHandlers } from './accessHandlers.ts'
import type { Handlers } from './Handlers.ts'
import { marketHandlers } from './marketHandlers.ts'
import { monitorHandlers } from './monitorHandlers.ts'
import { pledgeHandlers } from './pledgeHandlers.ts'
import { registryHandlers } from './registryHandlers.ts'

/** Increases with every change of a handler: a store with another version folds its raw logs again. */
export const FOLD_VERSION = 7

const handlers: Handlers = { ...accessHandlers, ...registryHandlers, ...pledgeHandlers, ...marketHandlers, ...monitorHandlers }

export function handleEvent(fold: Fold, event: ChainEvent): void {
  const handle = handlers[event.name] as ((fold: Fold, event: ChainEvent) => void) | undefined
  handle?.(fold, event)
}
