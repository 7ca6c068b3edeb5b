import { useMessages } from '../i18n/useMessages.ts'
import { Button } from '../ui/Button.tsx'
import { walletMessages } from './messages.ts'
import { useAccountState } from './useAccountState.ts'
import { useOpenConnect } from './useOpenConnect.ts'

export function ConnectButton() {
  const text = useMessages(walletMessages)
  const { status } = useAccountState()
  const openConnect = useOpenConnect()
  return (
    <Button onClick={openConnect} pending={status === 'connecting' || status === 'loading'}>
      {status === 'connecting' ? text.connecting : text.connect}
    </Button>
  )
}
