import {
  type CancelQuote,
  dueWei,
  isLost,
  promisedWei,
  quoteProviderCancel,
  quoteUserCancel,
  settlementEdge,
  startPenaltyWei,
} from '@rackfair/rules/order/money'
import type { OrderTerms } from '@rackfair/rules/order/order'
import { inProbation, orderEnd } from '@rackfair/rules/order/time'
import { commissionWei, extensionFeeWei, orderFeeWei, ratePerMonthWei, type UnitPrices } from '@rackfair/rules/prices/pricing'
import { type Account, type ContractFunctionArgs, maxUint256 } from 'viem'
import { expect } from 'vitest'
import { accessAbi, ORDER_STATUS, ROLE, type registryAbi } from '../ts/index.ts'
import { applyReport, fromPledge, NO_REPORTS, type Reports } from './applyReport.ts'
import { openChain } from './openChain.ts'
import { replayOrders } from './replayOrders.ts'

const MONTH = 2_592_000
const HOUR = 3600
const DAY = 24 * HOUR

type NodeInput = ContractFunctionArgs<typeof registryAbi, 'nonpayable', 'add_node'>[0]

/** An order as packages/rules sees it: everything in it was computed there. */
type Model = OrderTerms &
  Reports &
  UnitPrices & { user: Account; nodeId: bigint; created: number; commission: bigint; pending: bigint }

/** A market in which orders live at random (by `seed`), and a model of each that packages/rules computes. Every call compares the two. */
export async function setupRandomMarket(seed: number) {
  const chain = await openChain()
  const { client, wallet, market, registry, pledge, credit, logs, common, send, now: clock, balance, read } = chain
  const { owner, rewarder: validator, provider, user, otherUser } = chain.accounts
  const orders = new Map<bigint, Model>()
  let state = seed || 1
  let conditions = { commissionBps: 0, probation: HOUR / 6, holdback: 24 * HOUR, penalty: 24 * HOUR }

  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
  const pick = <T>(list: readonly T[]) => list[random(list.length)] as T

  // A key that reports whatever the model wants, where a market has Monitors.
  await send(
    wallet.writeContract({
      ...{ ...common, address: chain.access, abi: accessAbi, account: owner },
      functionName: 'setRole',
      args: [ROLE.Validator, validator.address],
    }),
  )
  await send(
    wallet.writeContract({
      ...common,
      ...registry,
      account: provider,
      functionName: 'register',
      args: [{ name: 'rack', ip: '127.0.0.1', domain: '', port: 7070 }],
    }),
  )
  for (const account of [user, otherUser, provider]) {
    await send(
      wallet.writeContract({ ...common, ...credit, account: owner, functionName: 'mint', args: [account.address, 10n ** 30n] }),
    )
    for (const spender of [market.address, pledge.address])
      await send(wallet.writeContract({ ...common, ...credit, account, functionName: 'approve', args: [spender, maxUint256] }))
  }
  const pledgeMore = (amount: bigint) =>
    send(
      wallet.writeContract({
        ...common,
        ...pledge,
        account: provider,
        functionName: 'pledge',
        args: [credit.address, amount + BigInt(1 + random(50)) * 10n ** 18n],
      }),
    )
  await pledgeMore(0n)

  /** The contract, the model and the escrow agree about one order to the wei. */
  async function compare(id: bigint): Promise<void> {
    const order = await read(id)
    const model = orders.get(id) as Model
    const now = await clock()
    const expired = model.status === ORDER_STATUS.Active && now >= orderEnd(model)
    expect(order).toMatchObject({
      status: expired ? ORDER_STATUS.Expired : model.status,
      rate: model.ratePerMonthWei,
      totalValue: model.totalValueWei,
      remuneration: model.remunerationWei,
      remain: remainOf(model),
      reportedUntil: model.reportedUntil,
      downSince: model.downSince,
      duration: model.duration,
      down: model.downSeconds,
      userConfirm: model.userConfirm,
      deployed: model.deployed,
    })
    const escrow = [...orders.values()].reduce((sum, one) => sum + remainOf(one), 0n)
    expect(await client.readContract({ ...market, functionName: 'escrow' })).toBe(escrow)
  }

  function remainOf(model: Model): bigint {
    return model.status <= ORDER_STATUS.Active ? model.totalValueWei - model.remunerationWei : model.pending
  }

  function pay(model: Model, gross: bigint): void {
    model.commission += commissionWei(model.remunerationWei, gross, model.commissionBps)
    model.remunerationWei += gross
  }

  function settleModel(model: Model, now: number): void {
    if (now >= orderEnd(model) + model.holdbackSeconds && isLost(model, now)) {
      pay(model, dueWei(model, model.reportedUntil))
      model.status = ORDER_STATUS.ProviderCancelled
      return
    }
    pay(model, dueWei(model, settlementEdge(model, now)))
    if (now >= orderEnd(model) + model.holdbackSeconds) model.status = ORDER_STATUS.Completed
  }

  /** Offers the node as one that an order has let go, or as a new one. A new price must change no order that was bought before. */
  async function offer(node: NodeInput): Promise<{ nodeId: bigint; rev: number }> {
    const held = new Set([...orders.values()].filter((one) => one.status <= ORDER_STATUS.Active).map((one) => one.nodeId))
    const free = [...new Set([...orders.values()].map((one) => one.nodeId))].filter((nodeId) => !held.has(nodeId))
    if (free.length > 0 && random(4) > 0) {
      const args = [pick(free), node] as const
      await send(wallet.writeContract({ ...common, ...registry, account: provider, functionName: 'updatenode', args }))
      const { rev } = await client.readContract({ ...registry, functionName: 'get_node', args: [provider.address, args[0]] })
      return { nodeId: args[0], rev }
    }
    await send(wallet.writeContract({ ...common, ...registry, account: provider, functionName: 'add_node', args: [node] }))
    return {
      nodeId: (await client.readContract({ ...registry, functionName: 'get', args: [provider.address] })).lastNode,
      rev: 1,
    }
  }

  async function changeConditions(): Promise<void> {
    const holdback = random(48) * HOUR
    const penalty = holdback + random(100) * HOUR
    conditions = { commissionBps: random(1001), probation: random(HOUR + 1), holdback, penalty }
    const set = (functionName: 'setCommissionBps' | 'setProbation' | 'setHoldback' | 'setPenalty', value: number) =>
      send(wallet.writeContract({ ...common, ...market, account: owner, functionName, args: [value] }))
    await set('setHoldback', 0)
    await set('setPenalty', penalty)
    await set('setHoldback', holdback)
    await set('setCommissionBps', conditions.commissionBps)
    await set('setProbation', conditions.probation)
  }

  const signed = (id: bigint, total: number, asOf: number) =>
    validator.signTypedData({
      domain: { name: 'Rackfair Market', version: '1', chainId: chain.chainId, verifyingContract: market.address },
      types: {
        Downtime: [
          { name: 'orderId', type: 'uint64' },
          { name: 'totalSeconds', type: 'uint32' },
          { name: 'asOf', type: 'uint40' },
        ],
      },
      primaryType: 'Downtime',
      message: { orderId: id, totalSeconds: total, asOf },
    })

  /** What waits after a cancel goes by a report of the last hours, or to the provider when none has come in a day. */
  async function decide(id: bigint, model: Model, cancelled: number): Promise<void> {
    const before = await balance(model.user)
    model.pendingDown = model.downSeconds
    if (random(2) === 0) {
      await passTime(random(24 * HOUR - 60))
      const total = random(pick([600, 6 * HOUR, 72 * HOUR]))
      const asOf = await clock()
      const args = [id, total, asOf, await signed(id, total, asOf)] as const
      await send(wallet.writeContract({ ...common, ...market, account: owner, functionName: 'creditDowntime', args }))
      applyReport(model, total, asOf, cancelled)
    } else {
      await passTime(24 * HOUR)
      await send(wallet.writeContract({ ...common, ...market, account: owner, functionName: 'proSettle', args: [id] }))
    }
    const gross = dueWei(model, cancelled)
    expect((await balance(model.user)) - before).toBe(model.pending - gross)
    pay(model, gross)
    model.pending = 0n
    await compare(id)
  }

  const passTime = async (seconds: number) => {
    await client.increaseTime({ seconds: Math.max(1, seconds) })
    await client.mine({ blocks: 1 })
  }

  return {
    orders,
    random,
    pick,
    [Symbol.asyncDispose]: () => chain.stop(),

    pass: passTime,

    async buy() {
      if (random(3) === 0) await changeConditions()
      const resources = { nCPU: 1 + random(8), nGPU: random(9), nMEM: random(1024), nDISK: random(8000) }
      const gwei = (most: number) => BigInt(random(most)) * 10n ** 9n
      const prices = { pCPU: gwei(2 ** 31) + 10n ** 9n, pGPU: gwei(2 ** 31), pMEM: gwei(2 ** 20), pDISK: gwei(2 ** 16) }
      const node = { cpuModel: 'Xeon', gpuModel: '', core: 8, ...resources, ...prices }
      const { nodeId, rev } = await offer(node)
      const duration = random(2) === 0 ? HOUR + random(DAY) : MONTH + random(2 * MONTH)
      const rate = ratePerMonthWei(resources, prices)
      const totalValue = orderFeeWei(rate, duration)
      const free = await client.readContract({ ...pledge, functionName: 'freeOf', args: [provider.address] })
      const promised = promisedWei({ ratePerMonthWei: rate, penalty: conditions.penalty })
      if (free < promised) await pledgeMore(promised - free)
      const account = pick([user, otherUser])
      const input = { provider: provider.address, nodeId, rev, duration, maxFee: totalValue, conditions, app: 'nginx' }
      const before = await balance(account)
      const created = await send(
        wallet.writeContract({ ...common, ...market, account, functionName: 'createOrder', args: [input] }),
      )
      expect(before - (await balance(account))).toBe(totalValue)
      const id = await client.readContract({ ...market, functionName: 'lastId' })
      orders.set(id, {
        commissionBps: conditions.commissionBps,
        probation: conditions.probation,
        holdbackSeconds: conditions.holdback,
        penalty: conditions.penalty,
        ...prices,
        user: account,
        nodeId,
        created,
        deployed: false,
        status: ORDER_STATUS.Created,
        ratePerMonthWei: rate,
        totalValueWei: totalValue,
        remunerationWei: 0n,
        commission: 0n,
        activateTime: 0,
        duration,
        ...NO_REPORTS,
        pending: 0n,
        userConfirm: false,
      })
      await compare(id)
    },

    async activate(id: bigint, model: Model) {
      const now = await clock()
      if (now >= model.created + 24 * HOUR - 5) {
        const before = await balance(model.user)
        await send(wallet.writeContract({ ...common, ...market, account: owner, functionName: 'release', args: [id] }))
        const after = await balance(model.user)
        if (after === before) return
        expect(after - before).toBe(model.totalValueWei + startPenaltyWei(model))
        model.status = ORDER_STATUS.ProviderCancelled
      } else {
        const how = pick(['activate', 'activateWithApp', 'set_avail'] as const)
        const call = { ...common, ...market, account: provider }
        model.activateTime = await send(
          how === 'activateWithApp'
            ? wallet.writeContract({ ...call, functionName: how, args: [id, 'apache'] })
            : wallet.writeContract({ ...call, functionName: 'activate', args: [id] }),
        )
        model.status = ORDER_STATUS.Active
        model.deployed = how !== 'activate'
        if (how === 'set_avail') {
          const args = [provider.address, model.nodeId, true] as const
          await send(wallet.writeContract({ ...common, ...registry, account: provider, functionName: how, args }))
        }
        if (model.deployed && random(2) === 0) {
          const args = [provider.address, model.nodeId, false] as const
          await send(wallet.writeContract({ ...common, ...registry, account: provider, functionName: 'set_avail', args }))
        }
      }
      await compare(id)
    },

    async settle(id: bigint, model: Model) {
      if (model.status !== ORDER_STATUS.Active) return
      const now = await send(
        wallet.writeContract({ ...common, ...market, account: otherUser, functionName: 'proSettle', args: [id] }),
      )
      settleModel(model, now)
      await compare(id)
    },

    async state(id: bigint, model: Model) {
      if (model.status !== ORDER_STATUS.Active) return
      const asOf = (await clock()) - random(pick([1, HOUR, 48 * HOUR]))
      // A provider that is away for good now and then: every second since the start.
      const total = random(4) === 0 ? Math.max(0, asOf - model.activateTime) : random(pick([600, 6 * HOUR, 72 * HOUR]))
      const args = [id, total, asOf, await signed(id, total, asOf)] as const
      const now = await send(wallet.writeContract({ ...common, ...market, account: owner, functionName: 'creditDowntime', args }))
      settleModel(model, now)
      if (model.status === ORDER_STATUS.Active) applyReport(model, total, asOf, orderEnd(model))
      await compare(id)
    },

    async closeForDowntime(id: bigint, model: Model) {
      if (model.status !== ORDER_STATUS.Active || !isLost(model, (await clock()) + 5)) return
      const before = await balance(model.user)
      const call = { ...common, ...market, account: otherUser, functionName: 'closeForDowntime', args: [id] } as const
      const now = await send(wallet.writeContract(call))
      const quote = quoteUserCancel({ ...model, createTime: model.created }, now)
      const paidBySelf = model.user === otherUser ? 0n : toUser(model, quote)
      if (paidBySelf > 0n) expect((await balance(model.user)) - before).toBe(paidBySelf)
      pay(model, quote.toProvider + quote.commission)
      model.status = ORDER_STATUS.ProviderCancelled
      await compare(id)
    },

    async extend(id: bigint, model: Model) {
      const now = await clock()
      if (model.status !== ORDER_STATUS.Active || now + 5 >= orderEnd(model)) return
      const more = random(2) === 0 ? HOUR + random(DAY) : MONTH + random(MONTH)
      const fee = extensionFeeWei(model.ratePerMonthWei, model.duration, more)
      const before = await balance(model.user)
      await send(wallet.writeContract({ ...common, ...market, account: model.user, functionName: 'extend', args: [id, more] }))
      expect(before - (await balance(model.user))).toBe(fee)
      model.totalValueWei += fee
      model.duration += more
      model.userConfirm = true
      await compare(id)
    },

    async cancel(id: bigint, model: Model) {
      const before = await balance(model.user)
      const now = await send(
        wallet.writeContract({ ...common, ...market, account: model.user, functionName: 'userCancel', args: [id] }),
      )
      const quote = quoteUserCancel({ ...model, createTime: model.created }, now)
      expect((await balance(model.user)) - before).toBe(toUser(model, quote))
      const active = model.status === ORDER_STATUS.Active
      pay(model, quote.toProvider + quote.commission)
      if (active && isLost(model, now)) model.status = ORDER_STATUS.ProviderCancelled
      else if (active && now >= orderEnd(model)) model.status = ORDER_STATUS.Completed
      else if (!active && now >= model.created + 24 * HOUR) model.status = ORDER_STATUS.ProviderCancelled
      else model.status = active && inProbation(model, now) ? ORDER_STATUS.ProbationRefunded : ORDER_STATUS.UserCancelled
      model.pending = quote.pending
      // What is final at a cancel is booked by the settlement that follows.
      if (quote.pending > 0n)
        await send(wallet.writeContract({ ...common, ...market, account: otherUser, functionName: 'proSettle', args: [id] }))
      await compare(id)
      if (quote.pending > 0n) await decide(id, model, now)
    },

    async drop(id: bigint, model: Model) {
      const time = await clock()
      if (random(3) > 0 || (model.status === ORDER_STATUS.Active && time + 5 >= orderEnd(model))) return
      const pledged = await client.readContract({ ...pledge, functionName: 'pledgeOf', args: [provider.address] })
      const before = await balance(model.user)
      const now = await send(
        wallet.writeContract({ ...common, ...market, account: provider, functionName: 'providerCancel', args: [id] }),
      )
      const quote = quoteProviderCancel(model, now)
      expect((await balance(model.user)) - before).toBe(toUser(model, quote))
      const left = await client.readContract({ ...pledge, functionName: 'pledgeOf', args: [provider.address] })
      expect(pledged - left).toBe(fromPledge(model, quote))
      pay(model, quote.toProvider + quote.commission)
      model.status = ORDER_STATUS.ProviderCancelled
      model.pending = quote.pending
      await compare(id)
      if (quote.pending > 0n) await decide(id, model, now)
    },

    /** At the end the events alone tell the same story as the model and the contract. */
    async compareWithEvents() {
      const replayed = replayOrders(logs)
      expect(replayed.size).toBe(orders.size)
      for (const [id, model] of orders) {
        const { status, commission, duration, activateTime, deployed } = model
        const { ratePerMonthWei: rate, totalValueWei: totalValue, remunerationWei: remuneration, downSeconds: down } = model
        const refunded = status > ORDER_STATUS.Active ? totalValue - remuneration - model.pending : 0n
        const { pending, reportedUntil, downSince } = model
        expect(replayed.get(id)).toMatchObject({
          ...{ status, rate, totalValue, remuneration, commission, duration, down, activateTime, deployed, refunded },
          ...{ pending, reportedUntil, downSince },
        })
        const order = await read(id)
        const { pCPU, pGPU, pMEM, pDISK } = model
        expect(order).toMatchObject({ pCPU, pGPU, pMEM, pDISK })
        if (order.activateTime > 0) expect(replayed.get(id)?.lastSettleTime).toBe(order.lastSettleTime)
      }
      const commission = [...orders.values()].reduce((sum, one) => sum + one.commission, 0n)
      expect(await client.readContract({ ...market, functionName: 'commission' })).toBe(commission)
    },
  }
}

/** What a close gives to the user, downtime that is paid once more included. */
function toUser(model: Model, quote: CancelQuote): bigint {
  return quote.toUser - quote.compensation + fromPledge(model, quote)
}
