import type { PledgeMove } from '@rackfair/sdk/http'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Hash } from '../../../ui/Hash.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Table } from '../../../ui/Table.tsx'
import { useMarket } from '../../../wallet/index.ts'
import { moneyMessages } from '../messages.ts'

const PAGE = 10

/** Each change of the pledge and each payment of interest, with its transaction. */
export function PledgeMoves({ moves }: { moves: readonly PledgeMove[] }) {
  const text = useMessages(moneyMessages).pledgeHistory
  const format = useFormat()
  const market = useMarket()
  const [page, setPage] = useState(1)
  const explorerUrl = market.status === 'ready' ? market.market.explorerUrl : null
  const pages = Math.max(1, Math.ceil(moves.length / PAGE))
  const at = Math.min(page, pages)
  return (
    <Section title={text.moves}>
      <Table
        caption={text.moves}
        rows={moves.slice((at - 1) * PAGE, at * PAGE).map((move, index) => ({ ...move, index }))}
        rowKey={(move) => `${move.block}-${move.index}`}
        columns={[
          { key: 'kind', title: text.move, head: true, cell: (move) => text.kinds[move.kind] },
          { key: 'time', title: text.time, cell: (move) => format.dateTime(move.time) },
          {
            key: 'transaction',
            title: text.transaction,
            cell: (move) => <Hash value={move.transactionHash} explorerUrl={explorerUrl} />,
          },
          { key: 'amount', title: text.amount, numeric: true, cell: (move) => <Money wei={move.amountWei} digits={6} /> },
        ]}
      />
      <Pagination page={at} pages={pages} onChange={setPage} />
    </Section>
  )
}
