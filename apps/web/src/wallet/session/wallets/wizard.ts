import type { WalletDescriptor } from './WalletDescriptor.ts'

/** The nine steps of the connect dialog (product specification, point 4). */
export const WIZARD_STEPS = [
  'NONE',
  'LEARN_COMPACT',
  'GET',
  'CONNECT',
  'DOWNLOAD_OPTIONS',
  'DOWNLOAD',
  'INSTRUCTIONS_MOBILE',
  'INSTRUCTIONS_EXTENSION',
  'INSTRUCTIONS_DESKTOP',
] as const
export type WizardStep = (typeof WIZARD_STEPS)[number]

export interface WizardState {
  step: WizardStep
  wallet: WalletDescriptor | undefined
  /** Where back leads, last one first to leave. */
  trail: readonly { step: WizardStep; wallet: WalletDescriptor | undefined }[]
}

export const WIZARD_START: WizardState = { step: 'NONE', wallet: undefined, trail: [] }

export type WizardMove =
  | { type: 'select'; wallet: WalletDescriptor }
  | { type: 'go'; step: WizardStep; wallet?: WalletDescriptor }
  | { type: 'back' }
  | { type: 'reset' }

/** Choosing from the list starts anew; everything else can be walked back step by step. */
export function moveWizard(state: WizardState, move: WizardMove): WizardState {
  switch (move.type) {
    case 'select':
      return { step: stepFor(move.wallet), wallet: move.wallet, trail: [{ step: 'NONE', wallet: undefined }] }
    case 'go':
      return {
        step: move.step,
        wallet: move.wallet ?? state.wallet,
        trail: [...state.trail, { step: state.step, wallet: state.wallet }],
      }
    case 'back': {
      const last = state.trail.at(-1)
      return last ? { ...last, trail: state.trail.slice(0, -1) } : WIZARD_START
    }
    case 'reset':
      return WIZARD_START
  }
}

/** An installed wallet is connected at once; of the others people first choose how to get them. */
export function stepFor(wallet: WalletDescriptor): WizardStep {
  if (wallet.installed || wallet.unsupported) return 'CONNECT'
  return downloadWays(wallet).length > 1 ? 'DOWNLOAD_OPTIONS' : 'DOWNLOAD'
}

export type DownloadWay = 'extension' | 'mobile' | 'desktop'

export function downloadWays(wallet: Pick<WalletDescriptor, 'downloadUrls'>): readonly DownloadWay[] {
  const urls = wallet.downloadUrls ?? {}
  const ways: DownloadWay[] = []
  if (urls.browserExtension ?? urls.chrome) ways.push('extension')
  if (urls.qrCode ?? urls.mobile) ways.push('mobile')
  if (urls.desktop) ways.push('desktop')
  return ways
}
