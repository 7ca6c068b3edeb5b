import type { DeployText } from '@rackfair/protocol/deployText'
import { sealDeployText } from '@rackfair/sdk/deploy'
import { checkAnnouncedKeys } from '@rackfair/sdk/workspace'
import type { Address } from 'viem'
import { api } from '../../platform/api/api.ts'
import type { Market } from '../../wallet/index.ts'

/** The text to sign with values that only the provider’s agent opens, whose keys its operator on the chain has signed. */
export async function sealValues(
  market: Market,
  facts: Omit<DeployText, 'envHash'>,
  env: Readonly<Record<string, string>>,
): Promise<{ text: string; sealed: string }> {
  const provider = facts.provider as Address
  const keys = await checkAnnouncedKeys(market, provider, await api.workspacePlace(provider))
  return sealDeployText(facts, env, keys)
}
