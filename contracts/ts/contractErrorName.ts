import type { contractErrorNames } from './generated.ts'

/** The name of a custom error that one of the contracts can revert with. */
export type ContractErrorName = (typeof contractErrorNames)[number]
