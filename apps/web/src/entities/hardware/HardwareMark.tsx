import type { MarketNode } from '@rackfair/rules/node/node'
import { ShieldCheck } from 'lucide-react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { hardwareState } from './hardwareState.ts'
import { hardwareTexts } from './hardwareTexts.ts'

/** Marks a machine whose hardware is verified; with `words` where there is room for them. Nothing where it is not. */
export function HardwareMark({
  node: { verification },
  now,
  words = false,
}: {
  node: Pick<MarketNode, 'verification'>
  now: number
  words?: boolean
}) {
  const text = useMessages(hardwareTexts)
  const format = useFormat()
  if (!verification || hardwareState(verification, now) !== 'verified') return null
  const ago = format.ago(Math.min(verification.time, now), now)
  const said = text.mark(ago, text.classOf(String(verification.hardwareClass)))
  return (
    <span title={said} className="inline-flex shrink-0 items-center gap-1.5 text-xs text-ink-2">
      <ShieldCheck aria-hidden className="size-4 text-idle" />
      <span className={words ? '' : 'sr-only'}>{said}</span>
    </span>
  )
}
