import { TONE_STROKE, type Tone } from './tone.ts'

const LENGTH = 2 * Math.PI * 15

/** A share from 0 to 1 as a ring. The figure itself stands beside it, so the drawing is hidden from screen readers. */
export function Ring({ share, tone = 'run', large = false }: { share: number; tone?: Tone; large?: boolean }) {
  const filled = Math.min(1, Math.max(0, share)) * LENGTH
  return (
    <svg aria-hidden="true" viewBox="0 0 36 36" fill="none" className={`shrink-0 ${large ? 'size-14' : 'size-10'}`}>
      <circle cx="18" cy="18" r="15" strokeWidth="5" className="stroke-line" />
      <circle
        cx="18"
        cy="18"
        r="15"
        strokeWidth="5"
        className={TONE_STROKE[tone]}
        strokeDasharray={`${filled} ${LENGTH}`}
        transform="rotate(-90 18 18)"
      />
    </svg>
  )
}
