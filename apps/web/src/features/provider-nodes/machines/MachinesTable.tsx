import { modelText } from '@rackfair/rules/node/name'
import type { MarketNode } from '@rackfair/rules/node/node'
import type { Order } from '@rackfair/rules/order/order'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { hottestOf } from '../../../entities/workspace/nodeHeat.ts'
import type { Machines } from '../../../entities/workspace/useMachines.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { Sparkline } from '../../../ui/Sparkline.tsx'
import { StateDot } from '../../../ui/StateDot.tsx'
import { type Column, Table } from '../../../ui/Table.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { ownNodeMessages } from '../messages.ts'
import { HeatBar } from './HeatBar.tsx'
import { OnlineSwitch } from './OnlineSwitch.tsx'
import { RemoveNodeDialog } from './RemoveNodeDialog.tsx'

const PAGE = 20
const DAY = 86_400n

interface MachinesTableProps {
  nodes: readonly MarketNode[]
  orders: readonly Order[]
  machines: Machines | undefined
}

/** The provider's own nodes: what they do, who has them, what they bring, and what can be done to them. */
export function MachinesTable({ nodes, orders, machines }: MachinesTableProps) {
  const all = useMessages(ownNodeMessages)
  const text = all.machines
  const [page, setPage] = useState(1)
  const [removing, setRemoving] = useState<MarketNode>()
  const pages = Math.max(1, Math.ceil(nodes.length / PAGE))
  const at = Math.min(page, pages)
  const unknown = <span className="text-ink-3">–</span>

  const columns: Column<MarketNode>[] = [
    {
      key: 'name',
      title: all.node.name,
      head: true,
      cell: (node) => (
        <span className="block min-w-0">
          <span className="block font-medium">{node.name}</span>
          <span className="block text-xs font-normal text-ink-3">{hardwareOf(node) || all.none}</span>
        </span>
      ),
    },
    { key: 'state', title: all.node.state, cell: (node) => <NodeState node={node} /> },
    {
      key: 'use',
      title: text.use,
      cell: (node) => (machines ? <NodeUse node={node} machines={machines} /> : unknown),
    },
    {
      key: 'heat',
      title: text.heat,
      cell: (node) => {
        const hottest = machines && hottestOf(machines.now, node.nodeId)
        return hottest ? <HeatBar gpu={hottest} /> : unknown
      },
    },
    {
      key: 'order',
      title: text.order,
      cell: (node) => <NodeOrder node={node} orders={orders} />,
    },
    {
      key: 'day',
      title: text.day,
      numeric: true,
      cell: (node) => (
        <span className="block">
          <span className={node.sold ? '' : 'text-ink-3'}>
            <Money wei={node.sold ? accruedWei(node.ratePerMonthWei, DAY) : 0n} fixed />
          </span>
          <span className="block text-xs text-ink-3">
            <Money wei={node.ratePerMonthWei} fixed per={text.perMonth} />
          </span>
        </span>
      ),
    },
    { key: 'sale', title: all.node.forSale, cell: (node) => <OnlineSwitch node={node} /> },
    { key: 'actions', title: all.actions, actions: true, cell: (node) => <NodeMenu node={node} onRemove={setRemoving} /> },
  ]

  return (
    <>
      <Table
        caption={all.node.title}
        columns={columns}
        rows={nodes.slice((at - 1) * PAGE, at * PAGE)}
        rowKey={(node) => String(node.nodeId)}
      />
      <Pagination page={at} pages={pages} onChange={setPage} />
      {removing && <RemoveNodeDialog node={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

const hardwareOf = (node: MarketNode): string => modelText(node.gpu) || modelText(node.cpu)

function NodeState({ node }: { node: MarketNode }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(ownNodeMessages).node
  if (!node.online) return <StateDot tone={node.switchedOn ? 'bad' : 'off'}>{shared.offline}</StateDot>
  return <StateDot tone={node.sold ? 'run' : 'idle'}>{node.sold ? text.running : text.idling}</StateDot>
}

function NodeUse({ node, machines }: { node: MarketNode; machines: Machines }) {
  const text = useMessages(ownNodeMessages).machines
  const format = useFormat()
  const use = machines.now.nodes.find(({ nodeId }) => nodeId === node.nodeId)?.use
  if (use === undefined) return <span className="text-ink-3">–</span>
  const past = [...(machines.history.get(node.nodeId) ?? []).map((point) => point.use), use]
  return (
    <span className="inline-flex items-center gap-2">
      {past.length > 1 && (
        <span className="block w-16 max-sm:hidden">
          <Sparkline values={past} tone={node.sold ? 'run' : 'off'} label={text.lastDay(node.name)} min={0} max={1} />
        </span>
      )}
      <span className="num w-11 text-right">{format.percent(use)}</span>
    </span>
  )
}

function NodeOrder({ node, orders }: { node: MarketNode; orders: readonly Order[] }) {
  const all = useMessages(ownNodeMessages)
  const format = useFormat()
  if (node.sold)
    return (
      <span className="block whitespace-nowrap">
        <TextLink to={`/orderinfo?id=${node.orderId}`}>{all.machines.orderNumber(String(node.orderId))}</TextLink>
        <span className="block text-xs text-ink-3">
          {node.soldUntil === null ? all.machines.notStarted : all.machines.until(format.day(node.soldUntil))}
        </span>
      </span>
    )
  const last = Math.max(0, ...orders.filter((order) => order.nodeId === node.nodeId).map((order) => order.closeTime))
  return (
    <span className="text-xs text-ink-3">{last === 0 ? all.machines.neverSold : all.machines.lastSold(format.day(last))}</span>
  )
}

function NodeMenu({ node, onRemove }: { node: MarketNode; onRemove: (node: MarketNode) => void }) {
  const text = useMessages(ownNodeMessages)
  const [, go] = useLocation()
  const withReason = (label: string, reason: string) =>
    node.sold ? (
      <span>
        {label}
        <span className="block text-xs">{reason}</span>
      </span>
    ) : (
      label
    )
  return (
    <Menu
      items={[
        { key: 'detail', label: text.detail, onSelect: () => go(`/providerdetail?address=${node.provider}&node=${node.nodeId}`) },
        {
          ...{ key: 'edit', label: withReason(text.edit, text.node.editSold), disabled: node.sold },
          onSelect: () => go(`/addnode?id=${node.nodeId}`),
        },
        {
          ...{
            key: 'remove',
            label: withReason(text.node.remove, text.node.removeSold),
            disabled: node.sold,
            danger: !node.sold,
          },
          onSelect: () => onRemove(node),
        },
      ]}
    >
      <Button
        size="sm"
        variant="quiet"
        aria-label={text.node.more(node.name)}
        icon={<Ellipsis aria-hidden className="size-4" />}
      />
    </Menu>
  )
}
