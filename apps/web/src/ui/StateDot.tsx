import type { ReactNode } from 'react'
import { TONE_TEXT, type Tone } from './tone.ts'

/** A small shape of its own per state (disc, square, ring, triangle, cross), beside its word. */
export function StateDot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-2 whitespace-nowrap ${tone === 'off' ? 'text-ink-2' : ''}`}>
      <StateShape tone={tone} />
      {children}
    </span>
  )
}

export function StateShape({ tone }: { tone: Tone }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10" className={`size-2 shrink-0 ${TONE_TEXT[tone]}`} fill="currentColor">
      {tone === 'idle' && <circle cx="5" cy="5" r="4.5" />}
      {tone === 'run' && <rect x="1" y="1" width="8" height="8" rx="1" />}
      {tone === 'off' && <circle cx="5" cy="5" r="3.7" fill="none" stroke="currentColor" strokeWidth="1.6" />}
      {tone === 'warn' && <path d="M5 .6 9.8 9.4H.2Z" />}
      {tone === 'bad' && <path d="M1.5 1.5l7 7m0-7-7 7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />}
    </svg>
  )
}
