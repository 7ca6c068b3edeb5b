import { join } from 'node:path'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { addNodeCall } from '@rackfair/sdk'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localName } from '../config/localNames.ts'
import { openAgentDb } from '../db/openAgentDb.ts'
import { sayingLog } from '../foundation/log.ts'
import type { Hardware } from '../machine/detect/detectHardware.ts'
import type { Gpu } from '../runtime/Gpu.ts'
import { setupVerify } from '../testing/setupVerify.ts'
import { acceptRequest } from './acceptRequest.ts'
import { createProgress } from './createProgress.ts'
import { recallOrders } from './ObservedState.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

const NGINX = 2
/** setupVerify has already listed three nodes. */
const FIRST_NODE = 4n
const GPUS = ['RTX 4090', 'RTX 3090', 'RTX 3090', 'RTX 3090'].map(
  (model, index): Gpu => ({
    ...{ id: `GPU-${index}`, vendor: 'nvidia', model, memoryMb: 0 },
    device: `${index}`,
    card: `${index}`,
  }),
)
const MACHINE: Hardware = {
  cpu: { model: 'x', processors: 1, coresPerProcessor: 16 },
  ...{ memoryGb: 16, diskGb: 100, diskMostGb: 100, gpus: GPUS, architecture: 'x64', freeMemoryBytes: 0 },
}

type Asked = Partial<Parameters<Awaited<ReturnType<typeof setupVerify>>['buyer']['sign']>[0]> & { signer?: LocalAccount }
type Changes = Pick<Partial<OrderManagerOptions>, 'oversell' | 'localName'>

describe('resources of an accepted order', () => {
  let market: Awaited<ReturnType<typeof setupVerify>>
  beforeAll(async () => {
    market = await setupVerify()
  })
  afterAll(() => market?.close())

  it('are whole GPUs of its model, exclusive and stable over redeployments and restarts', async () => {
    const small = await buyNode('RTX 3090', 2)
    const other = await buyNode('RTX 4090', 1)
    const third = await buyNode('RTX 3090', 2)
    const nameless = await buyNode('A card of mine', 1)
    const file = join(market.folder, 'gpus.sqlite')
    let state = openAgentDb(file)
    await accept(state, small)
    await accept(state, other)
    expect([state.command(small)?.gpus, state.command(other)?.gpus]).toEqual([['GPU-1', 'GPU-2'], ['GPU-0']])
    await expect(accept(state, third)).rejects.toMatchObject({ code: 'preset_does_not_fit' })
    await accept(state, nameless)
    expect(state.command(nameless)?.gpus).toEqual(['GPU-3'])
    expect(new Set(state.commands().map((one) => one.slot)).size).toBe(3)
    state.close()
    state = openAgentDb(file)
    state.putDeployment({ ...must(state.deployment(must(state.command(small)).deploymentId)), phase: 'Running' })
    await accept(state, small)
    expect(state.command(small)?.gpus).toEqual(['GPU-1', 'GPU-2'])
    state.dropCommand(other)
    state.putCommand({ ...must(state.command(small)), endedAt: 1 })
    await expect(accept(state, third)).rejects.toMatchObject({ code: 'agent_busy', retryable: true })
    state.dropCommand(small)
    await accept(state, third)
    expect(state.command(third)?.gpus).toEqual(['GPU-1', 'GPU-2'])
    // The slots of the previous three are reused only after all others.
    expect(state.command(third)?.slot).toBe(3)
    state.close()
  })

  it('exclude failed GPUs, even its own', async () => {
    const orderId = await buyNode('RTX 4090', 1)
    const state = openAgentDb(join(market.folder, 'broken.sqlite'))
    problems.set('GPU-0', 'XID 79')
    await expect(accept(state, orderId)).rejects.toMatchObject({ code: 'gpu_unavailable', retryable: true })
    problems.clear()
    await accept(state, orderId)
    expect(state.command(orderId)?.gpus).toEqual(['GPU-0'])
    state.close()
  })

  it('are not those to which an order may go back when its update fails', async () => {
    const [first, second] = [await buyNode('RTX 3090', 1), await buyNode('RTX 3090', 2)]
    const state = openAgentDb(join(market.folder, 'update.sqlite'))
    await accept(state, first)
    const ran = { ...must(state.command(first)), hasRun: true }
    state.putCommand(ran)
    state.putDeployment({ ...must(state.deployment(ran.deploymentId)), phase: 'Running' })
    problems.set('GPU-1', 'XID 79')
    await accept(state, first)
    problems.clear()
    expect([state.earlier(first)?.gpus, state.command(first)?.gpus]).toEqual([['GPU-1'], ['GPU-2']])
    await expect(accept(state, second)).rejects.toMatchObject({ code: 'preset_does_not_fit' })
    state.close()
  })

  it('are refused when the machine lacks what was sold, whatever else runs there', async () => {
    const [first, second, third] = [
      await buyNode('', 0, { nMEM: 10 }),
      await buyNode('', 0, { nMEM: 10 }),
      await buyNode('', 0, { core: 17 }),
    ]
    const state = openAgentDb(join(market.folder, 'oversold.sqlite'))
    await accept(state, first)
    await expect(accept(state, second)).rejects.toMatchObject({
      code: 'node_oversold',
      message: expect.stringContaining('memory: 20 GB of 16 GB'),
    })
    state.putCommand({ ...must(state.command(first)), endedAt: 1 })
    await accept(state, second)
    await expect(accept(state, third)).rejects.toMatchObject({ message: expect.stringContaining('processor cores: 18 of 16') })
    await accept(state, third, { oversell: true })
    state.close()
  })

  it('are taken over from the previous order of its node, even before its end was seen', async () => {
    const { buyer, provider } = market
    const first = await buyNode('', 0, { nMEM: 10 })
    const nodeId = FIRST_NODE + listed - 1n
    const state = openAgentDb(join(market.folder, 'soldAgain.sqlite'))
    await accept(state, first)
    await buyer.cancel(first)
    const second = await buyer.buy(provider, nodeId)
    await accept(state, second)
    expect(state.command(first)?.endedAt).toBeUndefined()

    // Of however many orders of a node whose end was not seen yet, one takes room beside another node.
    await buyer.cancel(second)
    const beside = await buyNode('', 0, { nMEM: 4 })
    await accept(state, beside)
    expect(state.command(second)?.endedAt).toBeUndefined()

    const before = await buyNode('RTX 3090', 2)
    const withGpus = FIRST_NODE + listed - 1n
    await accept(state, before)
    await buyer.cancel(before)
    const after = await buyer.buy(provider, withGpus)
    await expect(accept(state, after)).rejects.toMatchObject({ code: 'agent_busy', retryable: true })
    state.dropCommand(before)
    await accept(state, after)
    expect(state.command(after)?.gpus).toEqual(['GPU-1', 'GPU-2'])
    state.close()
  })

  it('are refused while another deployment of the order is in progress', async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    const state = openAgentDb(join(market.folder, 'busy.sqlite'))
    await accept(state, orderId)
    await expect(accept(state, orderId)).rejects.toMatchObject({ code: 'agent_busy', retryable: true })
    state.close()
  })

  it('are allotted once to a name, however often it is asked for, also at once, after a restart and once others came', async () => {
    const { buyer } = market
    const orderId = await buyNode('', 0)
    const file = join(market.folder, 'once.sqlite')
    let state = openAgentDb(file)
    const named = (onceHash = `0x${'11'.repeat(32)}`, more = {}) => ({ request: { onceHash, ...more } })
    const [first, same] = await Promise.all([accept(state, orderId, named()), accept(state, orderId, named())])
    expect(same).toEqual(first)
    state.close()
    state = openAgentDb(file)
    const ran = { ...first, phase: 'Running' as const }
    state.putDeployment(ran)
    expect(await accept(state, orderId, named())).toEqual(ran)
    expect(await accept(state, orderId, named(undefined, { time: state.lastTime(orderId) }))).toEqual(ran)
    await expect(accept(state, orderId, named(undefined, { deployId: 0 }))).rejects.toMatchObject({
      ...{ code: 'once_taken', message: 'another application was deployed on this order under the same name' },
    })
    await expect(accept(state, orderId, named(undefined, { signer: market.chain.accounts.otherUser }))).rejects.toMatchObject({
      code: 'wrong_signer',
    })
    const other = await accept(state, orderId, named(`0x${'22'.repeat(32)}`))
    expect(other.id).not.toBe(first.id)
    expect(state.command(orderId)?.deploymentId).toBe(other.id)
    // An order that has ended can still be asked what became of a request.
    await buyer.cancel(orderId)
    expect((await accept(state, orderId, named())).id).toBe(first.id)
    expect(state.deploymentsOf(orderId)).toHaveLength(2)
    state.close()
  })

  it('are told with the order’s name for browsers on this machine', async () => {
    const orderId = await market.buyer.buy(market.provider, 3n)
    const state = openAgentDb(join(market.folder, 'named.sqlite'))
    const told = await accept(state, orderId, { localName: (id) => localName(id, '3fa9c1') })
    expect(told.details).toEqual({ localName: `o-${orderId}-3fa9c1.localhost` })
    state.close()
  })

  it('are taken once for a request that comes through two platforms, which both get the answer', async () => {
    const { buyer, provider } = market
    const orderId = await buyNode('', 0, { nMEM: 1 })
    const state = openAgentDb(join(market.folder, 'twice.sqlite'))
    const request = await buyer.sign({ orderId, deployId: NGINX, provider })
    const both = ['first', 'second'].map((platform) => acceptFrom(platform, state, request))
    const [one, two] = await Promise.all(both)
    expect([one?.isNew, two?.isNew].toSorted()).toEqual([false, true])
    expect(one?.deployment).toEqual(two?.deployment)
    state.putDeployment({ ...must(one).deployment, phase: 'Running' })
    const later = await acceptFrom('second', state, request)
    expect(later).toMatchObject({ isNew: false, deployment: { id: one?.deployment.id, phase: 'Running' } })
    await expect(acceptFrom('second', state, { ...request, text: `${request.text} ` })).rejects.toMatchObject({
      code: 'text_malformed',
    })

    // A later one in between: the first is answered with what became of it, and changes nothing.
    const next = await buyer.sign({ orderId, deployId: NGINX, provider, time: must(state.command(orderId)).time + 1 })
    await acceptFrom('first', state, next)
    const current = must(state.command(orderId))
    expect(await acceptFrom('second', state, request)).toMatchObject({ isNew: false, deployment: { id: one?.deployment.id } })
    expect(state.command(orderId)).toEqual(current)
    state.close()
  })

  it('are stored with the order’s data from the chain', async () => {
    const { chain } = market.context
    const orderId = await market.buyer.buy(market.provider, 2n)
    const file = join(market.folder, 'remembered.sqlite')
    let state = openAgentDb(file)
    await accept(state, orderId)
    state.close()
    state = openAgentDb(file)
    expect(recallOrders(state).orders.get(orderId)).toEqual(await chain.order(orderId))
    expect(recallOrders(state).nodes).toEqual([await chain.node(2n)])
    state.close()
  })

  let listed = 0n
  const problems = new Map<string, string>()
  const problemOf = (id: string) => problems.get(id)
  const buyNode = async (gpuModel: string, nGPU: number, more: { nMEM?: number; core?: number } = {}) => {
    const { buyer, chain, provider } = market
    const node = {
      ...{ cpuModel: 'x', gpuModel, nCPU: 1, core: 1, nGPU, nMEM: 2, nDISK: 20 },
      ...{ pCPU: ONE_CREDIT_WEI, pGPU: ONE_CREDIT_WEI, pMEM: 0n, pDISK: 0n },
      ...more,
    }
    await buyer.send(chain.accounts.provider, addNodeCall(buyer.addresses, node))
    listed += 1n
    return buyer.buy(provider, FIRST_NODE + listed - 1n)
  }
  const accept = async (
    state: ReturnType<typeof openAgentDb>,
    orderId: bigint,
    { request: asked, ...more }: Changes & { request?: Asked } = {},
  ) => {
    const { buyer, chain, provider } = market
    const { signer, ...changed } = asked ?? {}
    const wallet = chain.accounts.user.address
    const request = await buyer.sign({ orderId, deployId: NGINX, provider, wallet, ...changed }, signer)
    return (await acceptFrom('platform', state, request, more)).deployment
  }
  const acceptFrom = (platform: string, state: ReturnType<typeof openAgentDb>, request: unknown, more: Changes = {}) => {
    const quiet = { notes: { add: () => {}, remove: () => {} }, onStatus: () => {}, log: sayingLog(() => {}) }
    const options = {
      ...{ state, verify: { ...market.context, state }, ...quiet },
      ...{ machine: MACHINE, oversell: false, gpus: { gpus: GPUS, problemOf }, visitUrl: () => 'http://127.0.0.1/', ...more },
    } as Partial<OrderManagerOptions> as OrderManagerOptions
    return acceptRequest(request, platform, options, recallOrders(state), createProgress({ state, ...quiet }))
  }
})

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing there')
  return value
}
