import type { PurseKey } from '@rackfair/sdk'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Address } from '../../ui/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Bar } from '../../ui/Bar.tsx'
import { Button } from '../../ui/Button.tsx'
import { maySpend } from './keyForm.ts'
import { keyMessages } from './messages.ts'
import { useKeyNames } from './useKeyNames.ts'
import { useLimitWords } from './useLimitWords.ts'

export function KeyName({ of: key, isOver }: { of: PurseKey; isOver: boolean }) {
  const text = useMessages(keyMessages)
  const { nameOf } = useKeyNames()
  return (
    <span className="flex flex-col gap-0.5 md:min-w-36">
      <span className="flex flex-wrap items-center gap-2 font-semibold break-words">
        {nameOf(key.key)}
        {isOver && <Badge tone="off">{key.isRevoked ? text.revoked : text.expired}</Badge>}
      </span>
      <span className="text-xs text-ink-3">
        <Address value={key.key} />
      </span>
    </span>
  )
}

/** What a key may spend and do, in words. */
export function KeyMay({ of: key }: { of: PurseKey }) {
  const text = useMessages(keyMessages)
  const { spend, may } = useLimitWords()(key)
  const [first, ...rest] = spend
  return (
    <span className="text-ink-2">
      <strong className="font-semibold text-ink">{first}</strong>
      {text.afterFirst(rest)}
      {may}
    </span>
  )
}

/** What a key has left of what it may spend. */
export function KeyLeft({ of: key }: { of: PurseKey }) {
  const text = useMessages(keyMessages)
  const format = useFormat()
  if (!maySpend(key.rights)) return <span className="text-ink-3">{text.spendsNothing}</span>
  const left = text.leftOf(format.usd(key.leftWei), format.usd(key.totalWei))
  return (
    <span className="flex min-w-32 flex-col gap-1">
      <span className="num">{left}</span>
      <Bar label={left} parts={[{ share: shareOf(key.leftWei, key.totalWei), tone: 'ink' }]} />
    </span>
  )
}

export function KeyActions({ of: key, onChange, onRevoke }: { of: PurseKey; onChange: () => void; onRevoke: () => void }) {
  const text = useMessages(keyMessages)
  const { nameOf } = useKeyNames()
  if (key.isRevoked) return null
  return (
    <span className="flex justify-end gap-1.5">
      <Button size="sm" aria-label={text.changeOf(nameOf(key.key))} onClick={onChange}>
        {text.change}
      </Button>
      <Button size="sm" aria-label={text.revokeOf(nameOf(key.key))} onClick={onRevoke}>
        {text.revoke}
      </Button>
    </span>
  )
}

/** From 0 to 1, for a bar. */
const shareOf = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 1000n) / whole) / 1000)
