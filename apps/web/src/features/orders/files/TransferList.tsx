import { ArrowDownToLine, ArrowUpFromLine, X } from 'lucide-react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { Button } from '../../../ui/Button.tsx'
import { nameOf, shownName } from './filePaths.ts'
import { fileSize } from './fileSize.ts'
import { fileMessages } from './messages.ts'
import type { Transfer } from './Transfers.ts'

export interface TransferListProps {
  transfers: readonly Transfer[]
  onRemove: (id: number) => void
  onClearDone: () => void
  /** Resends a file, replacing the existing one. */
  onReplace: (id: number) => void
}

/** The current transfers, newest last. */
export function TransferList({ transfers, onRemove, onClearDone, onReplace }: TransferListProps) {
  const text = useMessages(fileMessages)
  if (transfers.length === 0) return null
  return (
    <section aria-label={text.transfers} className="border-t border-line">
      <div className="flex items-center justify-between gap-3 px-edge pt-3">
        <h3 className="text-sm">{text.transfers}</h3>
        {transfers.some(({ state }) => state === 'done') && (
          <Button size="sm" variant="quiet" onClick={onClearDone}>
            {text.clearDone}
          </Button>
        )}
      </div>
      <ul className="max-h-60 overflow-y-auto pb-2">
        {transfers.map((one) => (
          <TransferRow key={one.id} transfer={one} onRemove={onRemove} onReplace={onReplace} />
        ))}
      </ul>
    </section>
  )
}

type RowProps = Pick<TransferListProps, 'onRemove' | 'onReplace'> & { transfer: Transfer }

function TransferRow({ transfer, onRemove, onReplace }: RowProps) {
  const text = useMessages(fileMessages)
  const format = useFormat()
  const errorText = useErrorText()
  const { id, direction, path, bytes, size, state, error, notIncluded = 0 } = transfer
  const name = shownName(nameOf(path))
  const Icon = direction === 'up' ? ArrowUpFromLine : ArrowDownToLine
  const isOver = state === 'done' || state === 'failed'
  const label = (direction === 'up' ? text.up : text.down)(shownName(path))
  const share = size === undefined || size === 0 ? (state === 'done' ? 1 : 0) : bytes / size
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-edge py-1.5 text-sm">
      <Icon aria-hidden className="size-3.5 shrink-0 text-ink-3" />
      <span className="num min-w-0 flex-1 truncate" title={shownName(path)}>
        {name}
      </span>
      <span className="num text-xs text-ink-3">
        {size === undefined ? fileSize(format, bytes) : text.progress(fileSize(format, bytes), fileSize(format, size))}
      </span>
      <span className="w-24 max-sm:hidden">
        <Bar
          label={`${label}: ${format.percent(share)}`}
          parts={[{ share, tone: state === 'failed' ? 'bad' : state === 'lost' ? 'warn' : state === 'done' ? 'idle' : 'run' }]}
        />
      </span>
      <span role="status" className={`text-xs ${state === 'failed' ? 'text-bad' : 'text-ink-2'}`}>
        {text.states[state]}
      </span>
      {error?.code === 'file_exists' && direction === 'up' && (
        <Button size="sm" onClick={() => onReplace(id)}>
          {text.replace}
        </Button>
      )}
      <Button
        size="sm"
        variant="quiet"
        aria-label={isOver ? text.dismiss(name) : text.stop(name)}
        title={isOver ? text.dismiss(name) : text.stop(name)}
        icon={<X aria-hidden className="size-3.5" />}
        onClick={() => onRemove(id)}
      />
      {notIncluded > 0 && <p className="w-full text-xs text-ink-2">{text.notIncluded(notIncluded)}</p>}
      {error && state === 'failed' && <p className="w-full text-xs text-bad">{errorText(error).full}</p>}
    </li>
  )
}
