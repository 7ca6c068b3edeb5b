import type { ReactNode } from 'react'
import { StateShape } from './StateDot.tsx'
import { TONE_CHIP, type Tone } from './tone.ts'

/** A word on a soft ground. `dot` adds the shape of the state. */
export function Badge({ tone = 'off', dot = false, children }: { tone?: Tone; dot?: boolean; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-6 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap ${TONE_CHIP[tone]}`}
    >
      {dot && <StateShape tone={tone} />}
      {children}
    </span>
  )
}
