export interface RangeSliderProps {
  low: number
  high: number
  /** Called while a thumb moves; the two never cross. */
  onChange: (low: number, high: number) => void
  min: number
  max: number
  lowLabel: string
  highLabel: string
  /** Read to screen readers instead of the bare number. */
  valueText: (value: number) => string
}

/** A range with two thumbs. */
export function RangeSlider({ low, high, onChange, min, max, lowLabel, highLabel, valueText }: RangeSliderProps) {
  const share = (at: number) => (at - min) / (max - min || 1)
  return (
    <div className="range-pair" style={{ '--low': share(low), '--high': share(high) } as React.CSSProperties}>
      <input
        type="range"
        className="slider"
        min={min}
        max={max}
        value={low}
        aria-label={lowLabel}
        aria-valuetext={valueText(low)}
        onChange={(event) => onChange(Math.min(event.target.valueAsNumber, high - 1), high)}
      />
      <input
        type="range"
        className="slider"
        min={min}
        max={max}
        value={high}
        aria-label={highLabel}
        aria-valuetext={valueText(high)}
        onChange={(event) => onChange(low, Math.max(event.target.valueAsNumber, low + 1))}
      />
    </div>
  )
}
