import { useFormat } from '../../i18n/useFormat.ts'

export interface RefundCurveProps {
  feeWei: bigint
  /** Unix seconds. */
  start: number
  end: number
}

/** What a cancel brings back, from all of the fee at the start to nothing at the end. For the eye: the words beside it say the same. */
export function RefundCurve({ feeWei, start, end }: RefundCurveProps) {
  const format = useFormat()
  return (
    <div aria-hidden className="num text-xs text-ink-3">
      <div className="flex gap-2">
        <span className="flex h-20 flex-col justify-between text-right leading-none">
          <span>{format.usd(feeWei)}</span>
          <span>{format.usd(0n)}</span>
        </span>
        <svg aria-hidden viewBox="0 0 100 80" preserveAspectRatio="none" className="h-20 min-w-0 grow border-b border-line">
          <polygon points="0,4 100,80 0,80" className="fill-idle-soft" />
          <line x1="0" y1="4" x2="100" y2="80" strokeWidth="1.5" vectorEffect="non-scaling-stroke" className="stroke-idle" />
        </svg>
      </div>
      <p className="mt-1 flex justify-between">
        <span>{format.date(start)}</span>
        <span>{format.date(end)}</span>
      </p>
    </div>
  )
}
