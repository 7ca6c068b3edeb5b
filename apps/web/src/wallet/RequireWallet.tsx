import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { walletMessages } from './messages.ts'
import { missingOf } from './missingOf.ts'
import { useAccountState } from './useAccountState.ts'
import { useOpenChain } from './useOpenChain.ts'
import { useOpenConnect } from './useOpenConnect.ts'

/** Shows its children to a connected wallet on the right network; to everybody else what is missing, with the button that opens the dialog. */
export function RequireWallet({ children }: { children: ReactNode }) {
  const text = useMessages(walletMessages)
  const account = useAccountState()
  const openConnect = useOpenConnect()
  const openChain = useOpenChain()
  const need = missingOf(account)
  if (need === undefined) return children
  if (need === 'wait') return <Skeleton size="panel" />
  if (need === 'network')
    return (
      <EmptyState
        title={text.need.networkTitle}
        action={
          <Button variant="primary" onClick={openChain}>
            {text.need.switch}
          </Button>
        }
      >
        {text.need.networkText}
      </EmptyState>
    )
  const signIn = need === 'signIn'
  return (
    <EmptyState
      title={signIn ? text.need.signInTitle : text.need.title}
      action={
        <Button variant="primary" onClick={openConnect}>
          {signIn ? text.signIn : text.connect}
        </Button>
      }
    >
      {signIn ? text.need.signInText : text.need.text}
    </EmptyState>
  )
}
