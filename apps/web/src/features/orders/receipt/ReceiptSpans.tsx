import type { OrderReceipt, ReceiptPeriod } from '@rackfair/sdk/http'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Hash } from '../../../ui/Hash.tsx'
import { Money } from '../../../ui/Money.tsx'
import { StateDot } from '../../../ui/StateDot.tsx'
import { type Column, Table } from '../../../ui/Table.tsx'
import { TONE_FILL, type Tone } from '../../../ui/tone.ts'
import { receiptMessages } from './messages.ts'

type Span = ReceiptPeriod

const TONES: Record<Span['kind'], Tone> = { paid: 'run', down: 'warn', late: 'bad', pending: 'off', free: 'idle', unused: 'off' }

/** Every second of an order, each named once: a strip of the whole time and a line for each part of it. */
export function ReceiptSpans({ receipt: { order, spans } }: { receipt: OrderReceipt }) {
  const text = useMessages(receiptMessages)
  const format = useFormat()
  if (spans.length === 0) return <p className="py-2 text-ink-2">{order.activateTime > 0 ? text.noneYet : text.none}</p>
  const yearOf = (time: number) => new Date(time * 1000).getUTCFullYear()
  const isOneYear = yearOf(order.createTime) === yearOf(spans.at(-1)?.until ?? 0)
  const moment = (time: number) => (
    <span className={`num text-xs ${isOneYear ? 'whitespace-nowrap' : ''}`}>
      {isOneYear ? format.utcStamp(time) : format.utc(time)}
    </span>
  )
  const columns: Column<Span>[] = [
    { key: 'from', title: text.from, head: true, cell: ({ from }) => moment(from) },
    { key: 'until', title: text.to, cell: ({ until }) => moment(until) },
    { key: 'what', title: text.what, cell: ({ kind }) => <StateDot tone={TONES[kind]}>{text.kinds[kind]}</StateDot> },
    { key: 'seconds', title: text.seconds, numeric: true, cell: ({ from, until }) => format.number(until - from) },
    { key: 'earned', title: text.earned, numeric: true, cell: ({ earnedWei }) => <Amount wei={earnedWei} /> },
    { key: 'back', title: text.back, numeric: true, cell: ({ backWei }) => <Amount wei={backWei} /> },
    { key: 'evidence', title: text.evidence, cell: (span) => <Evidence span={span} /> },
    {
      key: 'hash',
      title: text.transaction,
      numeric: true,
      cell: ({ transactionHash }) => (
        <span className="whitespace-nowrap">{transactionHash === null ? '–' : <Hash value={transactionHash} />}</span>
      ),
    },
  ]
  return (
    <div className="sheet-lines">
      <Strip spans={spans} />
      <Table caption={text.caption} columns={columns} rows={spans} rowKey={({ from }) => String(from)} />
      <Sum spans={spans} />
    </div>
  )
}

function Strip({ spans }: { spans: readonly Span[] }) {
  const text = useMessages(receiptMessages)
  const format = useFormat()
  const [first, last] = [spans[0]?.from ?? 0, spans.at(-1)?.until ?? 0]
  const kinds = [...new Set(spans.map(({ kind }) => kind))].map((kind) => {
    const seconds = spans.reduce((sum, span) => (span.kind === kind ? sum + span.until - span.from : sum), 0)
    return text.part(text.kinds[kind], format.duration(seconds, 1))
  })
  return (
    <div className="mt-2 mb-2">
      <div role="img" aria-label={text.strip(kinds.join(', '))} className="flex h-3 overflow-hidden bg-sunk">
        {spans.map(({ kind, from, until }) => (
          <span
            key={from}
            className={`${kind === 'unused' ? 'bg-sunk' : TONE_FILL[TONES[kind]]} ${kind === 'down' || kind === 'late' ? 'min-w-0.5' : ''}`}
            style={{ flexGrow: until - from, flexBasis: 0 }}
          />
        ))}
      </div>
      <p className="num mt-1 flex justify-between text-xs text-ink-3">
        <span>{format.day(first)}</span>
        <span>{format.day(last)}</span>
      </p>
    </div>
  )
}

const Amount = ({ wei }: { wei: bigint }) => (wei === 0n ? '–' : <Money wei={wei} digits={6} />)

function Evidence({ span: { agreed, reported, epochs } }: { span: Span }) {
  const text = useMessages(receiptMessages)
  const format = useFormat()
  if (reported > 0) return text.agreed(format.number(agreed), format.number(reported))
  return epochs > 0 ? text.epochs(epochs) : '–'
}

function Sum({ spans }: { spans: readonly Span[] }) {
  const text = useMessages(receiptMessages)
  const format = useFormat()
  const sum = (key: 'earnedWei' | 'backWei') => spans.reduce((total, span) => total + span[key], 0n)
  const seconds = spans.reduce((total, { from, until }) => total + until - from, 0)
  return (
    <dl className="flex flex-wrap justify-end gap-x-6 gap-y-1 border-t border-line py-2 font-semibold">
      {[
        { term: text.seconds, value: format.number(seconds) },
        { term: text.earned, value: <Money wei={sum('earnedWei')} digits={6} /> },
        { term: text.back, value: <Money wei={sum('backWei')} digits={6} /> },
      ].map(({ term, value }) => (
        <div key={term} className="flex gap-2">
          <dt className="font-normal text-ink-3">{term}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
