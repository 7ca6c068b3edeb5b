import { WALLET_CONNECT_ID } from '../session/wallets/catalogue.ts'
import type { WalletDescriptor } from '../session/wallets/WalletDescriptor.ts'
import type { WizardMove, WizardState } from '../session/wallets/wizard.ts'
import { ConnectStep } from './steps/ConnectStep.tsx'
import { DownloadOptionsStep } from './steps/DownloadOptionsStep.tsx'
import { DownloadStep } from './steps/DownloadStep.tsx'
import { GetStep } from './steps/GetStep.tsx'
import { InstructionsStep } from './steps/InstructionsStep.tsx'
import { LearnStep } from './steps/LearnStep.tsx'
import type { Connecting } from './useConnecting.ts'

export interface WizardViewProps {
  wizard: WizardState
  move: (move: WizardMove) => void
  connecting: Connecting
  wallets: readonly WalletDescriptor[]
  compact: boolean
}

/** One of the nine steps. */
export function WizardView({ wizard, move, connecting, wallets, compact }: WizardViewProps) {
  const { step, wallet } = wizard
  if (step === 'NONE' || step === 'LEARN_COMPACT') return <LearnStep onGet={() => move({ type: 'go', step: 'GET' })} />
  if (step === 'GET') return <GetStep wallets={wallets} move={move} />
  if (!wallet) return null
  const walletConnect = wallets.find(({ id, unsupported }) => id === WALLET_CONNECT_ID && !unsupported)
  const onScan =
    walletConnect &&
    (() => {
      move({ type: 'go', step: 'CONNECT', wallet: walletConnect })
      connecting.start(walletConnect)
    })
  switch (step) {
    case 'CONNECT':
      return (
        <ConnectStep wallet={wallet} connecting={connecting} compact={compact} onGet={() => move({ type: 'go', step: 'GET' })} />
      )
    case 'DOWNLOAD_OPTIONS':
      return <DownloadOptionsStep wallet={wallet} move={move} />
    case 'DOWNLOAD':
      return <DownloadStep wallet={wallet} compact={compact} move={move} />
    case 'INSTRUCTIONS_MOBILE':
      return <InstructionsStep wallet={wallet} way="mobile" move={move} onScan={onScan} />
    case 'INSTRUCTIONS_EXTENSION':
      return <InstructionsStep wallet={wallet} way="extension" move={move} onScan={onScan} />
    case 'INSTRUCTIONS_DESKTOP':
      return <InstructionsStep wallet={wallet} way="desktop" move={move} onScan={onScan} />
  }
}
