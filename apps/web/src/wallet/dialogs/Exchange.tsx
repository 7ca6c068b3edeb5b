import { formatCredit } from '@rackfair/rules/money'
import { gateDepositCalls, gateWithdrawCalls } from '@rackfair/sdk'
import { useState } from 'react'
import type { Address } from 'viem'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { NumberInput } from '../../ui/NumberInput.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { TransactionState } from '../transactionTypes.ts'
import { useTransactionThrough } from '../useTransactionThrough.ts'
import { readExchange } from './exchangeProblem.ts'
import { dialogMessages } from './messages.ts'
import { useGate } from './useGate.ts'

const loadSendCalls = async () => (await import('../session/transactions/sendCalls.ts')).sendCalls

export type ExchangeWay = 'get' | 'out'

/** Changes USDT into Credit, or Credit into USDT, one to one. */
export function Exchange({ way, address, onDone }: { way: ExchangeWay; address: Address; onDone: () => void }) {
  const text = useMessages(dialogMessages).account.exchange
  const query = useGate(address)
  const { state, busy, send } = useTransactionThrough(loadSendCalls)
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const unit = way === 'get' ? 'USDT' : 'Credit'

  if (query.data === undefined)
    return query.isError ? (
      <p role="alert" className="text-xs text-bad">
        {text.failed}
      </p>
    ) : (
      <Skeleton size="card" />
    )

  const { gate, addresses, usdt, creditWei, creditAllowanceWei } = query.data
  const wholeCreditWei = creditWei - (creditWei % gate.scale)
  const heldWei = way === 'get' ? usdt.balance * gate.scale : wholeCreditWei
  const read = readExchange(typed, heldWei)
  const problem = 'problem' in read && (tried || read.problem === 'too_much') ? read.problem : undefined

  const submit = async () => {
    setTried(true)
    if (!('wei' in read) || busy) return
    const calls =
      way === 'get'
        ? gateDepositCalls(gate, address, read.wei / gate.scale, usdt.allowance)
        : gateWithdrawCalls(gate, addresses, address, read.wei, creditAllowanceWei)
    const amount = formatCredit(read.wei)
    if (await send(calls, { description: text.describe[way](amount), success: { title: text.done[way] } })) onDone()
  }

  return (
    <section aria-label={text.label} className="flex flex-col gap-3 border-t border-line pt-4">
      <p className="text-ink-2">{way === 'get' ? text.getText : text.outText}</p>
      <Field
        label={text.amount[way]}
        hint={
          'wei' in read
            ? text.gives(formatCredit(read.wei), way === 'get' ? 'Credit' : 'USDT')
            : text.has(formatCredit(heldWei), unit)
        }
        error={problem && (problem === 'too_much' ? text.problems.too_much(unit) : text.problems[problem])}
        aside={
          heldWei > 0n ? (
            <Button size="sm" variant="quiet" onClick={() => setTyped(formatCredit(heldWei))}>
              {text.all}
            </Button>
          ) : undefined
        }
      >
        <NumberInput name="amount" value={typed} onChange={setTyped} unit={unit} />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="primary" pending={busy} onClick={() => void submit()}>
          {text.submit[way]}
        </Button>
        <span role="status" className="text-xs text-ink-3">
          <Progress state={state} />
        </span>
      </div>
    </section>
  )
}

function Progress({ state }: { state: TransactionState }) {
  const text = useMessages(dialogMessages).account.exchange
  if (state.phase === 'wallet') return text.wallet(state.step, state.steps)
  return state.phase === 'submitted' ? text.waiting : null
}
