import { setTimeout as sleep } from 'node:timers/promises'
import type { DeploymentReport } from '@rackfair/protocol/deployments'
import { parseDeployText } from '@rackfair/protocol/deployText'
import type { AnnouncedMachine } from '@rackfair/protocol/relay'
import { AppError } from '@rackfair/rules/errors/AppError'
import { CLEAN_DEPLOY_ID } from '@rackfair/rules/presets'
import { contractCall, createApi, readMarket, signVoucher } from '@rackfair/sdk'
import { developmentAccounts, type RunningMarket } from '@rackfair/testkit'
import { type Address, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type MarketActor, marketActor } from './marketActor.ts'
import { type DeployMessage, openAgentLine } from './openAgentLine.ts'

/**
 * A provider for purchase tests, on the chain and the relay but without containers: registered, pledged, with nodes, Online, and starting
 * orders when the test says so. `machine` is its hardware.
 */
export async function startTestProvider(market: RunningMarket, name: string, nodes = 3, machine?: AnnouncedMachine) {
  const account = privateKeyToAccount(generatePrivateKey())
  const actor = await marketActor(market, account)
  const { addresses, client, send } = actor
  // A sale locks a day of the node's price; the pledge covers all nodes.
  const pledge = String(Math.max(100, nodes * 10))
  const minBlock = await actor.becomeProvider(name, { pledge, nodes, node: NODE, ip: '127.0.0.1' })
  await indexed(market, account.address, { minBlock, nodes })
  let accepts = false
  let taken: DeploymentReport | undefined
  const take = ({ requestId, text }: DeployMessage) => {
    const asked = accepts ? parseDeployText(text) : undefined
    if (!asked) return undefined
    const at = Date.now()
    const phase = asked.deployId === CLEAN_DEPLOY_ID ? 'Cleaning' : 'Accepted'
    taken = {
      ...{ id: requestId, orderId: String(asked.orderId), deployId: asked.deployId, requestedAt: at, visitUrl: null },
      ...{ user: asked.wallet.toLowerCase(), provider: account.address.toLowerCase() },
      ...{ phase, steps: [{ phase, at }] },
    }
    return taken
  }
  const line = await openAgentLine(market, account, take, machine)
  let other: MarketActor | undefined

  return {
    address: account.address.toLowerCase(),
    account: account.address,
    addresses,
    reader: client,
    node: NODE,
    /** A call as the provider, for example to start an order or change a price. */
    send,
    /** Another account buys a node, without a browser. */
    sellToOther: async (nodeId: bigint) => {
      other ??= await marketActor(market, privateKeyToAccount(generatePrivateKey()))
      return other.buy(account.address, nodeId)
    },
    /** A reward voucher for an account, signed by the rewarder, with a funded pool. */
    signVoucher: async (to: Address, amountWei: bigint) => {
      await send(contractCall(addresses, 'credit', 'approve', [addresses.market, amountWei]))
      await send(contractCall(addresses, 'market', 'fundRewards', [amountWei]))
      const { chainId } = await createApi({ baseUrl: market.url }).config()
      const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600)
      const nonce = await readMarket(client, addresses, 'market', 'nonces', [to])
      const voucher = { account: to, amount: amountWei, nonce, deadline }
      return signVoucher(developmentAccounts().rewarder, { chainId, market: addresses.market }, voucher)
    },
    /** From now on accepts deploy requests and handles them with `report`; with false, stops answering again. */
    acceptDeploys: (willAccept = true) => {
      accepts = willAccept
    },
    /** Reports the state of the deployment accepted last. */
    report: (step: Omit<DeploymentReport['steps'][number], 'at'>, at = Date.now(), details?: DeploymentReport['details']) => {
      if (!taken) throw new Error('nothing was deployed')
      taken = { ...taken, phase: step.phase, steps: [...taken.steps, { ...step, at }], ...(details ? { details } : {}) }
      line.report(taken)
    },
    /** Key pairs to open what is sealed to it. */
    keys: line.keys,
    stop: () => line.close(),
  }
}

/** The platform waits 5 s for a block, then answers with what it has, or that the provider does not exist yet. */
async function indexed(market: RunningMarket, address: Address, wanted: { minBlock: bigint; nodes: number }): Promise<void> {
  const api = createApi({ baseUrl: market.url })
  for (;;) {
    const provider = await api.provider(address, { minBlock: wanted.minBlock }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return undefined
      throw error
    })
    if (provider && provider.nodes.length >= wanted.nodes) return
    await sleep(200)
  }
}

const NODE = {
  cpuModel: 'EPYC 7402',
  gpuModel: 'RTX 4090',
  nCPU: 4,
  core: 8,
  nGPU: 1,
  nMEM: 64,
  nDISK: 1500,
  pCPU: parseEther('2'),
  pGPU: parseEther('133'),
  pMEM: parseEther('0.125'),
  pDISK: parseEther('0.006'),
}
