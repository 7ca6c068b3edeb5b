import { TONE_FILL, type Tone } from './tone.ts'

export interface BarProps {
  /** Shares from 0 to 1, drawn from the left. */
  parts: readonly { share: number; tone: Tone | 'ink' }[]
  /** Says the figures for screen readers. */
  label: string
}

export function Bar({ parts, label }: BarProps) {
  return (
    <div role="img" aria-label={label} className="flex h-2.5 overflow-hidden rounded-full border border-line bg-sunk">
      {parts.map((part) => (
        <span
          key={part.tone}
          className={TONE_FILL[part.tone]}
          style={{ width: `${Math.min(1, Math.max(0, part.share)) * 100}%` }}
        />
      ))}
    </div>
  )
}
