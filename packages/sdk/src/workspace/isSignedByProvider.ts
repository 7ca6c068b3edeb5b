import { type Address, type Hex, isAddressEqual, recoverMessageAddress } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import type { MarketAddresses } from '../chain/readAddresses.ts'
import { getProvider } from '../chain/views.ts'

/** Whether a provider, or its operator on the chain, signed a text. */
export async function isSignedByProvider(
  { client, addresses }: { client: ChainReader; addresses: MarketAddresses },
  provider: Address,
  { text, signature }: { text: string; signature: string },
): Promise<boolean> {
  const signer = await recoverMessageAddress({ message: text, signature: signature as Hex }).catch(() => undefined)
  const { operator } = await getProvider(client, addresses, provider)
  return signer !== undefined && [operator, provider].some((one) => isAddressEqual(one, signer))
}
