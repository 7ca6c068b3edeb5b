import { TONE_STROKE, type Tone } from './tone.ts'

/** A line without axes. `label` says what it shows and its last value. */
export function Sparkline({
  values,
  label,
  tone = 'ink',
  min,
  max,
}: {
  values: readonly number[]
  label: string
  tone?: Tone | 'ink' | 'accent'
  /** The ends of the scale, where lines beside each other are to be compared; else the least and the greatest value. */
  min?: number
  max?: number
}) {
  const low = min ?? Math.min(...values)
  const high = max ?? Math.max(...values)
  const points = values.map((value, index) => {
    const x = (index / Math.max(1, values.length - 1)) * 100
    const y = high === low ? 12 : 22 - ((value - low) / (high - low)) * 20
    return `${x.toFixed(2)},${y.toFixed(2)}`
  })
  return (
    <svg role="img" aria-label={label} viewBox="0 0 100 24" preserveAspectRatio="none" className="h-6 w-full">
      <polyline
        points={points.join(' ')}
        fill="none"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
        className={TONE_STROKE[tone]}
      />
    </svg>
  )
}
