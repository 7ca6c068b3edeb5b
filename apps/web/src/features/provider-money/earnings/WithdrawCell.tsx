import { withdrawCalls } from '@rackfair/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { StripCell } from '../../../entities/provider/StripCell.tsx'
import { useProviderMoney } from '../../../entities/provider/useProviderMoney.ts'
import { WriteStatus } from '../../../entities/provider/WriteStatus.tsx'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { moneyMessages } from '../messages.ts'
import { earningsQuery } from '../moneyQueries.ts'
import { WithdrawToDialog } from './WithdrawToDialog.tsx'

/** What was earned and can be withdrawn. `address` is the provider's. */
export function WithdrawCell({ address }: { address: string }) {
  const text = useMessages(moneyMessages).withdrawal
  const format = useFormat()
  const { money } = useProviderMoney()
  const { data: earnings } = useQuery(earningsQuery(address))
  const { state, busy, send } = useTransaction()
  const [elsewhere, setElsewhere] = useState(false)
  const earnedWei = money?.earnedWei
  const nothing = earnedWei === 0n
  const separately = money?.earnings.filter((held) => held.earnedWei > 0n).length ?? 0

  const withdraw = () => {
    const amount = format.usd(earnedWei ?? 0n, { max: 6 })
    return send(({ addresses }) => withdrawCalls(addresses, money?.earnings ?? []), {
      description: text.describe(amount),
      success: { title: text.done(amount) },
    })
  }

  return (
    <StripCell
      title={text.toWithdraw}
      figure={earnedWei === undefined ? <Skeleton size="text" narrow /> : <Money wei={earnedWei} digits={6} />}
      action={
        <Button
          size="sm"
          pending={busy}
          disabledReason={nothing ? text.nothing : undefined}
          reasonAs="tooltip"
          onClick={() => void withdraw()}
        >
          {text.withdraw}
        </Button>
      }
    >
      <p className="flex flex-wrap gap-x-3 text-xs text-ink-3">
        {money && money.earnedBeforeWei > 0n && (
          <span>
            {text.before} <Money wei={money.earnedBeforeWei} digits={6} />
          </span>
        )}
        {earnings && (
          <span>
            {text.withdrawn} <Money wei={earnings.withdrawnWei} />
          </span>
        )}
      </p>
      {separately > 1 && <p className="text-xs text-ink-3">{text.separately(format.number(separately))}</p>}
      {earnedWei !== undefined && !nothing && (
        <button
          type="button"
          className="w-fit text-xs text-ink-2 underline decoration-line-2 underline-offset-4 hover:decoration-ink"
          onClick={() => setElsewhere(true)}
        >
          {text.withdrawTo}
        </button>
      )}
      <WriteStatus state={state} />
      {elsewhere && (
        <WithdrawToDialog earnings={money?.earnings ?? []} earnedWei={earnedWei ?? 0n} onClose={() => setElsewhere(false)} />
      )}
    </StripCell>
  )
}
