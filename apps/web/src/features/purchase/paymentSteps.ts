import type { PaymentProgress, PaymentStage } from '../../wallet/index.ts'

export type PaymentStepKey = 'quote' | 'permit' | 'approve' | 'send' | 'done'

export interface PaymentStep {
  key: PaymentStepKey
  state: 'next' | 'now' | 'done' | 'failed'
  hash?: string | undefined
}

const ORDER: readonly PaymentStage[] = ['quote', 'allow', 'wallet', 'waiting']

/** The steps a buyer sees. The wallet's question and the wait for the block are one step: the stage tells them apart. */
export function paymentSteps(progress: PaymentProgress): PaymentStep[] {
  const at = progress.at === 'done' ? ORDER.length : ORDER.indexOf(progress.at === 'failed' ? progress.during : progress.at)
  const state = (from: number, to: number): PaymentStep['state'] => {
    if (at > to) return 'done'
    if (at < from) return 'next'
    return progress.at === 'failed' ? 'failed' : 'now'
  }
  const { way, approveHash, hash } = progress
  const allow: PaymentStep[] =
    way === 'direct' ? [] : [{ key: way, state: state(1, 1), hash: way === 'approve' ? approveHash : undefined }]
  return [
    { key: 'quote', state: state(0, 0) },
    ...allow,
    { key: 'send', state: state(2, 3), hash },
    { key: 'done', state: progress.at === 'done' ? 'done' : 'next' },
  ]
}
