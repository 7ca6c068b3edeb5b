import { type MarketEarnings, withdrawCalls } from '@rackfair/sdk'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useTransaction } from '../../../wallet/index.ts'
import { providerMessages } from '../messages.ts'
import { useAddressField } from '../useAddressField.tsx'
import { WriteStatus } from '../WriteStatus.tsx'

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
  const all = useMessages(providerMessages)
  const text = all.money
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
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={text.withdrawToTitle}
      footer={
        <>
          <Button onClick={onClose}>{all.cancel}</Button>
          <Button variant="primary" pending={busy} onClick={() => void withdraw()}>
            {text.withdraw}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void withdraw()
        }}
      >
        <p className="text-ink-2">{text.withdrawToText(amount)}</p>
        {field}
        <WriteStatus state={state} />
      </form>
    </Dialog>
  )
}
