import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { addNodeCall } from '@rackfair/sdk'
import type { TestMarket } from './setupAgent.ts'

const NGINX = 2
/** The two nodes that `init` offers. */
const NODES_OF_INIT = 2

/**
 * Lists small nodes besides those of `init` and the `before` of an earlier call, sells them all, and deploys nginx on each. Returns the
 * orders once all of them run.
 */
export async function deployMany(market: TestMarket, count: number, before = 0): Promise<bigint[]> {
  const { buyer, chain, provider, peer } = market
  const node = {
    ...{ cpuModel: 'test', gpuModel: '', nCPU: 1, core: 1, nGPU: 0, nMEM: 1, nDISK: 1 },
    ...{ pCPU: ONE_CREDIT_WEI, pGPU: 0n, pMEM: 0n, pDISK: 0n },
  }
  const orders: bigint[] = []
  for (let index = 0; index < count; index += 1) {
    await buyer.send(chain.accounts.provider, addNodeCall(buyer.addresses, node))
    orders.push(await buyer.buy(provider, BigInt(NODES_OF_INIT + 1 + before + index)))
  }
  const deployments: string[] = []
  for (const orderId of orders) {
    const answer = await peer.deploy(
      await buyer.sign({ orderId, deployId: NGINX, provider, time: Math.floor(Date.now() / 1000) }),
    )
    if (!answer.deployment) throw new Error(`order ${orderId} was refused: ${answer.code} ${answer.message}`)
    deployments.push(answer.deployment.id)
  }
  for (const id of deployments) await peer.phase(id, 'Running', 600_000)
  return orders
}
