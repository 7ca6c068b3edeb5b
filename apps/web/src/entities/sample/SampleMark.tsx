import { useMessages } from '../../i18n/useMessages.ts'
import { sampleTexts } from './sampleTexts.ts'

export interface SampleMarkProps {
  of: { sample?: boolean | undefined } | null | undefined
  bare?: boolean
}

/** Marks a machine or provider whose agent declares its hardware as simulated; nothing otherwise. `bare` is for a line of its own. */
export function SampleMark({ of, bare = false }: SampleMarkProps) {
  const text = useMessages(sampleTexts)
  if (!of?.sample) return null
  return (
    <span
      title={text.long}
      className={`shrink-0 text-xs font-medium whitespace-nowrap text-ink-2 ${bare ? 'block leading-none' : 'inline-flex h-5 items-center rounded-full border border-edge px-2'}`}
    >
      {text.short}
    </span>
  )
}
