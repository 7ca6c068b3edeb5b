import type { AppError } from '@rackfair/rules/errors/AppError'
import type { ErrorCode } from '@rackfair/sdk'
import type { Hex } from 'viem'
import type { DecodedEvent, Simulation } from './runCall.ts'

/** What the last run of a call came to. */
export type Outcome =
  | { phase: 'empty' }
  | { phase: 'running' }
  | { phase: 'result'; json: string }
  | { phase: 'simulated'; json: string; simulation: Simulation; argsText: string }
  | { phase: 'sending'; hash: Hex | undefined }
  | { phase: 'sent'; hash: Hex; block: bigint; gasUsed: bigint; feeWei: bigint; events: readonly DecodedEvent[] }
  | { phase: 'failed'; error: AppError<ErrorCode>; hash?: Hex | undefined }
