import { toAppError } from '@rackfair/sdk'
import type { Hex, TypedDataDefinition } from 'viem'
import { signMessage, signTypedData } from 'viem/actions'
import { getConnectorClient } from 'wagmi/actions'
import { getRuntime } from './connection/getRuntime.ts'

export function signText(text: string): Promise<Hex | undefined> {
  return signed(async () => {
    const writer = await getConnectorClient((await getRuntime()).wagmi)
    return signMessage(writer, { account: writer.account, message: text })
  })
}

export function signTyped(data: TypedDataDefinition): Promise<Hex | undefined> {
  return signed(async () => {
    const writer = await getConnectorClient((await getRuntime()).wagmi)
    return signTypedData(writer, { ...data, account: writer.account } as never)
  })
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
