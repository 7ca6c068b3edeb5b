import { lowerCaseAddress } from '@rackfair/rules/address'
import { type readAddresses, readMarket } from '@rackfair/sdk'
import { type PublicClient, recoverMessageAddress } from 'viem'
import type { ControlOptions } from './createControls.ts'

/** Checks on the chain that a text is signed by the provider or its operator. Rejects where the chain does not answer. */
export function createSignerCheck(
  client: PublicClient,
  addresses: Awaited<ReturnType<typeof readAddresses>>,
): ControlOptions['isSigned'] {
  return async ({ provider, text, signature }) => {
    const signer = await recoverMessageAddress({ message: text, signature }).then(lowerCaseAddress, () => undefined)
    if (signer === undefined) return false
    // An unregistered account has no operator.
    const operator = lowerCaseAddress(await readMarket(client, addresses, 'registry', 'operatorOf', [provider]))
    return /^0x0+$/.test(operator) ? false : signer === operator || signer === provider
  }
}
