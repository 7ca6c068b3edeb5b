import { useMessages } from '../../i18n/useMessages.ts'
import { Notice } from '../../ui/Notice.tsx'
import { sampleTexts } from './sampleTexts.ts'

/** Tells a buyer that the hardware of a machine or provider is simulated; nothing otherwise. */
export function SampleNotice({ of }: { of: { sample?: boolean | undefined } | null | undefined }) {
  const text = useMessages(sampleTexts)
  return of?.sample ? <Notice title={text.title}>{text.long}</Notice> : null
}
