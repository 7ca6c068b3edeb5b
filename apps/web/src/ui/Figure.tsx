import type { ReactNode } from 'react'
import { TONE_TEXT, type Tone } from './tone.ts'

/** A large figure with its word above or below. */
export function Figure({
  term,
  children,
  tone,
  termBelow = false,
}: {
  term: ReactNode
  children: ReactNode
  tone?: Tone
  termBelow?: boolean
}) {
  return (
    <div className={`flex min-w-0 justify-between ${termBelow ? 'flex-col-reverse' : 'flex-col'}`}>
      <div className="text-xs text-ink-3">{term}</div>
      <div className={`num text-lg ${tone === undefined ? '' : TONE_TEXT[tone]}`}>{children}</div>
    </div>
  )
}
