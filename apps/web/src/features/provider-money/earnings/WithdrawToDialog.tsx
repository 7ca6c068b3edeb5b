import { type MarketEarnings, withdrawCalls } from '@rackfair/sdk'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useAddressField } from '../../../entities/provider/useAddressField.tsx'
import { WriteStatus } from '../../../entities/provider/WriteStatus.tsx'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { moneyMessages } from '../messages.ts'

/** Pays all earnings to another address. */
export function WithdrawToDialog({
  earnings,
  earnedWei,
  onClose,
}: {
  earnings: readonly MarketEarnings[]
  earnedWei: bigint
  onClose: () => void
}) {
  const shared = useMessages(providerTexts)
  const text = useMessages(moneyMessages).withdrawal
  const format = useFormat()
  const { state, busy, send } = useTransaction()
  const { field, check } = useAddressField('recipient', text.recipient)
  const amount = format.usd(earnedWei, { max: 6 })

  const withdraw = async () => {
    const to = check()
    if (!to) return
    const receipt = await send(({ addresses }) => withdrawCalls(addresses, earnings, to), {
      description: text.describeTo(amount, to),
      success: { title: text.done(amount) },
    })
    if (receipt) onClose()
  }

  return (
    <FormDialog
      title={text.withdrawToTitle}
      cancel={shared.cancel}
      submit={text.withdraw}
      submitting={busy}
      onSubmit={() => void withdraw()}
      onClose={onClose}
    >
      <p className="text-ink-2">{text.withdrawToText(amount)}</p>
      {field}
      <WriteStatus state={state} />
    </FormDialog>
  )
}
