import { depositToPurseCall, withdrawFromPurseCall } from '@rackfair/sdk'
import { useState } from 'react'
import type { Address as ChainAddress } from 'viem'
import { SOON_SECONDS } from '../../entities/purse/renewalEnd.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Address } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { Money } from '../../ui/Money.tsx'
import { useBalance, useTransaction } from '../../wallet/index.ts'
import { AmountDialog } from './AmountDialog.tsx'
import { renewalSeconds } from './keyForm.ts'
import { keyMessages } from './messages.ts'

export interface PurseBandProps {
  address: ChainAddress
  holdsWei: bigint
  /** Undefined until its orders are known. */
  inOrdersWei: bigint | undefined
  /** Of the orders that are kept alive, per month. */
  keptRatesWei: readonly bigint[]
}

/** Where the purse is, what it holds, and what becomes of its renewals. */
export function PurseBand({ address, holdsWei, inOrdersWei, keptRatesWei }: PurseBandProps) {
  const text = useMessages(keyMessages)
  const format = useFormat()
  const balance = useBalance()
  const { busy, send } = useTransaction()
  const [asked, setAsked] = useState<'fill' | 'withdraw'>()
  const close = () => setAsked(undefined)
  const fill = async (wei: bigint) => {
    const amount = format.usd(wei, { max: 18 })
    const options = { description: text.describeFill(amount), success: { title: text.filled } }
    if (await send(({ addresses }) => depositToPurseCall(addresses, address, wei), options)) close()
  }
  const withdraw = async (wei: bigint) => {
    const amount = format.usd(wei, { max: 18 })
    const options = { description: text.describeWithdraw(amount), success: { title: text.withdrawn } }
    if (await send(({ addresses }) => withdrawFromPurseCall(addresses, address, wei), options)) close()
  }
  return (
    <section
      aria-label={text.address}
      className="flex flex-wrap items-center gap-x-10 gap-y-4 rounded-lg border border-line bg-raised px-5 py-4"
    >
      <PurseFacts address={address} holdsWei={holdsWei} inOrdersWei={inOrdersWei} keptRatesWei={keptRatesWei} />
      <div className="ml-auto flex gap-2.5">
        <Button onClick={() => setAsked('fill')}>{text.fill}</Button>
        <Button onClick={() => setAsked('withdraw')}>{text.withdraw}</Button>
      </div>
      {asked === 'fill' && (
        <AmountDialog
          title={text.fillTitle}
          lead={text.fillText(balance.creditWei === undefined ? '–' : format.usd(balance.creditWei))}
          submit={text.fill}
          mostWei={balance.creditWei}
          busy={busy}
          onSubmit={(wei) => void fill(wei)}
          onClose={close}
        />
      )}
      {asked === 'withdraw' && (
        <AmountDialog
          title={text.withdrawTitle}
          lead={text.withdrawText(format.usd(holdsWei))}
          submit={text.withdraw}
          mostWei={holdsWei}
          busy={busy}
          onSubmit={(wei) => void withdraw(wei)}
          onClose={close}
        />
      )}
    </section>
  )
}

function PurseFacts({ address, holdsWei, inOrdersWei, keptRatesWei }: PurseBandProps) {
  const text = useMessages(keyMessages)
  const format = useFormat()
  const now = useNow(30_000)
  const lasts = renewalSeconds(holdsWei, keptRatesWei)
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
      <div>
        <dt className="text-xs text-ink-3">{text.address}</dt>
        <dd>
          <Address value={address} />
        </dd>
      </div>
      <div>
        <dt className="text-xs text-ink-3">{text.holds}</dt>
        <dd className="text-lg" data-testid="purse">
          <Money wei={holdsWei} />
        </dd>
      </div>
      <div>
        <dt className="text-xs text-ink-3">{text.inOrders}</dt>
        <dd className="text-lg">{inOrdersWei === undefined ? '–' : <Money wei={inOrdersWei} />}</dd>
      </div>
      {lasts !== undefined && (
        <div>
          <dt className="text-xs text-ink-3">{text.renewals}</dt>
          <dd>
            {text.renewalsOf(keptRatesWei.length)}
            <span className={`block text-xs ${lasts < SOON_SECONDS ? 'text-warn' : 'text-ink-3'}`}>
              {lasts < SOON_SECONDS ? text.lastsUnder(format.duration(lasts)) : text.lasts(format.date(now + lasts))}
            </span>
          </dd>
        </div>
      )}
    </dl>
  )
}
