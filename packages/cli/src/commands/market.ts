import { isVerified, VERIFIED_SECONDS } from '@rackfair/hardware/verification'
import { isDurationMonths, isOrderSeconds, MIN_ORDER_SECONDS, monthsToSeconds, readDuration } from '@rackfair/rules/duration'
import { isGpu, nearestModels } from '@rackfair/rules/gpu/gpuName'
import { parseCredit } from '@rackfair/rules/money'
import { OrderStatus } from '@rackfair/rules/order/status'
import { decodeList } from '@rackfair/rules/text/queryList'
import {
  boughtOnce,
  buyOnce,
  buyOrder,
  type Cancelled,
  cancelOrder,
  closeForDowntime,
  extendOrder,
  type FoundNode,
  getOrder,
  listNodes,
  moveOrder,
  previewCancel,
  previewMove,
  quote,
  quoteExtension,
  readFunds,
  releaseOrder,
  requireFunds,
  searchIdle,
  searchNodes,
} from '@rackfair/sdk'
import type { HardwareWish } from '@rackfair/sdk/uptime'
import { type Address, isAddress } from 'viem'
import { CliError, EXIT } from '../exitCodes.ts'
import { orderIdOf, type Session, usd } from '../session.ts'
import { table } from '../terminal/output.ts'

const HOUR_SECONDS = 3_600
/** As much as the platform reads. */
const MAX_SENTENCE = 200
const MAX_NAME_LENGTH = 100
/** Models that are named where none comes near. */
const MAX_NAMED = 5

/** Filters of a search for machines. */
export interface SearchFlags {
  gpu?: string
  minGpus?: string
  minMemory?: string
  minDisk?: string
  minVram?: string
  minCores?: string
  minDriver?: string
  region?: string
  verified?: boolean
  maxPriceMonth?: string
}

export async function search(
  session: Session,
  words: readonly string[],
  flags: SearchFlags & { all?: boolean; limit?: string },
): Promise<void> {
  const { text, output, signal } = session
  const limit = flags.limit === undefined ? 20 : wholeOf(session, flags.limit)
  const market = await session.market()
  const page = await searchNodes(
    market,
    { ...queryOf(session, words, flags), limit, ...(flags.all ? {} : { idle: true }) },
    { signal },
  )
  if (page.total === 0) await refuseUnknownModel(session, flags)
  const rows = page.nodes.map((node) => [
    machineOf(node),
    node.sample ? text.sample(node.name) : node.name,
    countOf(node.gpu),
    countOf(node.cpu),
    String(node.cpu.cores * node.cpu.count),
    `${node.memoryGb} GB`,
    `${node.diskGb} GB`,
    node.driver ?? '-',
    node.region ?? '-',
    usd(node.ratePerMonthWei),
    node.blocker ? text.blockers[node.blocker.code] : '',
  ])
  const { nodes, total, ignored, block } = page
  if (ignored.length > 0) output.note(text.ignored(ignored.join(', ')))
  output.data(
    {
      nodes: nodes.map((node) => ({ machine: machineOf(node), ...node, blocker: node.blocker?.code ?? null })),
      ...{ total, ignored, block },
    },
    table(text.heads.search, rows),
  )
  if (total > nodes.length) output.note(text.more(total))
  if (total === 0) output.note(text.noMatch)
}

/** Hardware requirements for a machine to buy. */
export interface HardwareFlags {
  minClass?: string
  maxAge?: string
}

export interface BuyFlags extends SearchFlags, HardwareFlags, TermFlags {
  cheapest?: boolean
  maxPrice?: string
  once?: string
}

/** How long to buy. */
export interface TermFlags {
  for?: string
  months?: string
}

export async function buy(session: Session, machine: string | undefined, flags: BuyFlags): Promise<void> {
  const { text, output, signal } = session
  const term = termOf(session, flags)
  const hardware = hardwareOf(session, flags)
  const maxPriceWei = amountOf(session, flags.maxPrice)
  const before = flags.once === undefined ? undefined : await boughtOnce(await session.renter(), flags.once)
  if (before !== undefined) return tellBoughtBefore(session, before)
  const { provider, nodeId, name } = await chooseMachine(session, machine, { ...flags, term }, hardware)
  const renter = await session.renter()
  const seen = await quote(renter, { provider, nodeId, term })
  if (maxPriceWei === undefined || seen.feeWei <= maxPriceWei) {
    const has = await readFunds(renter)
    requireFunds(seen.feeWei, has)
    await session.confirm(text.confirmBuy(name, text.time(seen.duration), usd(seen.feeWei), usd(has.creditWei)))
  }
  const purchase = { provider, nodeId, term: seen.duration }
  const options = { quote: seen, maxPriceWei, hardware, signal, onSent: session.onSent }
  const { orderId, bought } =
    flags.once === undefined
      ? await buyOrder(renter, purchase, options).then((one) => ({ orderId: one.orderId, bought: one }))
      : await buyOnce(renter, flags.once, purchase, options)
  if (!bought) return tellBoughtBefore(session, orderId)
  session.paid(`${text.bought(bought.orderId, usd(bought.feeWei), bought.hash)} ${text.orderGoesOn(bought.orderId)}`)
  output.note(text.bought(bought.orderId, usd(bought.feeWei), bought.hash))
  output.data(bought, String(bought.orderId))
  await session.untilIndexed(bought.block)
}

function tellBoughtBefore({ text, output }: Session, orderId: bigint): void {
  output.note(text.boughtBefore(orderId))
  output.data({ orderId }, String(orderId))
}

export async function extend(session: Session, order: string, flags: TermFlags & { maxPrice?: string }): Promise<void> {
  const { text, output, signal } = session
  const orderId = orderIdOf(order, text)
  const term = termOf(session, flags) ?? MIN_ORDER_SECONDS
  const maxPriceWei = amountOf(session, flags.maxPrice)
  const renter = await session.renter()
  const feeWei = await quoteExtension(renter.client, renter.addresses, orderId, term)
  if (maxPriceWei === undefined || feeWei <= maxPriceWei)
    await session.confirm(text.confirmExtend(orderId, text.time(term), usd(feeWei)))
  // Never pay more than was shown.
  const most = maxPriceWei !== undefined && maxPriceWei < feeWei ? maxPriceWei : feeWei
  const extended = await extendOrder(renter, { orderId, term }, { maxPriceWei: most, signal, onSent: session.onSent })
  session.paid(text.extended(orderId, usd(extended.feeWei), extended.hash))
  output.note(text.extended(orderId, usd(extended.feeWei), extended.hash))
  output.data(extended, text.lasts(extended.duration))
  await session.untilIndexed(extended.block)
}

export async function cancel(session: Session, order: string): Promise<void> {
  const { text, signal } = session
  const orderId = orderIdOf(order, text)
  const renter = await session.renter()
  const { toUser, toProvider } = await previewCancel(renter, orderId)
  await session.confirm(text.confirmCancel(orderId, usd(toUser), usd(toProvider)))
  const cancelled = await cancelOrder(renter, orderId, { signal, onSent: session.onSent })
  await tellClosed(session, cancelled)
}

/** Closes any order that was never started, or whose machine was away for a day; the contract checks that. */
export async function close(session: Session, order: string): Promise<void> {
  const { text, signal } = session
  const orderId = orderIdOf(order, text)
  const payer = await session.renter()
  await session.confirm(text.confirmClose(orderId))
  const { status } = await getOrder(payer.client, payer.addresses, orderId)
  const verb = status === OrderStatus.Created ? releaseOrder : closeForDowntime
  await tellClosed(session, await verb(payer, orderId, { signal, onSent: session.onSent }))
}

async function tellClosed({ text, output, paid, untilIndexed }: Session, closed: Cancelled): Promise<void> {
  const back = usd(closed.refundedWei + closed.compensatedWei)
  paid(text.cancelled(closed.orderId, back, closed.hash))
  output.note(text.cancelled(closed.orderId, back, closed.hash))
  output.data(closed, back)
  await untilIndexed(closed.block)
}

/** The contract compares what was shown before the question. */
export async function move(session: Session, order: string): Promise<void> {
  const { text, output, signal } = session
  const orderId = orderIdOf(order, text)
  const renter = await session.renter()
  const conditions = await previewMove(renter, orderId)
  if (conditions) {
    const { holdback, penalty, commissionBps } = conditions
    await session.confirm(text.confirmMove(orderId, holdback / 3600, penalty / 3600, commissionBps / 100))
  }
  const moved = await moveOrder(renter, orderId, { conditions, signal, onSent: session.onSent })
  session.paid(text.moved(moved.from, moved.orderId, usd(moved.refundedWei), moved.hash))
  output.note(text.moved(moved.from, moved.orderId, usd(moved.refundedWei), moved.hash))
  output.data(moved, String(moved.orderId))
  await session.untilIndexed(moved.block)
}

/** The named machine, or the cheapest that matches. @throws CliError */
export async function chooseMachine(
  session: Session,
  machine: string | undefined,
  flags: SearchFlags & { cheapest?: boolean; term: number | undefined },
  hardware?: HardwareWish,
): Promise<{ provider: Address; nodeId: number; name: string }> {
  const { text, signal } = session
  if ((machine === undefined) !== (flags.cheapest === true))
    throw new CliError(EXIT.usage, 'bad_request', text.oneOf('PROVIDER/NODE, --cheapest'))
  if (machine !== undefined) {
    const [provider = '', node = '', ...rest] = machine.split('/')
    if (node === '' && rest.length === 0 && machine.length <= MAX_NAME_LENGTH) return machineNamed(session, machine)
    if (!isAddress(provider, { strict: false }) || !/^\d{1,10}$/.test(node) || rest.length > 0)
      throw new CliError(EXIT.usage, 'bad_request', text.badMachine(machine))
    return { provider, nodeId: Number(node), name: machine }
  }
  // Only this many machines of a large market are read, so those that cannot match are left out beforehand.
  const isMarked = hardware !== undefined && (hardware.maxAge ?? 0) <= VERIFIED_SECONDS
  const filter = queryOf(session, [], isMarked ? { ...flags, verified: true } : flags)
  const { nodes } = await searchIdle(await session.market(), { ...filter, limit: 50 }, { signal })
  const now = Date.now() / 1000
  const fits = ({ verification }: FoundNode) => hardware === undefined || isVerified(verification, now, hardware)
  const { term = Number.POSITIVE_INFINITY } = flags
  const node = nodes.find((one) => one.blocker === undefined && one.minTerm <= term && fits(one))
  if (!node) {
    if (nodes.length === 0) await refuseUnknownModel(session, flags)
    throw new CliError(EXIT.notFound, 'not_found', text.noMachine)
  }
  return chosen(node)
}

const chosen = (node: FoundNode) => ({
  ...{ provider: node.provider, nodeId: node.nodeId, name: `${node.name} (${machineOf(node)})` },
})

/** The only machine of this name, which is not unique: two providers may have the same. @throws CliError `not_found`, `bad_request` */
async function machineNamed(session: Session, name: string) {
  const { text } = session
  const found: FoundNode[] = []
  for await (const node of listNodes(await session.market(), { limit: 200 })) if (node.name === name) found.push(node)
  const [node, ...others] = found
  if (!node) throw new CliError(EXIT.notFound, 'not_found', text.noMachineNamed(name))
  if (others.length > 0) throw new CliError(EXIT.usage, 'bad_request', text.machinesNamed(name, found.map(machineOf).join(', ')))
  return chosen(node)
}

/** Nothing matches: says so if it is because nobody has such a GPU. @throws CliError `not_found` with the models that come nearest */
async function refuseUnknownModel(session: Session, { gpu }: SearchFlags): Promise<void> {
  if (gpu === undefined) return
  const { gpuModels } = await searchNodes(await session.market(), { limit: 1 }, { signal: session.signal })
  if (decodeList(gpu).some((wanted) => gpuModels.some((model) => isGpu(wanted, model)))) return
  const nearest = nearestModels(gpu, gpuModels)
  const named = nearest.length > 0 ? nearest : gpuModels.slice(0, MAX_NAMED)
  throw new CliError(EXIT.notFound, 'not_found', session.text.noModel(gpu, named.join(', ')))
}

/** @throws CliError if the value is not a whole number. */
export function wholeOf({ text }: Pick<Session, 'text'>, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new CliError(EXIT.usage, 'bad_request', text.badNumber(value))
  return Number(value)
}

/** Seconds to buy; undefined where nothing is asked for. @throws CliError if that is no time that an order can last. */
export function termOf(session: Session, { for: time, months }: TermFlags): number | undefined {
  const { text } = session
  if (time !== undefined && months !== undefined) throw new CliError(EXIT.usage, 'bad_request', text.oneOf('--for, --months'))
  if (months !== undefined) {
    const count = wholeOf(session, months)
    if (!isDurationMonths(count)) throw new CliError(EXIT.usage, 'bad_request', text.badTerm)
    return monthsToSeconds(count)
  }
  if (time === undefined) return undefined
  const seconds = readDuration(time)
  if (seconds === undefined) throw new CliError(EXIT.usage, 'bad_request', text.badTime(time))
  if (!isOrderSeconds(seconds)) throw new CliError(EXIT.usage, 'bad_request', text.badTerm)
  return seconds
}

/** USD as wei of Credit. @throws CliError if the value is not an amount. */
export function amountOf({ text }: Pick<Session, 'text'>, value: string | undefined): bigint | undefined {
  if (value === undefined) return undefined
  const wei = parseCredit(value)
  if (wei === undefined) throw new CliError(EXIT.usage, 'bad_request', text.badAmount(value))
  return wei
}

/** The hardware requirements; undefined if there are none. */
export function hardwareOf(session: Session, { minClass, maxAge }: HardwareFlags): HardwareWish | undefined {
  if (minClass === undefined && maxAge === undefined) return undefined
  return {
    ...(minClass === undefined ? {} : { minClass: wholeOf(session, minClass) }),
    ...(maxAge === undefined ? {} : { maxAge: wholeOf(session, maxAge) * HOUR_SECONDS }),
  }
}

function queryOf(session: Session, words: readonly string[], flags: SearchFlags) {
  const number = (name: 'minGpus' | 'minMemory' | 'minDisk' | 'minVram' | 'minCores') => {
    const value = flags[name]
    return value === undefined ? {} : { [name]: wholeOf(session, value) }
  }
  amountOf(session, flags.maxPriceMonth)
  return {
    ...(words.length > 0 ? { text: words.join(' ').slice(0, MAX_SENTENCE) } : {}),
    ...(flags.gpu === undefined ? {} : { gpu: flags.gpu }),
    ...{ ...number('minGpus'), ...number('minMemory'), ...number('minDisk'), ...number('minVram'), ...number('minCores') },
    ...(flags.minDriver === undefined ? {} : { minDriver: flags.minDriver }),
    ...(flags.region === undefined ? {} : { region: flags.region.toUpperCase() }),
    ...(flags.verified ? { verified: true as const } : {}),
    ...(flags.maxPriceMonth === undefined ? {} : { maxPrice: flags.maxPriceMonth }),
  }
}

const machineOf = ({ provider, nodeId }: Pick<FoundNode, 'provider' | 'nodeId'>): string => `${provider}/${nodeId}`
const countOf = ({ count, model }: { count: number; model: string }): string => (count === 0 ? '-' : `${count} × ${model}`)
