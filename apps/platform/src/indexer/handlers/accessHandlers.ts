import type { ChainEvent } from '../decodeLog.ts'
import type { Fold } from '../Fold.ts'
import { namedContracts } from '../namedContracts.ts'
import type { Handlers } from './Handlers.ts'

export const accessHandlers: Handlers = { VersionPublished: keepNamed, RoleSet: keepNamed }

function keepNamed(fold: Fold, event: ChainEvent): void {
  for (const contract of namedContracts(event)) fold.put('contract', contract)
}
