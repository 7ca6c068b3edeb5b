import type { Chain } from '@rackfair/testkit'
import type { IndexerSettings } from '../src/indexer/Indexer.ts'
import { deploymentOf } from './startMarket.ts'

export function indexerSettings(chain: Chain, rpcUrl = chain.rpcUrl): IndexerSettings {
  const { chainId, access, fromBlock, registry, pledge, market, monitors } = deploymentOf(chain)
  return {
    rpcUrl,
    chainId,
    access,
    fromBlock,
    contracts: new Map([
      [registry, 'registry'],
      [pledge, 'pledge'],
      [market, 'market'],
      [monitors, 'monitors'],
    ]),
  }
}
