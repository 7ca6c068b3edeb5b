import { type AnnouncedKeys, parseAnnouncedKeys } from '@rackfair/protocol/agentTexts'
import type { WorkspacePlace } from '@rackfair/protocol/workspace'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { PublicKeys } from '@rackfair/sealed'
import type { Address } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import type { MarketAddresses } from '../chain/readAddresses.ts'
import type { Api } from '../http/createApi.ts'
import { serverSeconds } from '../serverClock.ts'
import { isSignedByProvider } from './isSignedByProvider.ts'

/** What finding an agent needs. A whole `Market` fits. */
export interface AgentFinder {
  api: Pick<Api, 'workspacePlace'>
  /** Origin of the platform, for example `https://market.example`. */
  platform: string
  client: ChainReader
  addresses: MarketAddresses
  chainId: number
}

export interface FoundAgent {
  /** The platform's WebSocket URL for workspaces. */
  url: string
  keys: PublicKeys
}

/**
 * How to reach a provider's agent, and its keys, signed by its operator on the chain: the platform cannot substitute others.
 * @throws AppError `provider_offline` (retryable) if it is not connected, `wrong_provider` or `wrong_signer` if the keys are not its own.
 * @example const { url, keys } = await findAgent(market, order.provider)
 */
export async function findAgent(market: AgentFinder, provider: Address): Promise<FoundAgent> {
  const place = await market.api.workspacePlace(provider)
  const keys = await checkAnnouncedKeys(market, provider, place)
  if (place.url === null)
    throw new AppError('provider_offline', 'the agent of the provider is not connected', { retryable: true })
  return { url: socketUrl(place.url, market.platform), keys }
}

/** The keys of a provider's agent. @throws AppError `provider_offline` if none were announced, `wrong_signer` if they are not its own. */
export async function checkAnnouncedKeys(
  market: Pick<AgentFinder, 'client' | 'addresses' | 'chainId'>,
  provider: Address,
  place: WorkspacePlace,
): Promise<PublicKeys> {
  const keys = place.keys && parseAnnouncedKeys(place.keys.text)
  if (!place.keys || !keys) throw new AppError('provider_offline', 'the agent has announced no keys', { retryable: true })
  if (!isFor(keys, market.chainId, lowerCaseAddress(provider)))
    throw new AppError('wrong_provider', 'the keys are for another agent, or have ended')
  if (!(await isSignedByProvider(market, provider, place.keys)))
    throw new AppError('wrong_signer', 'the keys of the agent are not signed by the provider’s operator')
  return keys
}

const isFor = (keys: AnnouncedKeys, chainId: number, provider: LowerCaseAddress): boolean =>
  keys.chainId === chainId && keys.provider === provider && keys.expiresAt > serverSeconds()

const socketUrl = (url: string, platform: string): string =>
  url.startsWith('/') ? `${platform.replace(/^http/, 'ws')}${url}` : url
