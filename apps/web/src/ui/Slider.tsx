import { useFieldIds } from './fieldContext.ts'

export interface SliderProps {
  value: number
  onChange: (value: number) => void
  min: number
  max: number
  step?: number
  /** Values written under the track, as they are unless `markText` has words for them. */
  marks?: readonly number[]
  markText?: (mark: number) => string
  /** Read to screen readers instead of the bare number. */
  valueText?: string
  label?: string
}

export function Slider({ value, onChange, min, max, step = 1, marks = [], markText = String, valueText, label }: SliderProps) {
  const field = useFieldIds()
  const share = (at: number) => (at - min) / (max - min || 1)
  return (
    <div className="flex flex-col gap-1">
      <input
        id={field.id}
        type="range"
        className="slider"
        style={{ '--share': share(Math.min(max, Math.max(min, value))) } as React.CSSProperties}
        min={min}
        max={max}
        step={step}
        value={value}
        aria-label={label}
        aria-valuetext={valueText}
        aria-describedby={field.describedBy}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      {marks.length > 0 && (
        <div aria-hidden className="num relative h-5 text-xs text-ink-3">
          {marks.map((mark) => (
            <span
              key={mark}
              className={`absolute ${mark === min ? '' : mark === max ? '-translate-x-full' : '-translate-x-1/2'}`}
              style={{ left: `${share(mark) * 100}%` }}
            >
              {markText(mark)}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}
