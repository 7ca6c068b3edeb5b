import type { NodeWire } from '@rackfair/protocol/nodes'
import type { ProviderWire } from '@rackfair/protocol/providers'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { beyondMachine } from '@rackfair/rules/node/beyondMachine'
import { displayName, nameSkeleton } from '@rackfair/rules/node/displayName'
import type { OversoldPart } from '@rackfair/rules/node/node'
import { OrderStatus } from '@rackfair/rules/order/status'
import { isRegistered } from '@rackfair/rules/provider/provider'
import type { FeedChange, FeedPosition } from '../feed/ChangeFeed.ts'
import type { Presence } from '../presence/Presence.ts'
import type { Database } from '../store/openStore.ts'
import type { NodeTable, OrderTable, PledgeTable, ProviderTable } from '../store/tables.ts'
import type { Hardware } from '../uptime/Hardware.ts'
import type { Reliability } from '../uptime/Reliability.ts'
import { nodeWireOf } from './nodeWireOf.ts'
import { SearchIndex } from './SearchIndex.ts'
import { type SearchEntry, searchEntryOf } from './searchEntryOf.ts'

type HeldOrder = Pick<OrderTable, 'id' | 'status' | 'activateTime' | 'duration'>

/**
 * Every provider and node in memory, kept in sync with the store by the change feed. Searches, facets and medians over ten thousand nodes
 * are then a pass over an array, with either database.
 */
export class NodeIndex {
  private readonly db: Database
  private readonly presence: Presence
  private readonly reliability: Pick<Reliability, 'of'>
  private readonly hardware: Pick<Hardware, 'of'>
  private readonly providers = new Map<string, ProviderTable>()
  private readonly nodes = new Map<string, NodeTable>()
  private readonly nodesOf = new Map<string, Set<string>>()
  private readonly pledges = new Map<string, PledgeTable>()
  private readonly held = new Map<string, HeldOrder>()
  private readonly entries = new Map<string, SearchEntry>()
  private readonly oversold = new Map<string, readonly OversoldPart[]>()
  private readonly lists = new Map<string, readonly SearchEntry[]>()
  /** The first provider to register each name, by its skeleton. Rebuilt after a name has changed. */
  private firstNames: Map<string, string> | undefined
  /** Of the name that each provider has. */
  private readonly skeletons = new Map<string, { name: string; skeleton: string }>()
  private penalty: number | undefined
  private current: SearchIndex | undefined
  private last: SearchIndex | undefined

  constructor(db: Database, presence: Presence, reliability: Pick<Reliability, 'of'>, hardware: Pick<Hardware, 'of'>) {
    this.db = db
    this.presence = presence
    this.reliability = reliability
    this.hardware = hardware
  }

  async load(): Promise<void> {
    const [providers, nodes, pledges, held] = await Promise.all([
      this.db.selectFrom('provider').selectAll().execute(),
      this.db.selectFrom('node').selectAll().where('exist', '=', 1).execute(),
      this.db.selectFrom('pledge').selectAll().execute(),
      this.heldOrders(),
    ])
    const { oversold, entries, lists } = this
    for (const map of [this.providers, this.nodes, this.nodesOf, this.pledges, this.held, oversold, entries, lists]) map.clear()
    for (const row of providers) this.providers.set(row.address, row)
    this.firstNames = undefined
    for (const row of nodes) this.keepNode(row)
    for (const row of pledges) this.pledges.set(row.account, row)
    for (const row of held) this.held.set(String(row.id), row)
    this.current = undefined
  }

  /** Processes committed changes. True if a node or provider may look different. */
  async follow(changes: readonly FeedChange[]): Promise<boolean> {
    if (changes.some(({ event }) => event.type === 'reset')) {
      await this.load()
      return true
    }
    let touched = false
    const seen = new Set<string>()
    const resized = new Set<LowerCaseAddress>()
    for (const { event } of changes) {
      const key = JSON.stringify({ ...event, block: 0 })
      if (seen.has(key)) continue
      seen.add(key)
      if (event.type === 'provider') await this.readProvider(event.cp)
      else if (event.type === 'node') {
        resized.add(event.cp)
        await this.readNode(event.cp, event.nodeId)
      } else if (event.type === 'order') await this.readOrder(event.orderId)
      else continue
      touched = true
    }
    for (const provider of resized) this.weighAgain(provider)
    return touched
  }

  /** Invalidates this provider's nodes because its agent connected, disconnected, or announced another machine. */
  forgetWires(provider: LowerCaseAddress): void {
    this.oversold.delete(provider)
    for (const key of this.nodesOf.get(provider) ?? []) this.entries.delete(key)
    this.forgetList(provider)
  }

  /** Takes what the owner of the Market has set, in seconds. True if nodes look different now. */
  setPenalty(penalty: number): boolean {
    if (penalty === this.penalty) return false
    this.penalty = penalty
    this.forgetAllWires()
    return true
  }

  /** Invalidates every node because a new day began. */
  forgetAllWires(): void {
    this.entries.clear()
    this.lists.clear()
    this.current = undefined
  }

  node(cp: LowerCaseAddress, id: number): NodeWire | undefined {
    return this.entry(cp, id)?.node
  }

  entry(cp: LowerCaseAddress, id: number): SearchEntry | undefined {
    return this.entryOf(`${cp}|${id}`)
  }

  /** All nodes on offer, in the order of their providers' registration, ready to be searched. */
  index(): SearchIndex {
    if (!this.current) {
      const registered = [...this.providers.values()].sort((a, b) => a.position - b.position).filter(isRegistered)
      this.current = new SearchIndex(
        registered.flatMap((provider) => this.listOf(provider.address)),
        this.last,
      )
      this.last = this.current
    }
    return this.current
  }

  /** The display name of a provider; empty for an unknown one. */
  displayName(address: LowerCaseAddress): string {
    const row = this.providers.get(address)
    if (!row) return ''
    this.firstNames ??= this.readFirstNames()
    return displayName(row.name, address, (this.firstNames.get(this.skeletonOf(row)) ?? address) !== address)
  }

  providerRow(address: LowerCaseAddress): ProviderTable | undefined {
    return this.providers.get(address)
  }

  provider(address: LowerCaseAddress, position: FeedPosition): ProviderWire | undefined {
    const row = this.providers.get(address)
    if (!row) return undefined
    const { position: _, withdrawn: __, ...facts } = row
    const shown = this.displayName(address)
    const oversold = this.oversoldOf(address)
    const { takes, sample } = this.presence.machineOf(address) ?? {}
    return {
      ...facts,
      ...(shown === row.name ? {} : { displayName: shown }),
      ...(oversold.length > 0 ? { oversold: [...oversold] } : {}),
      ...(sample ? { sample } : {}),
      ...(takes ? { takes } : {}),
      addr: address,
      online: this.presence.isOnline(address),
      offlineSince: this.presence.offlineSince(address),
      pledge: this.pledges.get(address)?.amount ?? '0',
      pledgeLocked: this.pledges.get(address)?.locked ?? '0',
      nodes: this.listOf(address).map(({ node }) => node),
      block: Math.max(0, position.block),
    }
  }

  /** Providers by their position in the order of registration; those without domain and ip count as not registered. */
  providersBetween(from: number, to: number, position: FeedPosition): ProviderWire[] {
    const rows = [...this.providers.values()].filter((row) => row.position >= from && row.position < to && isRegistered(row))
    return rows
      .sort((a, b) => a.position - b.position)
      .map((row) => this.provider(row.address, position))
      .filter((wire) => wire !== undefined)
  }

  private listOf(provider: LowerCaseAddress): readonly SearchEntry[] {
    const known = this.lists.get(provider)
    if (known) return known
    const entries = [...(this.nodesOf.get(provider) ?? [])].map((key) => this.entryOf(key)).filter((entry) => entry !== undefined)
    entries.sort((a, b) => a.node.id - b.node.id)
    this.lists.set(provider, entries)
    return entries
  }

  private forgetList(provider: LowerCaseAddress): void {
    this.lists.delete(provider)
    this.current = undefined
  }

  private entryOf(key: string): SearchEntry | undefined {
    const known = this.entries.get(key)
    if (known) return known
    const row = this.nodes.get(key)
    const provider = row && this.providers.get(row.cp)
    if (!provider) return undefined
    const order = this.held.get(String(row.orderId))
    const wire = nodeWireOf(row, {
      providerName: this.displayName(row.cp),
      pledge: this.pledges.get(row.cp)?.amount ?? '0',
      pledgeLocked: this.pledges.get(row.cp)?.locked ?? '0',
      penalty: this.penalty,
      soldUntil: order && order.activateTime > 0 ? order.activateTime + order.duration : null,
      offlineSince: this.presence.offlineSince(row.cp),
      heard: this.presence.isOnline(row.cp),
      oversold: this.oversoldOf(row.cp),
      machine: this.presence.machineOf(row.cp),
      reliability: this.reliability.of(row.cp, row.id),
      verification: this.hardware.of(row.cp, row.id, row.rev),
    })
    const entry = searchEntryOf(wire, row.addedTime)
    this.entries.set(key, entry)
    return entry
  }

  private oversoldOf(provider: LowerCaseAddress): readonly OversoldPart[] {
    const known = this.oversold.get(provider)
    if (known) return known
    const machine = this.presence.machineOf(provider)
    const nodes = [...(this.nodesOf.get(provider) ?? [])].map((key) => this.nodes.get(key)).filter((row) => row !== undefined)
    const parts = machine ? beyondMachine(nodes, machine).map(({ part }) => part) : []
    this.oversold.set(provider, parts)
    return parts
  }

  /** A node that is added, removed or changed may affect its neighbours on the same machine. */
  private weighAgain(provider: LowerCaseAddress): void {
    const before = this.oversold.get(provider)
    this.oversold.delete(provider)
    if (before?.join() !== this.oversoldOf(provider).join()) this.forgetWires(provider)
  }

  private heldOrders(): Promise<HeldOrder[]> {
    const open = [OrderStatus.Created, OrderStatus.Active]
    return this.db.selectFrom('order').select(['id', 'status', 'activateTime', 'duration']).where('status', 'in', open).execute()
  }

  private async readProvider(address: LowerCaseAddress): Promise<void> {
    const row = await this.db.selectFrom('provider').selectAll().where('address', '=', address).executeTakeFirst()
    const before = this.providers.get(address)
    if (row) this.providers.set(address, row)
    else this.providers.delete(address)
    if (row?.name !== before?.name) this.forgetNames([before?.name ?? '', row?.name ?? ''])
    const pledge = await this.db.selectFrom('pledge').selectAll().where('account', '=', address).executeTakeFirst()
    if (pledge) this.pledges.set(address, pledge)
    else this.pledges.delete(address)
    this.forgetWires(address)
  }

  private async readNode(cp: LowerCaseAddress, id: number): Promise<void> {
    const row = await this.db.selectFrom('node').selectAll().where('cp', '=', cp).where('id', '=', id).executeTakeFirst()
    const key = `${cp}|${id}`
    if (row?.exist) this.keepNode(row)
    else {
      this.nodes.delete(key)
      this.nodesOf.get(cp)?.delete(key)
    }
    this.entries.delete(key)
    this.forgetList(cp)
  }

  private async readOrder(id: string): Promise<void> {
    const columns = ['id', 'status', 'activateTime', 'duration', 'provider', 'nodeId'] as const
    const row = await this.db.selectFrom('order').select(columns).where('id', '=', BigInt(id)).executeTakeFirst()
    if (row && row.status <= OrderStatus.Active) this.held.set(id, row)
    else this.held.delete(id)
    if (!row) return
    this.entries.delete(`${row.provider}|${row.nodeId}`)
    this.forgetList(row.provider)
  }

  /** A changed name may free or take the name of others. */
  private forgetNames(names: readonly string[]): void {
    this.firstNames = undefined
    const changed = new Set(names.map(nameSkeleton))
    for (const row of this.providers.values()) if (changed.has(this.skeletonOf(row))) this.forgetWires(row.address)
  }

  /** The first registered provider for each skeleton of a name. */
  private readFirstNames(): Map<string, string> {
    const newestFirst = [...this.providers.values()].filter(isRegistered).sort((a, b) => b.position - a.position)
    return new Map(newestFirst.map((row) => [this.skeletonOf(row), row.address]))
  }

  private skeletonOf({ address, name }: ProviderTable): string {
    const known = this.skeletons.get(address)
    if (known?.name === name) return known.skeleton
    const skeleton = nameSkeleton(name)
    this.skeletons.set(address, { name, skeleton })
    return skeleton
  }

  private keepNode(row: NodeTable): void {
    const key = `${row.cp}|${row.id}`
    this.nodes.set(key, row)
    const keys = this.nodesOf.get(row.cp) ?? new Set()
    keys.add(key)
    this.nodesOf.set(row.cp, keys)
  }
}
