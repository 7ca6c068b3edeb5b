import { readFileSync } from 'node:fs'
import { deployMarket } from '@rackfair/contracts/deploy'
import { parseDeployConfig } from '@rackfair/contracts/deployConfig'
import type { Deployment } from '@rackfair/contracts/deployments'
import type { Pace } from '@rackfair/rules/uptime/epoch'
import { createPublicClient, createWalletClient, http } from 'viem'
import { type DevelopmentAccounts, developmentAccounts } from './accounts.ts'
import { type Anvil, startAnvil } from './startAnvil.ts'

export interface Chain extends Anvil {
  deployment: Deployment
  accounts: DevelopmentAccounts
}

/**
 * A real development chain with the market deployed as in the local market; `pace` is that of its monitors, by default that of production.
 */
export async function startChain({ pace, ...options }: Parameters<typeof startAnvil>[0] & { pace?: Pace } = {}): Promise<Chain> {
  const anvil = await startAnvil(options)
  try {
    const accounts = developmentAccounts()
    // A busy machine may leave the chain without a processor for many seconds.
    const transport = http(anvil.rpcUrl, { timeout: 120_000 })
    const file = new URL(import.meta.resolve('@rackfair/contracts/foundry')).href
    const config = parseDeployConfig(JSON.parse(readFileSync(new URL('config/2985.json', file), 'utf8')))
    const deployment = await deployMarket({
      publicClient: createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 }),
      walletClient: createWalletClient({ account: accounts.owner, transport }),
      config: { ...config, ...pace },
    })
    return { ...anvil, deployment, accounts }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}
