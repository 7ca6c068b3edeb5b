import { type DoorAgentMessage, MAX_DOMAINS } from '@rackfair/protocol/door'
import type { OwnDomains } from '@rackfair/protocol/workspaceAnswers'
import { type DomainRecords, orderName, ownDomain, pointsTo } from '@rackfair/rules/network/ownDomain'
import { dnsRecords } from '@rackfair/sdk/dnsRecords'
import type { AgentDb } from '../../db/openAgentDb.ts'
import { createTokenBuckets } from '../../foundation/buckets.ts'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { WorkspaceError } from '../workspace/WorkspaceChannel.ts'
import { createDomainEdges } from './createDomainEdges.ts'

const MAX_OF_ORDER = 8
/** New domains of an order: an authority issues few certificates to one machine. */
const NEW_OF_ORDER = { burst: 16, refillMs: 3_600_000 }
const SWEEP_MS = 600_000

export type Domains = ReturnType<typeof createOwnDomains>

/**
 * Domains of renters, each of which points to one order. That is what counts: no other order, and no other provider, gets one that does
 * not point there. They end with the order.
 */
export function createOwnDomains(options: {
  db: AgentDb['db']
  /** Whether an order is over. Rejects where the chain does not say. */
  isOver: (orderId: bigint) => Promise<boolean>
  /** The CAA record that lets no other account issue; null until there is one. */
  caa?: () => string | null
  /** Unix seconds. */
  now: () => number
  /** What the DNS says; by default what this machine is told. */
  records?: DomainRecords
  log: Log
}) {
  const { isOver, caa = () => null, now, records = dnsRecords(), log } = options
  const rows = openRows(options.db)
  const edges = createDomainEdges()
  const { names } = edges
  const forget = (domain: string) => {
    rows.remove(domain)
    edges.forget(domain)
  }
  const sweep = async (): Promise<void> => {
    const orders = new Set(rows.all().map(({ order }) => order))
    for (const order of orders)
      if (await isOver(BigInt(order)).catch(() => false))
        for (const { domain } of rows.all().filter((one) => one.order === order)) forget(domain)
    for (const { domain, order } of rows.all()) edges.repeat(domain, order)
  }
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.warn('domains of orders that are over stay', { reason: reasonOf(error) }))
  }, SWEEP_MS).unref()

  const put = createPut({ rows, edges, records, now, forget })
  return {
    list: (orderId: bigint): OwnDomains => ({
      target: names().map((name) => orderName(orderId, name))[0] ?? null,
      caa: caa(),
      domains: rows
        .all()
        .filter(({ order }) => order === String(orderId))
        .map(({ domain }) => ({ domain, isServed: edges.isServed(domain) })),
    }),
    /** @throws WorkspaceError `domain_refused`, `domain_elsewhere`, `domain_taken`, `too_many_domains`, `rate_limited`. */
    async add(orderId: bigint, text: string): Promise<void> {
      const domain = ownDomain(text)
      if (domain === undefined) throw new WorkspaceError('domain_refused', 'this is no domain')
      if (names().length === 0) throw new WorkspaceError('domain_refused', 'orders of this provider have no names with TLS')
      if (names().some((name) => domain === name || domain.endsWith(`.${name}`)))
        throw new WorkspaceError('domain_refused', 'this name is of the provider')
      await put(domain, orderId)
    },
    /** Does nothing for one that the order does not have. */
    remove(orderId: bigint, text: string): void {
      const domain = ownDomain(text)
      if (domain !== undefined && rows.orderOf(domain) === String(orderId)) forget(domain)
    },
    /** The order that a domain belongs to. */
    orderOf(domain: string): bigint | undefined {
      const order = rows.orderOf(domain)
      return order === undefined ? undefined : BigInt(order)
    },
    /** An edge sends visitors, those of orders below `name`. It is told which domains there are. */
    came(edge: object, name: string, send: (message: DoorAgentMessage) => void): void {
      edges.came(edge, name, send)
      for (const { domain, order } of rows.all()) edges.repeat(domain, order)
    },
    /** What an edge found. */
    said(edge: object, { domain, order, isServed }: { domain: string; order: string; isServed: boolean }): void {
      if (rows.orderOf(domain) === order) edges.said(edge, domain, isServed)
    },
    /** Removes those of orders that are over, and asks edges again that did not see one; done every ten minutes. */
    sweep,
    close(): void {
      clearInterval(timer)
      edges.close()
    },
  }
}

/** Gives a domain to the order that it points to. Additions of one domain follow each other. */
function createPut({
  rows,
  edges,
  records,
  now,
  forget,
}: {
  rows: ReturnType<typeof openRows>
  edges: ReturnType<typeof createDomainEdges>
  records: DomainRecords
  now: () => number
  forget: (domain: string) => void
}) {
  const { names } = edges
  const news = createTokenBuckets(NEW_OF_ORDER)
  const turns = new Map<string, Promise<void>>()
  const put = async (domain: string, orderId: bigint): Promise<void> => {
    const order = String(orderId)
    const isHere = await pointsTo(domain, orderId, names(), records).catch(() => false)
    const before = rows.orderOf(domain)
    if (!isHere && before !== undefined && before !== order)
      throw new WorkspaceError('domain_taken', `${domain} belongs to another order`)
    if (!isHere)
      throw new WorkspaceError('domain_elsewhere', `${domain} does not point to ${orderName(orderId, names()[0] ?? '')}`)
    if (before !== order) {
      const others = rows.all().filter((one) => one.domain !== domain)
      if (others.length >= MAX_DOMAINS || others.filter((one) => one.order === order).length >= MAX_OF_ORDER)
        throw new WorkspaceError('too_many_domains', `an order has at most ${MAX_OF_ORDER} domains; remove one of them`)
      if (!news.take(order)) throw new WorkspaceError('rate_limited', 'too many new domains of this order; wait an hour')
      if (before !== undefined) edges.forget(domain)
      rows.put(domain, order, now())
    }
    if (await edges.announce(domain, order)) return
    if (before !== order && rows.orderOf(domain) === order) forget(domain)
    throw new WorkspaceError('domain_elsewhere', `the edge does not see yet that ${domain} points to the order`)
  }
  return async (domain: string, orderId: bigint): Promise<void> => {
    const before = turns.get(domain)?.catch(() => {}) ?? Promise.resolve()
    const turn = before.then(() => put(domain, orderId))
    turns.set(domain, turn)
    await turn.finally(() => turns.get(domain) === turn && turns.delete(domain))
  }
}

function openRows(db: AgentDb['db']) {
  const statements = {
    all: db.prepare('SELECT domain, orderId AS "order" FROM ownDomain ORDER BY addedAt, domain'),
    one: db.prepare('SELECT orderId FROM ownDomain WHERE domain = ?'),
    put: db.prepare(
      'INSERT INTO ownDomain (domain, orderId, addedAt) VALUES (?,?,?) ON CONFLICT (domain) DO UPDATE SET orderId = excluded.orderId',
    ),
    remove: db.prepare('DELETE FROM ownDomain WHERE domain = ?'),
  }
  return {
    all: () => statements.all.all() as unknown as { domain: string; order: string }[],
    orderOf: (domain: string) => statements.one.get(domain)?.orderId as string | undefined,
    put: (domain: string, order: string, at: number) => void statements.put.run(domain, order, at),
    remove: (domain: string) => void statements.remove.run(domain),
  }
}
