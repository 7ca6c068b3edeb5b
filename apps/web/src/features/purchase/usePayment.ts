import { AppError } from '@rackfair/core'
import { contractCall, type ErrorCode, type Offer, type PaymentWay, signPermit, toAppError } from '@rackfair/sdk'
import { onlineManager } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Address, TransactionReceipt } from 'viem'
import { type Market, useAccountState, useCanBatch, useSignText, useTransaction } from '../../wallet/index.ts'
import type { PaymentProgress } from './paymentSteps.ts'
import { readPaymentWay } from './readPaymentWay.ts'

/** What is bought, and how its transactions are called. */
export interface Payment extends Offer {
  description: string
  approveDescription: string
}

export interface UsePayment {
  progress: PaymentProgress | undefined
  error: AppError<ErrorCode> | undefined
  /** The last transaction of the payment, once the wallet has sent it. */
  sentHash: string | undefined
  /** `prepare` confirms the price; undefined from it ends the attempt quietly. */
  pay: (market: Market, prepare: () => Promise<Payment | undefined>) => Promise<TransactionReceipt | undefined>
  reset: () => void
}

type Stage = { at: 'idle' } | { at: 'quote' | 'allow' | 'send'; way: PaymentWay; error?: AppError<ErrorCode> }

/** A payment never waits for a network: it would be made later, perhaps when nobody looks any more. */
function requireNetwork(): void {
  if (!onlineManager.isOnline()) throw new AppError<ErrorCode>('rpc_unreachable', 'This device is offline')
}

/** Hands over a fee in as few steps as the wallet allows, and says where it is. A rejection by the user ends it silently. */
export function usePayment(): UsePayment {
  const { address } = useAccountState()
  const { signTyped } = useSignText()
  const canBatch = useCanBatch()
  const approval = useTransaction()
  const sending = useTransaction()
  const [stage, setStage] = useState<Stage>({ at: 'idle' })
  const current = useRef(address)
  useEffect(() => {
    current.current = address
  }, [address])

  const reset = () => {
    setStage({ at: 'idle' })
    approval.reset()
    sending.reset()
  }

  const pay: UsePayment['pay'] = async (market, prepare) => {
    if (!address) return undefined
    approval.reset()
    sending.reset()
    let way: PaymentWay = 'permit'
    setStage({ at: 'quote', way })
    /** A wallet may answer for one account while the person has already chosen another. */
    const requireSameAccount = () => {
      if (current.current === address) return
      const code = current.current === undefined ? 'not_connected' : 'account_changed'
      throw new AppError<ErrorCode>(code, `The payment was begun by ${address}, the wallet now has ${current.current ?? 'none'}`)
    }
    try {
      requireNetwork()
      const payment = await prepare()
      if (!payment) {
        setStage({ at: 'idle' })
        return undefined
      }
      const found = await readPaymentWay(market, address, payment, canBatch)
      way = found.way
      requireNetwork()
      const approve = contractCall(market.addresses, 'credit', 'approve', [payment.spender, payment.feeWei])
      const options = { description: payment.description }

      requireSameAccount()
      if (way === 'permit') {
        setStage({ at: 'allow', way })
        const signed = await askPermit(market, address, payment)
        if (signed === 'rejected') {
          setStage({ at: 'idle' })
          return undefined
        }
        requireSameAccount()
        if (signed !== 'unable') {
          setStage({ at: 'send', way })
          return await sending.send(payment.withPermit(signed), options)
        }
        way = 'approve'
      }
      if (way === 'approve') {
        setStage({ at: 'allow', way })
        if (!(await approval.send(approve, { description: payment.approveDescription }))) return undefined
        requireSameAccount()
        setStage({ at: 'send', way })
        return await sending.send(payment.plain, options)
      }
      setStage({ at: 'send', way })
      return await sending.send(found.isAllowed ? payment.plain : [approve, payment.plain], options)
    } catch (error) {
      setStage((last) => (last.at === 'idle' ? last : { ...last, error: toAppError(error) }))
      return undefined
    }
  }

  async function askPermit(market: Market, owner: Address, payment: Payment) {
    const sign = await signPermit(market, owner, payment)
    try {
      return (await sign(signTyped)) ?? 'rejected'
    } catch (error) {
      if (error instanceof AppError && ['not_connected', 'wallet_locked', 'wrong_network'].includes(error.code)) throw error
      return 'unable'
    }
  }

  return { ...readProgress(stage, approval.state, sending.state), pay, reset }
}

type TransactionState = ReturnType<typeof useTransaction>['state']

function readProgress(stage: Stage, approval: TransactionState, sending: TransactionState): Omit<UsePayment, 'pay' | 'reset'> {
  const nothing = { progress: undefined, error: undefined, sentHash: undefined }
  if (stage.at === 'idle') return nothing
  const active = stage.at === 'send' ? sending : approval
  const error = stage.error ?? (active.phase === 'failed' ? active.error : undefined)
  // The wallet's own "no" leaves the transaction idle while the stage still names it.
  if (stage.at === 'send' && sending.phase === 'idle' && !error) return nothing
  if (stage.at === 'allow' && stage.way === 'approve' && approval.phase === 'idle' && !error) return nothing
  const approveHash = 'hash' in approval ? approval.hash : undefined
  const hash = 'hash' in sending ? sending.hash : undefined
  const taken = sending.phase === 'submitted' || (sending.phase === 'failed' && sending.sent)
  const sent = sending.phase === 'confirmed' ? 'done' : taken ? 'waiting' : 'wallet'
  return {
    progress: { way: stage.way, stage: stage.at === 'send' ? sent : stage.at, failed: error !== undefined, approveHash, hash },
    error,
    sentHash: hash,
  }
}
