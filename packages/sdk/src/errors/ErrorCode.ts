import type { ContractErrorName } from '@rackfair/contracts'
import type { CoreErrorCode } from '@rackfair/rules/errors/errorCodes'

/** Every code that an AppError of the product can carry: custom errors by their Solidity name, the others in snake case. */
export type ErrorCode = ContractErrorName | CoreErrorCode
