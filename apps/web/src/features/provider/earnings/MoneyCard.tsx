import type { ProviderWire } from '@rackfair/core/wire'
import { withdrawCalls } from '@rackfair/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../lib/useNow.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { providerMessages } from '../messages.ts'
import { earningsQuery, type ProviderMoney } from '../providerQueries.ts'
import { useMarketWrite } from '../useMarketWrite.ts'
import { WriteStatus } from '../WriteStatus.tsx'
import { earningsSeries } from './earningsSeries.ts'
import { WithdrawToDialog } from './WithdrawToDialog.tsx'

/** What was earned and can be withdrawn. */
export function MoneyCard({ provider, money }: { provider: ProviderWire; money: ProviderMoney | undefined }) {
  const text = useMessages(providerMessages).money
  const format = useFormat()
  const now = useNow(60_000)
  const { data: earnings } = useQuery(earningsQuery(provider.address))
  const { state, busy, write } = useMarketWrite()
  const [elsewhere, setElsewhere] = useState(false)
  const earnedWei = money?.earnedWei
  const nothing = earnedWei === 0n
  const separately = money?.earnings.filter((held) => held.earnedWei > 0n).length ?? 0

  const withdraw = () => {
    const amount = format.usd(earnedWei ?? 0n, { max: 6 })
    return write(({ addresses }) => withdrawCalls(addresses, money?.earnings ?? []), {
      description: text.describe(amount),
      success: { title: text.done(amount) },
    })
  }

  return (
    <Card title={text.title} aside={text.toWithdraw}>
      <div className="flex flex-col gap-4">
        <div className="text-2xl tracking-tight">
          {earnedWei === undefined ? <Skeleton size="line" narrow /> : <Money wei={earnedWei} digits={6} />}
        </div>
        <Facts
          facts={[
            ...(money && money.earnedBeforeWei > 0n
              ? [{ term: text.before, value: <Money wei={money.earnedBeforeWei} digits={6} /> }]
              : []),
            {
              term: text.last30,
              value: earnings ? <Money wei={earningsSeries(earnings, now, 30).netWei} /> : '–',
            },
            { term: text.withdrawn, value: earnings ? <Money wei={BigInt(earnings.withdrawn)} /> : '–' },
            { term: text.running, value: format.number(provider.ordersRunning) },
            { term: text.dropped, value: format.number(provider.ordersDropped) },
          ]}
        />
        <div className="flex flex-wrap gap-2.5">
          <Button
            pending={busy}
            disabledReason={nothing ? text.nothing : undefined}
            reasonAs="tooltip"
            onClick={() => void withdraw()}
          >
            {text.withdraw}
          </Button>
          {!nothing && <Button onClick={() => setElsewhere(true)}>{text.withdrawTo}</Button>}
        </div>
        {separately > 1 && <p className="text-xs text-ink-3">{text.separately(format.number(separately))}</p>}
        <WriteStatus state={state} />
      </div>
      {elsewhere && (
        <WithdrawToDialog earnings={money?.earnings ?? []} earnedWei={earnedWei ?? 0n} onClose={() => setElsewhere(false)} />
      )}
    </Card>
  )
}
