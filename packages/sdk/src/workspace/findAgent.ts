import { type AnnouncedKeys, AppError, parseAnnouncedKeys } from '@rackfair/core'
import type { WorkspacePlace } from '@rackfair/core/wire'
import type { PublicKeys } from '@rackfair/sealed'
import { type Address, type Hex, recoverMessageAddress } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import type { MarketAddresses } from '../chain/readAddresses.ts'
import { getProvider } from '../chain/views.ts'
import type { Api } from '../http/createApi.ts'

/** What the search for an agent stands on. A whole `Market` is one. */
export interface AgentFinder {
  api: Pick<Api, 'workspacePlace'>
  /** Origin of the platform, for example `https://market.example`. */
  platform: string
  client: ChainReader
  addresses: MarketAddresses
  chainId: number
}

export interface FoundAgent {
  /** Of its WebSocket for workspaces. */
  url: string
  keys: PublicKeys
}

/**
 * Where a provider's agent is reached, and its keys, which its operator on the chain has signed: the platform cannot put others in their place.
 * @throws AppError `provider_offline` (retryable) where it is not connected, `wrong_provider` or `wrong_signer` where the keys are not its own.
 * @example const { url, keys } = await findAgent(market, order.provider)
 */
export async function findAgent(market: AgentFinder, provider: Address): Promise<FoundAgent> {
  const place = await market.api.workspacePlace(provider)
  const keys = await checkAnnouncedKeys(market, provider, place)
  if (place.url === null)
    throw new AppError('provider_offline', 'the agent of the provider is not connected', { retryable: true })
  return { url: socketUrl(place.url, market.platform), keys }
}

/** The keys of a provider's agent. @throws AppError `provider_offline` where none were announced, `wrong_signer` where they are not its own. */
export async function checkAnnouncedKeys(
  market: Pick<AgentFinder, 'client' | 'addresses' | 'chainId'>,
  provider: Address,
  place: WorkspacePlace,
): Promise<PublicKeys> {
  const keys = place.keys && parseAnnouncedKeys(place.keys.text)
  if (!place.keys || !keys) throw new AppError('provider_offline', 'the agent has announced no keys', { retryable: true })
  const signer = await recoverMessageAddress({ message: place.keys.text, signature: place.keys.signature as Hex }).catch(
    () => undefined,
  )
  if (!isFor(keys, market.chainId, provider))
    throw new AppError('wrong_provider', 'the keys are for another agent, or have ended')
  const { operator } = await getProvider(market.client, market.addresses, provider)
  const owners = [operator, provider].map((address) => address.toLowerCase())
  if (!signer || !owners.includes(signer.toLowerCase()))
    throw new AppError('wrong_signer', 'the keys of the agent are not signed by the provider’s operator')
  return keys
}

const isFor = (keys: AnnouncedKeys, chainId: number, provider: string): boolean =>
  keys.chainId === chainId && keys.provider === provider.toLowerCase() && keys.expiresAt > Date.now() / 1000

const socketUrl = (url: string, platform: string): string =>
  url.startsWith('/') ? `${platform.replace(/^http/, 'ws')}${url}` : url
