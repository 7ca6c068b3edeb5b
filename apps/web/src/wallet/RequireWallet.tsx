import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { walletMessages } from './messages.ts'
import { missingOf } from './missingOf.ts'
import { needMessages } from './needMessages.ts'
import { useAccountState } from './useAccountState.ts'
import { useOpenChain } from './useOpenChain.ts'
import { useOpenConnect } from './useOpenConnect.ts'

/** Shows its children to a connected wallet on the right network; to everybody else what is missing, with the button that opens the dialog. */
export function RequireWallet({ children }: { children: ReactNode }) {
  const text = useMessages(walletMessages)
  const need = useMessages(needMessages)
  const account = useAccountState()
  const openConnect = useOpenConnect()
  const openChain = useOpenChain()
  const missing = missingOf(account)
  if (missing === undefined) return children
  if (missing === 'wait') return <Skeleton size="panel" />
  if (missing === 'network')
    return (
      <EmptyState
        title={need.networkTitle}
        action={
          <Button variant="primary" onClick={openChain}>
            {need.switch}
          </Button>
        }
      >
        {need.networkText}
      </EmptyState>
    )
  const signIn = missing === 'signIn'
  return (
    <EmptyState
      title={signIn ? need.signInTitle : need.title}
      action={
        <Button variant="primary" onClick={openConnect}>
          {signIn ? text.signIn : text.connect}
        </Button>
      }
    >
      {signIn ? need.signInText : need.text}
    </EmptyState>
  )
}
