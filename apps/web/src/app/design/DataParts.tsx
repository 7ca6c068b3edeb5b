import { useState } from 'react'
import { Address } from '../../ui/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Bar } from '../../ui/Bar.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Copyable } from '../../ui/Copyable.tsx'
import { DayBars } from '../../ui/DayBars.tsx'
import { Dotted } from '../../ui/Dotted.tsx'
import { FactGrid } from '../../ui/FactGrid.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { LoadMore } from '../../ui/LoadMore.tsx'
import { Money } from '../../ui/Money.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { Ring } from '../../ui/Ring.tsx'
import { Section } from '../../ui/Section.tsx'
import { Sparkline } from '../../ui/Sparkline.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { Table } from '../../ui/Table.tsx'
import { TimeSeries } from '../../ui/TimeSeries.tsx'

const TONES = ['idle', 'run', 'off', 'warn', 'bad'] as const
const HASH = `0x${'90ab'.repeat(16)}`
const ROWS = [
  { name: 'helios-3', gpu: 'RTX 3090 × 2', wei: 264n * 10n ** 18n, tone: 'idle', word: 'Idling' },
  { name: 'kiln-7', gpu: 'RTX 4090 × 2', wei: 3499n * 10n ** 17n, tone: 'run', word: 'Running' },
  { name: 'fjord-12', gpu: 'RTX 4090 × 1', wei: 366n * 10n ** 18n, tone: 'off', word: 'Offline' },
] as const

const DAYS = Array.from({ length: 7 }, (_, day) => (20_000 + day) * 86_400)

export function DataParts() {
  return (
    <Section title="Data">
      <Card title="States" aside="a word and a shape each">
        <div className="flex flex-wrap gap-4">
          {TONES.map((tone) => (
            <span key={tone} className="flex items-center gap-3">
              <Badge tone={tone} dot>
                {tone}
              </Badge>
              <StateDot tone={tone}>
                <Spoken as={tone}>{tone}</Spoken>
              </StateDot>
            </span>
          ))}
          <Badge>Deployed</Badge>
        </div>
      </Card>
      <TableCard />
      <Card title="Table, loading" flush>
        <div className="px-5 pb-3">
          <Table
            caption="Loading"
            rows={[]}
            rowKey={() => ''}
            loadingRows={2}
            columns={[{ key: 'name', title: 'Name', cell: () => null }]}
          />
        </div>
      </Card>
      <Card title="Facts in a grid">
        <FactGrid
          facts={[
            { term: 'Memory', value: '57.6 GB' },
            { term: 'Cores', value: '32' },
            { term: 'Orders completed', value: '41' },
          ]}
        />
      </Card>
      <FigureCards />
      <Series />
    </Section>
  )
}

function TableCard() {
  const [page, setPage] = useState(2)
  const [up, setUp] = useState(true)
  return (
    <Card title="Table" flush>
      <div className="px-5 pb-3">
        <Table
          caption="Machines"
          rows={ROWS}
          rowKey={(row) => row.name}
          columns={[
            { key: 'name', title: 'Name', head: true, cell: (row) => <b className="font-semibold">{row.name}</b> },
            { key: 'gpu', title: 'GPU', cell: (row) => <span className="num">{row.gpu}</span> },
            {
              key: 'price',
              title: 'Price / month',
              numeric: true,
              sort: { state: up ? 'up' : 'down', onToggle: () => setUp(!up) },
              cell: (row) => <Money wei={row.wei} />,
            },
            {
              key: 'state',
              title: 'State',
              cell: (row) => (
                <Badge tone={row.tone} dot>
                  {row.word}
                </Badge>
              ),
            },
            {
              key: 'actions',
              title: 'Actions',
              actions: true,
              cell: (row) =>
                row.tone === 'idle' ? (
                  <Button variant="accent">Buy</Button>
                ) : (
                  <Button reasonAs="tooltip" disabledReason="Sold until 3 January.">
                    Buy
                  </Button>
                ),
            },
          ]}
        />
        <Pagination page={page} pages={5} onChange={setPage} />
        <LoadMore onLoad={() => undefined} pending={page === 3} />
      </div>
    </Card>
  )
}

function FigureCards() {
  return (
    <div className="cols-cards">
      <Card title="Figures">
        <div className="cols-figures">
          <Figure term="Earned by the provider">
            <Money wei={203_184_412_000_000_000_000n} digits={6} />
          </Figure>
          <Figure term="Back for downtime" tone="idle">
            <Money wei={59n * 10n ** 17n} />
          </Figure>
          <Figure term="Rate" termBelow>
            <Money wei={441_700_000_000_000_000n} digits={4} per="/h" />
          </Figure>
        </div>
      </Card>
      <Card title="Facts">
        <Facts
          facts={[
            { term: 'Provider', value: <Address value="0x9f00000000000000000000000000000000003c2a" /> },
            { term: 'Transaction', value: <Hash value={HASH} /> },
            { term: 'Whole', value: <Copyable value="127.0.0.1:7070" /> },
            { term: 'In a line', value: <Dotted parts={['4 CPU', '64 GB', '1.5 TB']} /> },
            { term: 'On the explorer', value: <Hash value={HASH} explorerUrl="https://explorer.example" /> },
          ]}
        />
      </Card>
      <Card title="Shares">
        <div className="flex flex-col gap-4">
          <div className="flex items-center gap-4">
            <Ring share={0.71} />
            <Ring share={0} />
            <Ring share={1} tone="warn" large />
          </div>
          <Bar
            label="21 % earned, 1 % back"
            parts={[
              { share: 0.213, tone: 'run' },
              { share: 0.006, tone: 'idle' },
            ]}
          />
          <Bar label="Time used" parts={[{ share: 0.214, tone: 'ink' }]} />
          <Sparkline values={[1, 4, 2, 6, 5, 9]} label="Orders, last value 9" tone="accent" />
          <Sparkline values={[3, 3, 3]} label="Flat" />
        </div>
      </Card>
    </div>
  )
}

function Series() {
  const times = Array.from({ length: 48 }, (_, index) => 1_795_000_000 + index * 1800)
  const used = times.map((_, index) => (index === 20 ? null : 90 + Math.round(18 * Math.sin(index / 6))))
  const idle = times.map((_, index) => 70 - Math.round(18 * Math.sin(index / 6)))
  return (
    <>
      <Card title="Capacity">
        <TimeSeries
          label="Nodes used and idle"
          times={times}
          series={[
            { name: 'Used', tone: 'run', values: used },
            { name: 'Idle', tone: 'idle', values: idle },
          ]}
        />
      </Card>
      <Card title="Days">
        <DayBars
          label="Orders of each day"
          days={DAYS}
          values={[3, 5, 2, 8, 6, 9, 4]}
          formatValue={String}
          formatDay={(seconds) => new Date(seconds * 1000).toISOString().slice(0, 10)}
          today="Today"
        />
      </Card>
    </>
  )
}
