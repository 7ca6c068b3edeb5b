import { AppError } from '@rackfair/core'
import type { ErrorCode } from '@rackfair/sdk'
import type { Hex, TypedDataDefinition } from 'viem'

export async function signText(_text: string): Promise<Hex | undefined> {
  throw new AppError<ErrorCode>('not_connected', 'No wallet is connected')
}

export async function signTyped(_data: TypedDataDefinition): Promise<Hex | undefined> {
  throw new AppError<ErrorCode>('not_connected', 'No wallet is connected')
}
