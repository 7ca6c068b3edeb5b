import { createConfig } from 'ponder'
import market from './market.json'

/** The same chain and contracts as ours; `market.json` is written by the benchmark. */
export default createConfig({
  chains: { market: { id: 2985, rpc: market.rpcUrl, pollingInterval: 200 } },
  contracts: {
    Registry: { chain: 'market', abi: market.registryAbi, address: market.registry, startBlock: 0 },
    Market: { chain: 'market', abi: market.marketAbi, address: market.market, startBlock: 0 },
    Pledge: { chain: 'market', abi: market.pledgeAbi, address: market.pledge, startBlock: 0 },
  },
})
