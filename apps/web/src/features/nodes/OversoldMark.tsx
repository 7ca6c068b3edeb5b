import type { NodeOffer } from '@rackfair/rules/node/node'
import { useOversoldText } from '../../entities/provider/oversold/useOversoldText.ts'
import { StateShape } from '../../ui/StateDot.tsx'

/** Marks a machine whose provider sells more than its computer has; with `words` where there is room for them. */
export function OversoldMark({ node, words = false }: { node: NodeOffer; words?: boolean }) {
  const oversold = useOversoldText(node.oversold)
  if (!oversold) return null
  return (
    <span title={oversold.long} className="inline-flex shrink-0 items-center gap-1.5 text-xs text-warn">
      <StateShape tone="warn" />
      <span className={words ? '' : 'sr-only'}>{oversold.short}</span>
    </span>
  )
}
