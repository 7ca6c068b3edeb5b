import { useSyncExternalStore } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { Table } from '../../ui/Table.tsx'
import { currentHistory, forgetHistory, type HistoryEntry, subscribeHistory } from './callHistory.ts'
import { consoleMessages } from './messages.ts'

/** The calls of this session; each can be opened again with its parameters. */
export function HistoryCard({ onOpen }: { onOpen: (entry: HistoryEntry) => void }) {
  const text = useMessages(consoleMessages).history
  const format = useFormat()
  const entries = useSyncExternalStore(subscribeHistory, currentHistory, currentHistory)
  return (
    <Card
      title={text.title}
      aside={
        entries.length > 0 ? (
          <Button size="sm" variant="quiet" onClick={forgetHistory}>
            {text.clear}
          </Button>
        ) : undefined
      }
    >
      {entries.length === 0 ? (
        <p className="text-ink-3">{text.empty}</p>
      ) : (
        <Table<HistoryEntry>
          caption={text.title}
          rows={entries}
          rowKey={(entry) => String(entry.time)}
          columns={[
            {
              key: 'call',
              title: text.call,
              head: true,
              cell: (entry) => (
                <span className="num font-medium">
                  {entry.contract}.{entry.name}
                </span>
              ),
            },
            { key: 'when', title: text.when, cell: (entry) => <span className="num">{format.clock(entry.time / 1000)}</span> },
            {
              key: 'did',
              title: text.did,
              cell: (entry) => <StateDot tone={entry.ok ? 'idle' : 'bad'}>{text.didWords[entry.did]}</StateDot>,
            },
            {
              key: 'outcome',
              title: text.outcome,
              cell: (entry) => <span className="num text-xs break-all">{entry.summary}</span>,
            },
            {
              key: 'again',
              title: text.actions,
              actions: true,
              cell: (entry) => (
                <Button size="sm" onClick={() => onOpen(entry)} aria-label={`${text.again}: ${entry.contract}.${entry.name}`}>
                  {text.again}
                </Button>
              ),
            },
          ]}
        />
      )}
    </Card>
  )
}
