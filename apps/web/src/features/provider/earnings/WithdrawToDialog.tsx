import { type MarketEarnings, withdrawCalls } from '@rackfair/sdk'
import { useState } from 'react'
import type { Address } from 'viem'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { TextInput } from '../../../ui/TextInput.tsx'
import { addressProblem } from '../addressProblem.ts'
import { providerMessages } from '../messages.ts'
import { useMarketWrite } from '../useMarketWrite.ts'
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
  const { state, busy, write } = useMarketWrite()
  const [value, setValue] = useState('')
  const [judged, setJudged] = useState(false)
  const problem = addressProblem(value)
  const amount = format.usd(earnedWei, { max: 6 })

  const withdraw = async () => {
    setJudged(true)
    if (problem) return
    const to = value.trim() as Address
    const receipt = await write(({ addresses }) => withdrawCalls(addresses, earnings, to), {
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
        <Field
          label={text.recipient}
          hint={all.operator.hint}
          error={judged && problem ? all.operator.problems[problem] : undefined}
        >
          <TextInput
            mono
            name="recipient"
            value={value}
            onChange={(next) => {
              setJudged(false)
              setValue(next)
            }}
          />
        </Field>
        <WriteStatus state={state} />
      </form>
    </Dialog>
  )
}
