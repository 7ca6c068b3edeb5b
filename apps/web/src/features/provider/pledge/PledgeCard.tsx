import { MIN_PLEDGE_WEI } from '@rackfair/core'
import { contractCall } from '@rackfair/sdk'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { providerMessages } from '../messages.ts'
import type { ProviderMoney } from '../providerQueries.ts'
import { useMarketWrite } from '../useMarketWrite.ts'
import { WriteStatus } from '../WriteStatus.tsx'
import { interestPerMonthWei, runwayDays, yearlyShare } from './interest.ts'
import { PledgeForm } from './PledgeForm.tsx'

/** The pledge and the interest on it. */
export function PledgeCard({ money }: { money: ProviderMoney | undefined }) {
  const text = useMessages(providerMessages).pledge
  const format = useFormat()
  const { state, busy, write } = useMarketWrite()
  const [managing, setManaging] = useState(false)
  const interestWei = money?.interestWei ?? 0n
  const days = money && runwayDays(money)

  const withdrawInterest = () => {
    const amount = format.usd(interestWei, { max: 6 })
    return write(({ addresses }) => contractCall(addresses, 'pledge', 'withdrawInterest', []), {
      description: text.describeInterest(amount),
      success: { title: text.interestPaid(amount) },
    })
  }

  return (
    <Card title={text.title} aside={text.current}>
      <div className="flex flex-col gap-4">
        <div>
          <div className="text-2xl tracking-tight">
            {money === undefined ? <Skeleton size="line" narrow /> : <Money wei={money.pledgedWei} />}
          </div>
          {money !== undefined && money.pledgedWei < MIN_PLEDGE_WEI && <p className="text-xs text-warn">{text.belowMinimum}</p>}
        </div>
        <Facts
          facts={[
            { term: text.locked, value: money === undefined ? '–' : <Money wei={money.lockedWei} /> },
            { term: text.free, value: money === undefined ? '–' : <Money wei={money.pledgedWei - money.lockedWei} /> },
            { term: text.interest, value: money === undefined ? '–' : <Money wei={interestWei} digits={6} /> },
            {
              term: text.rate,
              value: money === undefined ? '–' : format.percent(yearlyShare(money.ratePerYear), 2),
            },
            {
              term: text.perMonth,
              value: money === undefined ? '–' : <Money wei={interestPerMonthWei(money)} />,
            },
            ...(days === undefined ? [] : [{ term: text.runway, value: text.days(format.number(days), days) }]),
          ]}
        />
        {money?.poolWei === 0n && <p className="text-xs text-ink-3">{text.poolEmpty}</p>}
        <div className="flex flex-wrap gap-2.5">
          <Button onClick={() => setManaging(true)}>{text.manage}</Button>
          <Button
            pending={busy}
            disabledReason={money !== undefined && interestWei === 0n ? text.noInterest : undefined}
            reasonAs="tooltip"
            onClick={() => void withdrawInterest()}
          >
            {text.withdrawInterest}
          </Button>
        </div>
        <WriteStatus state={state} />
      </div>
      <Dialog open={managing} wide onClose={() => setManaging(false)} title={text.manage}>
        <div className="flex flex-col gap-5">
          <p className="text-ink-2">{text.what}</p>
          <PledgeForm />
        </div>
      </Dialog>
    </Card>
  )
}
