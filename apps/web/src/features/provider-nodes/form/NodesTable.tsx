import { modelText } from '@rackfair/rules/node/name'
import type { MarketNode } from '@rackfair/rules/node/node'
import { useState } from 'react'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { StateDot } from '../../../ui/StateDot.tsx'
import { type Column, Table } from '../../../ui/Table.tsx'
import { ownNodeMessages } from '../messages.ts'

const PAGE = 20

/** The nodes that were added so far. */
export function NodesTable({ nodes }: { nodes: readonly MarketNode[] }) {
  const text = useMessages(ownNodeMessages)
  const format = useFormat()
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(nodes.length / PAGE))
  const shown = nodes.slice((Math.min(page, pages) - 1) * PAGE, Math.min(page, pages) * PAGE)

  const columns: Column<MarketNode>[] = [
    { key: 'name', title: text.node.name, head: true, cell: (node) => <span className="font-medium">{node.name}</span> },
    { key: 'cpu', title: text.node.cpu, cell: (node) => modelText(node.cpu) || text.none },
    { key: 'gpu', title: text.node.gpu, cell: (node) => modelText(node.gpu) || text.none },
    {
      key: 'memory',
      title: text.node.memory,
      numeric: true,
      cell: (node) => (node.memoryGb === 0 ? text.none : format.gigabytes(node.memoryGb)),
    },
    {
      key: 'storage',
      title: text.node.storage,
      numeric: true,
      cell: (node) => (node.diskGb === 0 ? text.none : format.storage(node.diskGb)),
    },
    { key: 'price', title: text.node.price, numeric: true, cell: (node) => <Money wei={node.ratePerMonthWei} /> },
    { key: 'state', title: text.node.state, cell: (node) => <NodeStates node={node} /> },
    {
      key: 'actions',
      title: text.actions,
      actions: true,
      cell: (node) =>
        node.sold ? (
          <Button size="sm" disabledReason={text.node.editSold} reasonAs="tooltip">
            {text.edit}
          </Button>
        ) : (
          <ButtonLink size="sm" to={`/addnode?id=${node.nodeId}`} aria-label={`${text.edit}: ${node.name}`}>
            {text.edit}
          </ButtonLink>
        ),
    },
  ]

  return (
    <>
      <Table caption={text.node.title} columns={columns} rows={shown} rowKey={(node) => String(node.nodeId)} />
      <Pagination page={Math.min(page, pages)} pages={pages} onChange={setPage} />
    </>
  )
}

function NodeStates({ node }: { node: MarketNode }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(ownNodeMessages).node
  const format = useFormat()
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <StateDot tone={node.sold ? 'run' : 'idle'}>
        {!node.sold ? text.idling : node.soldUntil === null ? text.running : text.runningUntil(format.day(node.soldUntil))}
      </StateDot>
      <StateDot tone={node.online ? 'idle' : 'off'}>{node.online ? shared.online : shared.offline}</StateDot>
      {node.deployed && <Badge tone="run">{text.deployed}</Badge>}
    </span>
  )
}
