import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useAccountState, useOpenChain, useOpenConnect } from '../../wallet/index.ts'
import { deployMessages } from './messages.ts'

/** What is missing before a request can be signed; false when nothing is. */
export function useMissingWallet(): boolean {
  const { status, supported } = useAccountState()
  return status !== 'connected' || !supported
}

/** The notice of someone who presses Deploy or Clean without a wallet, with the button that helps. */
export function NeedsWallet({ onClose }: { onClose: () => void }) {
  const text = useMessages(deployMessages)
  const { status } = useAccountState()
  const openConnect = useOpenConnect()
  const openChain = useOpenChain()
  const otherNetwork = status === 'connected'
  const signIn = status === 'unauthenticated'
  return (
    <Dialog
      open
      onClose={onClose}
      title={otherNetwork ? text.networkTitle : text.connectTitle}
      footer={
        <Button
          variant="primary"
          onClick={() => {
            onClose()
            if (otherNetwork) openChain()
            else openConnect()
          }}
        >
          {otherNetwork ? text.switchNetwork : signIn ? text.signIn : text.connect}
        </Button>
      }
    >
      <p className="text-ink-2">{otherNetwork ? text.networkText : signIn ? text.signInText : text.connectText}</p>
    </Dialog>
  )
}
