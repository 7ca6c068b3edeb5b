import { contractCall, readMarket } from '@rackfair/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/NumberInput.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { RequireWallet, useMarket, useTransaction } from '../../wallet/index.ts'
import { orderMessages } from './messages.ts'
import { readVoucher } from './voucherFields.ts'

/** Redeems a reward that the market's validator signed for this address. */
export function VoucherDialog({ onClose }: { onClose: () => void }) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const marketState = useMarket()
  const market = marketState.status === 'ready' ? marketState.market : undefined
  const { state, busy, send } = useTransaction()
  const [amount, setAmount] = useState('')
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<'amount' | 'code'>()
  const left = useQuery({
    queryKey: ['orders', 'rewards-left'],
    queryFn: market ? () => readMarket(market.client, market.addresses, 'market', 'rewardsLeftToday', []) : skipToken,
    meta: { live: ['block'] },
  })

  const redeem = async () => {
    const voucher = readVoucher({ amount, code })
    setWrong('wrong' in voucher ? voucher.wrong : undefined)
    if ('wrong' in voucher || !market) return
    const written = format.usd(voucher.amountWei)
    const call = contractCall(market.addresses, 'market', 'withdraw', [voucher.amountWei, voucher.code])
    if (await send(call, { description: text.voucherDescription(written), success: { title: text.voucherDone(written) } }))
      onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={text.voucherTitle}
      footer={
        <Button variant="primary" pending={busy} onClick={() => void redeem()}>
          {state.phase === 'wallet' ? text.inWallet : busy ? text.waitingChain : text.voucherDo}
        </Button>
      }
    >
      <RequireWallet>
        <div className="flex flex-col gap-4">
          <p className="text-ink-2">{text.voucherText}</p>
          <Field
            label={text.voucherAmount}
            error={wrong === 'amount' ? text.voucherAmountProblem : undefined}
            hint={left.data === undefined ? undefined : text.voucherLeft(format.usd(left.data))}
          >
            <NumberInput value={amount} onChange={setAmount} unit={text.voucherUnit} />
          </Field>
          <Field
            label={text.voucherCode}
            hint={text.voucherCodeHint}
            error={wrong === 'code' ? text.voucherCodeProblem : undefined}
          >
            <TextArea value={code} onChange={setCode} mono rows={4} />
          </Field>
        </div>
      </RequireWallet>
    </Dialog>
  )
}
