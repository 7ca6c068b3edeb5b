import { monitorsAbi } from '@rackfair/contracts'
import type { HardwareResultWire } from '@rackfair/hardware/record'
import type { MarketEvent } from '@rackfair/protocol/events'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { EVIDENCE_DAYS } from '@rackfair/rules/uptime/reliability'
import { createResultCheck, fetchHardware, isMonitorUrl, readMonitors } from '@rackfair/sdk/uptime'
import type { Address, PublicClient } from 'viem'
import { insertChanges } from '../store/insertChanges.ts'
import { insertRows } from '../store/insertRows.ts'
import { inTransaction, type Store } from '../store/openStore.ts'
import { selectByKeys } from '../store/selectByKeys.ts'
import type { HardwareResultTable } from '../store/tables.ts'
import { createLanes } from './createLanes.ts'

/** Pages of one monitor per round. */
const MAX_PAGES = 20
/** How far ahead a monitor's clock may run. */
const MAX_AHEAD_SECONDS = 600
/** Results of one monitor, per node and day. */
const MAX_A_DAY = 100
const DAY_SECONDS = 86_400
/** Draws kept in memory; others are read again. */
const MAX_DRAWN = 50_000

interface Collector {
  store: Store
  client: PublicClient
  chainId: number
  access: Address
  clock: () => number
  onNews: () => void
  onProblem: (facts: object) => void
}

/**
 * Fetches the hardware results that bonded monitors published. A result only counts with its monitor's signature, and each row records
 * which monitors the contract drew for its node.
 */
export function createHardwareCollector({ store, client, chainId, access, clock, onNews, onProblem }: Collector) {
  const position = new Map<string, number>()
  const inLanes = createLanes({ clock })
  const drawn = new Map<string, string>()

  const drawnFor = async (monitors: Address, provider: LowerCaseAddress, nodeId: string, period: number): Promise<string> => {
    const key = `${provider} ${nodeId} ${period}`
    const known = drawn.get(key)
    if (known !== undefined) return known
    const args = [provider, BigInt(nodeId), BigInt(period)] as const
    const accounts = await client.readContract({ address: monitors, abi: monitorsAbi, functionName: 'assigned', args })
    if (drawn.size > MAX_DRAWN) drawn.clear()
    const joined = accounts.map(lowerCaseAddress).join(',')
    drawn.set(key, joined)
    return joined
  }

  const keep = async (rows: readonly HardwareResultTable[]): Promise<void> => {
    if (rows.length === 0) return
    await inTransaction(store, async (session) => {
      await insertRows(session, 'hardwareResult', rows, ['provider', 'nodeId', 'beacon', 'monitor'])
      const oldest = Math.floor(clock() / 1000) - EVIDENCE_DAYS * 86_400
      await session.db.deleteFrom('hardwareResult').where('time', '<', oldest).execute()
      const block = (await session.db.selectFrom('cursor').select('block').executeTakeFirst())?.block ?? 0
      const nodes = new Map(rows.map((row) => [`${row.provider} ${row.nodeId}`, row]))
      const changes = [...nodes.values()].map(({ provider, nodeId }) => {
        const event: MarketEvent = { type: 'node', cp: provider, nodeId, block: Math.max(0, block) }
        return { topic: event.type, user: '', body: JSON.stringify(event) }
      })
      await insertChanges(session, changes)
    })
    onNews()
  }

  const collect = async (
    contract: NonNullable<Awaited<ReturnType<typeof readMonitors>>>,
    monitor: LowerCaseAddress,
    url: string,
    { now, blockTime }: { now: number; blockTime: number },
  ) => {
    const isSigned = createResultCheck(client, chainId, contract.address)
    const isOurs = async (one: HardwareResultWire): Promise<boolean> => {
      if (lowerCaseAddress(one.monitor) !== monitor || one.time > now + MAX_AHEAD_SECONDS) return false
      if (one.time < now - EVIDENCE_DAYS * 86_400 || BigInt(one.nodeId) > Number.MAX_SAFE_INTEGER) return false
      return isSigned(one)
    }
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const after = position.get(monitor) ?? 0
      const { results, next } = await fetchHardware(url, chainId, after)
      const rows: HardwareResultTable[] = []
      const nodes = await nodesOf(store, results)
      // The indexer may not have come as far as a new node, whose test is then read again.
      if (results.some((one) => !nodes.has(keyOf(one)) && one.time > blockTime && one.time <= now + MAX_AHEAD_SECONDS)) return
      const room = createRoom(store, monitor)
      for (const one of results) {
        if (!nodes.has(keyOf(one)) || !(await isOurs(one)) || !(await room.take(one))) continue
        const provider = lowerCaseAddress(one.provider)
        const { epochSeconds, epochsPerPeriod } = contract.pace
        const period = Math.floor(one.time / (epochSeconds * epochsPerPeriod))
        const names = await drawnFor(contract.address, provider, one.nodeId, period)
        rows.push({
          ...{ monitor, provider, nodeId: Number(one.nodeId), beacon: one.beacon, time: one.time, drawn: names },
          json: JSON.stringify(one),
        })
      }
      await keep(rows)
      position.set(monitor, next)
      if (next <= after) return
    }
  }

  let isRunning = false
  return async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    try {
      const contract = await readMonitors(client, access)
      if (!contract) return
      // The chain's clock, which monitors count by, may be ahead of this machine's.
      const blockTime = (await store.db.selectFrom('cursor').select('blockTime').executeTakeFirst())?.blockTime ?? 0
      const now = Math.max(clock() / 1000, blockTime)
      const monitors = await store.db
        .selectFrom('monitor')
        .select(['address', 'url'])
        .where('bond', '<>', '0')
        .where('slashedAt', '=', 0)
        .execute()
      await inLanes(
        monitors.filter(({ url }) => isMonitorUrl(url, chainId)),
        ({ address }) => address,
        ({ address, url }) =>
          collect(contract, address, url.replace(/\/+$/, ''), { now, blockTime }).catch((error: unknown) =>
            onProblem({ url, reason: String(error) }),
          ),
      )
    } finally {
      isRunning = false
    }
  }
}

type Tested = Pick<HardwareResultWire, 'provider' | 'nodeId' | 'time'>

const keyOf = ({ provider, nodeId }: Omit<Tested, 'time'>) => `${lowerCaseAddress(provider)} ${nodeId}`

/** Which of the nodes of these results there are, as `keyOf` names them. */
async function nodesOf(store: Store, results: readonly Tested[]): Promise<Set<string>> {
  const named = results.filter(({ nodeId }) => BigInt(nodeId) <= Number.MAX_SAFE_INTEGER)
  const keys = new Map(named.map((one) => [keyOf(one), { cp: lowerCaseAddress(one.provider), id: Number(one.nodeId) }]))
  const rows = await selectByKeys(store, 'node', [...keys.values()])
  return new Set(rows.map(({ cp, id }) => `${cp} ${id}`))
}

/** The room that is left for a monitor's results, besides those in the rows. */
function createRoom({ db }: Store, monitor: LowerCaseAddress) {
  const taken = new Map<string, number>()
  const kept = async ({ provider, nodeId }: Tested, day: number): Promise<number> => {
    const { count } = await db
      .selectFrom('hardwareResult')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('provider', '=', lowerCaseAddress(provider))
      .where('nodeId', '=', Number(nodeId))
      .where('monitor', '=', monitor)
      .where('time', '>=', day * DAY_SECONDS)
      .where('time', '<', (day + 1) * DAY_SECONDS)
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  return {
    /** False once the node's day has its maximum. */
    async take(one: Tested): Promise<boolean> {
      const day = Math.floor(one.time / DAY_SECONDS)
      const key = `${keyOf(one)} ${day}`
      const count = taken.get(key) ?? (await kept(one, day))
      taken.set(key, count + 1)
      return count < MAX_A_DAY
    },
  }
}
