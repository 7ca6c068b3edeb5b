import type { KeyLimits, PurseRight } from '@rackfair/sdk'
import { ShieldCheck } from 'lucide-react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { maySpend, worstWei } from './keyForm.ts'
import { keyMessages } from './messages.ts'
import { useLimitWords } from './useLimitWords.ts'

export interface KeyInWordsProps {
  name: string
  limits: KeyLimits
  rights: readonly PurseRight[]
  /** Unix seconds. */
  now: number
}

/** What the limits of a key mean, and what a thief could do with it. */
export function KeyInWords({ name, limits, rights, now }: KeyInWordsProps) {
  const text = useMessages(keyMessages)
  const format = useFormat()
  const { spend, may } = useLimitWords()({ ...limits, rights, isAnyProvider: limits.providers === undefined })
  const until = format.date(limits.validUntil)
  const spends = maySpend(rights)
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-sunk p-4">
      <p className="text-xs text-ink-3">{text.words}</p>
      <p>
        {spends ? text.sentence(name, text.joined(spend), until) : text.looks(name, until)}
        {may}
      </p>
      <p className="flex gap-2 border-t border-line-2 pt-2 text-xs text-ink-2">
        <ShieldCheck aria-hidden className="size-4 shrink-0 text-idle" />
        {spends ? text.stolen(format.usd(worstWei(limits, now))) : text.stolenLooks}
      </p>
    </div>
  )
}
