import { useMessages } from '../../i18n/useMessages.ts'
import { MAX_COMPARED, toggleCompared, useCompared } from './compareStore.ts'
import { nodeMessages } from './messages.ts'
import type { ListedNode } from './useNodeSearch.ts'
import { rowKey } from './useScrollAnchor.ts'

/** Takes a machine into the comparison. */
export function CompareBox({ row, boxed = false }: { row: ListedNode; boxed?: boolean }) {
  const text = useMessages(nodeMessages).compare
  const chosen = useCompared()
  const checked = chosen.some((other) => rowKey(other) === rowKey(row))
  const full = !checked && chosen.length >= MAX_COMPARED
  return (
    <label
      title={full ? text.full : undefined}
      className={`grid cursor-pointer place-items-center ${boxed ? 'size-9 rounded-md border border-line-2 bg-raised' : 'size-8'}`}
    >
      <input
        type="checkbox"
        className="check"
        aria-label={text.choose(row.name)}
        checked={checked}
        disabled={full}
        onChange={() => toggleCompared(row)}
      />
    </label>
  )
}
