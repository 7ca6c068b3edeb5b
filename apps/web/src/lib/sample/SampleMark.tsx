import { useMessages } from '../../i18n/useMessages.ts'
import { sampleTexts } from './sampleTexts.ts'

/** Marks a machine or provider whose hardware is only pretended, as its own agent says; nothing elsewhere. */
export function SampleMark({ of }: { of: { sample?: true | undefined } | null | undefined }) {
  const text = useMessages(sampleTexts)
  if (!of?.sample) return null
  return (
    <span
      title={text.long}
      className="inline-flex h-5 shrink-0 items-center rounded-full border border-edge px-2 text-xs font-medium whitespace-nowrap text-ink-2"
    >
      {text.short}
    </span>
  )
}
