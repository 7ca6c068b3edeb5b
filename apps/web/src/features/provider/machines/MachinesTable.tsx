import { accruedWei, cpuText, gpuText } from '@rackfair/core'
import type { NodeWire, OrderWire } from '@rackfair/core/wire'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
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
import { providerMessages } from '../messages.ts'
import { nodeFacts } from '../nodes/nodeFacts.ts'
import { OnlineSwitch } from '../nodes/OnlineSwitch.tsx'
import { RemoveNodeDialog } from '../nodes/RemoveNodeDialog.tsx'
import { HeatBar } from './HeatBar.tsx'
import { hottestOf } from './nodeHeat.ts'
import type { Machines } from './useMachines.ts'

const PAGE = 20
const DAY = 86_400n

interface MachinesTableProps {
  nodes: readonly NodeWire[]
  orders: readonly OrderWire[]
  machines: Machines | undefined
}

/** The provider's own nodes: what they do, who has them, what they bring, and what can be done to them. */
export function MachinesTable({ nodes, orders, machines }: MachinesTableProps) {
  const all = useMessages(providerMessages)
  const text = all.machines
  const [page, setPage] = useState(1)
  const [removing, setRemoving] = useState<NodeWire>()
  const pages = Math.max(1, Math.ceil(nodes.length / PAGE))
  const at = Math.min(page, pages)
  const unknown = <span className="text-ink-3">–</span>

  const columns: Column<NodeWire>[] = [
    {
      key: 'name',
      title: all.nodes.name,
      head: true,
      cell: (node) => (
        <span className="block min-w-0">
          <span className="block font-medium">{node.nodename}</span>
          <span className="block text-xs font-normal text-ink-3">{hardwareOf(node) || all.none}</span>
        </span>
      ),
    },
    { key: 'state', title: all.nodes.state, cell: (node) => <NodeState node={node} /> },
    {
      key: 'use',
      title: text.use,
      cell: (node) => (machines ? <NodeUse node={node} machines={machines} /> : unknown),
    },
    {
      key: 'heat',
      title: text.heat,
      cell: (node) => {
        const hottest = machines && hottestOf(machines.now, node.id)
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
            <Money wei={node.sold ? accruedWei(BigInt(node.ratePerMonth), DAY) : 0n} fixed />
          </span>
          <span className="block text-xs text-ink-3">
            <Money wei={BigInt(node.ratePerMonth)} fixed per={text.perMonth} />
          </span>
        </span>
      ),
    },
    { key: 'sale', title: all.nodes.forSale, cell: (node) => <OnlineSwitch node={node} /> },
    { key: 'actions', title: all.actions, actions: true, cell: (node) => <NodeMenu node={node} onRemove={setRemoving} /> },
  ]

  return (
    <>
      <Table
        caption={all.nodes.title}
        columns={columns}
        rows={nodes.slice((at - 1) * PAGE, at * PAGE)}
        rowKey={(node) => String(node.id)}
      />
      <Pagination page={at} pages={pages} onChange={setPage} />
      {removing && <RemoveNodeDialog node={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

const hardwareOf = (node: NodeWire): string => (node.gpu.num > 0 ? gpuText(nodeFacts(node)) : cpuText(nodeFacts(node)))

function NodeState({ node }: { node: NodeWire }) {
  const text = useMessages(providerMessages).nodes
  if (!node.online) return <StateDot tone={node.switchedOn ? 'bad' : 'off'}>{text.offline}</StateDot>
  return <StateDot tone={node.sold ? 'run' : 'idle'}>{node.sold ? text.running : text.idling}</StateDot>
}

function NodeUse({ node, machines }: { node: NodeWire; machines: Machines }) {
  const text = useMessages(providerMessages).machines
  const format = useFormat()
  const use = machines.now.nodes.find(({ nodeId }) => nodeId === node.id)?.use
  if (use === undefined) return <span className="text-ink-3">–</span>
  const past = [...(machines.history.get(node.id) ?? []).map((point) => point.use), use]
  return (
    <span className="inline-flex items-center gap-2">
      {past.length > 1 && (
        <span className="block w-16 max-sm:hidden">
          <Sparkline values={past} tone={node.sold ? 'run' : 'off'} label={text.lastDay(node.nodename)} min={0} max={1} />
        </span>
      )}
      <span className="num w-11 text-right">{format.percent(use)}</span>
    </span>
  )
}

function NodeOrder({ node, orders }: { node: NodeWire; orders: readonly OrderWire[] }) {
  const all = useMessages(providerMessages)
  const format = useFormat()
  if (node.sold)
    return (
      <span className="block whitespace-nowrap">
        <TextLink to={`/orderinfo?id=${node.orderId}`}>{all.orders.number(node.orderId)}</TextLink>
        <span className="block text-xs text-ink-3">
          {node.soldUntil === null ? all.orders.endsUnknown : all.machines.until(format.day(node.soldUntil))}
        </span>
      </span>
    )
  const last = Math.max(0, ...orders.filter((order) => order.node_id === node.id).map((order) => order.closeTime))
  return (
    <span className="text-xs text-ink-3">{last === 0 ? all.machines.neverSold : all.machines.lastSold(format.day(last))}</span>
  )
}

function NodeMenu({ node, onRemove }: { node: NodeWire; onRemove: (node: NodeWire) => void }) {
  const text = useMessages(providerMessages)
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
        { key: 'detail', label: text.detail, onSelect: () => go(`/providerdetail?address=${node.cp}&node=${node.id}`) },
        {
          ...{ key: 'edit', label: withReason(text.edit, text.nodes.editSold), disabled: node.sold },
          onSelect: () => go(`/addnode?id=${node.id}`),
        },
        {
          ...{
            key: 'remove',
            label: withReason(text.nodes.remove, text.nodes.removeSold),
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
        aria-label={text.nodes.more(node.nodename)}
        icon={<Ellipsis aria-hidden className="size-4" />}
      />
    </Menu>
  )
}
