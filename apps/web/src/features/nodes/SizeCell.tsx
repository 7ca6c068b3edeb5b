import { StateShape } from '../../ui/StateDot.tsx'

/** An amount of memory or storage; none of it is marked, since nothing can run there. */
export function SizeCell({ size, words, missing }: { size: number; words: string; missing: string }) {
  if (size > 0) return <span className="num">{words}</span>
  return (
    <span title={missing} className="num inline-flex items-center gap-1.5 text-warn">
      <StateShape tone="warn" />
      {words}
      <span className="sr-only">{missing}</span>
    </span>
  )
}
