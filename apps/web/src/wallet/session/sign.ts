import { AppError } from '@rackfair/rules/errors/AppError'
import { type ErrorCode, toAppError } from '@rackfair/sdk'
import type { Hex, TypedDataDefinition } from 'viem'
import { signMessage, signTypedData } from 'viem/actions'
import { getConnection, getConnectorClient } from 'wagmi/actions'
import { isUnable, noteUnable } from './connection/abilities.ts'
import { getRuntime } from './connection/getRuntime.ts'

/** After these the same wallet may sign the next time. */
const NOT_NOW: readonly string[] = ['not_connected', 'wallet_locked', 'wrong_network', 'account_changed']

export function signText(text: string): Promise<Hex | undefined> {
  return signed(async () => {
    const writer = await getConnectorClient((await getRuntime()).wagmi)
    return signMessage(writer, { account: writer.account, message: text })
  })
}

/** A permit. An account that was unable to sign one is not asked again. */
export async function signTyped(data: TypedDataDefinition): Promise<Hex | undefined> {
  const { wagmi } = await getRuntime()
  const { connector, address } = getConnection(wagmi)
  if (isUnable(connector?.id ?? '', address ?? '', 'permit'))
    throw new AppError<ErrorCode>('wallet_unable', 'This account was unable to sign a permit before')
  try {
    return await signed(async () => {
      const writer = await getConnectorClient(wagmi)
      return signTypedData(writer, { ...data, account: writer.account } as never)
    })
  } catch (error) {
    if (!NOT_NOW.includes(toAppError(error).code)) await noteNoPermit()
    throw error
  }
}

export async function noteNoPermit(): Promise<void> {
  const { connector, address } = getConnection((await getRuntime()).wagmi)
  if (connector && address) noteUnable(connector.id, address, 'permit')
}

/** A user's rejection is an answer, not an error. */
async function signed(sign: () => Promise<Hex>): Promise<Hex | undefined> {
  try {
    return await sign()
  } catch (error) {
    const known = toAppError(error)
    if (known.code === 'user_rejected') return undefined
    throw known
  }
}
