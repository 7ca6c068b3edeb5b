import { formatCredit } from '@rackfair/rules/money'
import { contractCall, pledgeCall, readMarket, unpledgeCall } from '@rackfair/sdk'
import { useState } from 'react'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useProviderMoney } from '../../../entities/provider/useProviderMoney.ts'
import { WriteStatus } from '../../../entities/provider/WriteStatus.tsx'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Named } from '../../../ui/Named.tsx'
import { NumberInput } from '../../../ui/NumberInput.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useAccountState, useBalance, useTransaction } from '../../../wallet/index.ts'
import { moneyMessages } from '../messages.ts'
import { pledgeBlocker, pledgeQuantityWei, unpledgeBlocker } from './pledgeRules.ts'

/** Pledges a quantity or takes it back, within the limits of the Pledge contract; each disabled button says why. */
export function PledgeForm() {
  const shared = useMessages(providerTexts)
  const all = useMessages(moneyMessages)
  const text = all.pledge
  const format = useFormat()
  const { money } = useProviderMoney()
  const { creditWei, nativeWei, isError, refetch } = useBalance()
  const [quantity, setQuantity] = useState('1')
  const { pledgedWei, lockedWei } = money ?? {}
  const freeWei = pledgedWei === undefined || lockedWei === undefined ? undefined : pledgedWei - lockedWei
  const facts = { quantity, pledgedWei, lockedWei, creditWei, nativeWei, listed: money?.listed ?? 0 }
  const wei = pledgeQuantityWei(quantity)
  const pledgeWhy = pledgeBlocker(facts)
  const unpledgeWhy = unpledgeBlocker(facts)
  const { pledging, taking, pledge, unpledge } = usePledging(wei ?? 0n)
  const busy = pledging.busy || taking.busy

  return (
    <div className="flex flex-col gap-5">
      <dl className="cols-figures">
        <PledgeFigure term={text.current} wei={pledgedWei} note={text.minimum} />
        <PledgeFigure
          term={text.free}
          wei={freeWei}
          note={lockedWei === undefined ? undefined : text.lockedOf(format.usd(lockedWei, { max: 6 }))}
        />
        <PledgeFigure
          term={text.balance}
          wei={isError && creditWei === undefined ? 0n : creditWei}
          note={isError ? all.withdrawal.failedRead : undefined}
          onRetry={isError ? refetch : undefined}
          retryLabel={shared.retry}
        />
      </dl>
      <Field
        label={text.quantity}
        hint={wei !== undefined && money ? text.after(format.usd(money.pledgedWei + wei, { max: 18 })) : ' '}
        aside={
          freeWei !== undefined && freeWei > 0n ? (
            <Button size="sm" variant="quiet" onClick={() => setQuantity(formatCredit(freeWei))}>
              {text.all}
            </Button>
          ) : undefined
        }
      >
        <NumberInput name="quantity" value={quantity} onChange={setQuantity} unit="USD" />
      </Field>
      <div className="flex flex-wrap items-start gap-2.5">
        <Button
          variant="primary"
          pending={pledging.busy}
          disabledReason={pledgeWhy && text.blocked[pledgeWhy]}
          onClick={() => busy || void pledge()}
        >
          {text.pledge}
        </Button>
        <Button
          pending={taking.busy}
          disabledReason={unpledgeWhy && text.blocked[unpledgeWhy]}
          onClick={() => busy || void unpledge()}
        >
          <Named name={text.unpledgeName}>{text.unpledge}</Named>
        </Button>
      </div>
      <WriteStatus state={pledging.state} />
      <WriteStatus state={taking.state} />
    </div>
  )
}

/** Sends the pledge, with its approval where that is missing, and takes it back. */
function usePledging(quantityWei: bigint) {
  const { pledge: text, notices } = useMessages(moneyMessages)
  const format = useFormat()
  const { address } = useAccountState()
  const pledging = useTransaction()
  const taking = useTransaction()
  const quantity = format.usd(quantityWei, { max: 18 })
  const pledge = () =>
    pledging.send(
      async ({ client, addresses }) => {
        const allowanceWei = address
          ? await readMarket(client, addresses, 'credit', 'allowance', [address, addresses.pledge])
          : 0n
        const call = pledgeCall(addresses, quantityWei)
        if (allowanceWei >= quantityWei) return call
        return [contractCall(addresses, 'credit', 'approve', [addresses.pledge, quantityWei]), call]
      },
      { description: text.describePledge(quantity), success: { title: notices.pledge, text: notices.pledgeText } },
    )
  const unpledge = () =>
    taking.send(({ addresses }) => unpledgeCall(addresses, quantityWei), {
      description: text.describeUnpledge(quantity),
      success: { title: notices.unpledge },
    })
  return { pledging, taking, pledge, unpledge }
}

function PledgeFigure({
  term,
  wei,
  note,
  onRetry,
  retryLabel,
}: {
  term: string
  wei: bigint | undefined
  note?: string | undefined
  onRetry?: (() => void) | undefined
  retryLabel?: string
}) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{term}</dt>
      <dd>
        {wei === undefined ? (
          <Skeleton size="text" narrow />
        ) : (
          <span className="text-lg">
            <Money wei={wei} />
          </span>
        )}
        {note !== undefined && <span className="block text-xs text-ink-3">{note}</span>}
        {onRetry !== undefined && (
          <Button size="sm" variant="quiet" onClick={onRetry}>
            {retryLabel}
          </Button>
        )}
      </dd>
    </div>
  )
}
