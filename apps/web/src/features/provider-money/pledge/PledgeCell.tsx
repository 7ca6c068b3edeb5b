import { MIN_PLEDGE_WEI } from '@rackfair/rules/limits'
import { withdrawInterestCall } from '@rackfair/sdk'
import { StripCell } from '../../../entities/provider/StripCell.tsx'
import { useProviderMoney } from '../../../entities/provider/useProviderMoney.ts'
import { WriteStatus } from '../../../entities/provider/WriteStatus.tsx'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { moneyMessages } from '../messages.ts'
import { runwayDays, yearlyShare } from './interest.ts'
import { PledgeDialog } from './PledgeDialog.tsx'

interface PledgeCellProps {
  /** Whether the dialog that changes the pledge is open. */
  managing: boolean
  onManage: (managing: boolean) => void
}

/** The pledge, what of it is locked, and the interest on that. */
export function PledgeCell({ managing, onManage }: PledgeCellProps) {
  const text = useMessages(moneyMessages).pledge
  const format = useFormat()
  const { money } = useProviderMoney()
  const { state, busy, send } = useTransaction()
  const interestWei = money?.interestWei ?? 0n
  const days = money && runwayDays(money)

  const withdrawInterest = () => {
    const amount = format.usd(interestWei, { max: 6 })
    return send(({ addresses }) => withdrawInterestCall(addresses), {
      description: text.describeInterest(amount),
      success: { title: text.interestPaid(amount) },
    })
  }

  const lockedShare = money && money.pledgedWei > 0n ? Number((money.lockedWei * 1000n) / money.pledgedWei) / 1000 : 0
  return (
    <StripCell
      title={text.title}
      aside={money && <span className="num">{text.yearly(format.percent(yearlyShare(money.ratePerYear), 1))}</span>}
      figure={money === undefined ? <Skeleton size="text" narrow /> : <Money wei={money.pledgedWei} fixed />}
      action={
        <Button size="sm" onClick={() => onManage(true)}>
          {text.manage}
        </Button>
      }
    >
      {money && (
        <>
          <Bar parts={[{ share: lockedShare, tone: 'ink' }]} label={text.lockedOf(format.usd(money.lockedWei))} />
          <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3">
            <span>
              {text.locked} <Money wei={money.lockedWei} />
            </span>
            <span>
              {text.free} <Money wei={money.pledgedWei - money.lockedWei} />
            </span>
          </p>
          {money.pledgedWei < MIN_PLEDGE_WEI && <p className="text-xs text-warn">{text.belowMinimum}</p>}
          <p className="flex flex-wrap items-center justify-between gap-x-3 text-xs text-ink-3">
            <span>
              {text.interest} <Money wei={interestWei} digits={6} />
            </span>
            <Button
              size="sm"
              pending={busy}
              disabledReason={interestWei === 0n ? text.noInterest : undefined}
              reasonAs="tooltip"
              onClick={() => void withdrawInterest()}
            >
              {text.withdrawInterest}
            </Button>
          </p>
          {money.poolWei === 0n ? (
            <p className="text-xs text-ink-3">{text.poolEmpty}</p>
          ) : (
            days !== undefined && (
              <p className="text-xs text-ink-3">
                {text.runway} {text.days(format.number(days), days)}
              </p>
            )
          )}
        </>
      )}
      <WriteStatus state={state} />
      <PledgeDialog open={managing} onClose={() => onManage(false)} />
    </StripCell>
  )
}
