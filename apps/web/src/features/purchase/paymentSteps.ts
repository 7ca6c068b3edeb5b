import type { PaymentWay } from '@rackfair/sdk'

export type PaymentStage = 'quote' | 'allow' | 'wallet' | 'waiting' | 'done'
export type PaymentStepKey = 'quote' | 'permit' | 'approve' | 'send' | 'done'

export interface PaymentProgress {
  way: PaymentWay
  stage: PaymentStage
  failed: boolean
  approveHash?: string | undefined
  hash?: string | undefined
}

export interface PaymentStep {
  key: PaymentStepKey
  state: 'next' | 'now' | 'done' | 'failed'
  hash?: string | undefined
}

const ORDER: readonly PaymentStage[] = ['quote', 'allow', 'wallet', 'waiting', 'done']

/** The steps a buyer sees. The wallet's question and the wait for the block are one step: the stage tells them apart. */
export function paymentSteps(progress: PaymentProgress): PaymentStep[] {
  const at = ORDER.indexOf(progress.stage)
  const state = (from: number, to: number): PaymentStep['state'] => {
    if (at > to || progress.stage === 'done') return 'done'
    if (at < from) return 'next'
    return progress.failed ? 'failed' : 'now'
  }
  const allow: PaymentStep[] =
    progress.way === 'direct'
      ? []
      : [{ key: progress.way, state: state(1, 1), hash: progress.way === 'approve' ? progress.approveHash : undefined }]
  return [
    { key: 'quote', state: state(0, 0) },
    ...allow,
    { key: 'send', state: state(2, 3), hash: progress.hash },
    { key: 'done', state: progress.stage === 'done' ? 'done' : 'next' },
  ]
}
