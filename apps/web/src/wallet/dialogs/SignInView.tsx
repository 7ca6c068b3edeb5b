import { PenLine } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { signMessage } from 'viem/actions'
import { getConnectorClient } from 'wagmi/actions'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Address } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { disconnectWallet } from '../session/connection/disconnectWallet.ts'
import { setSession } from '../session/connection/session.ts'
import type { WalletRuntime } from '../session/connection/WalletRuntime.ts'
import { withNonceAhead } from '../session/signIn/nonceAhead.ts'
import { type SignInPhase, signIn } from '../session/signIn/signIn.ts'
import { useAccountState } from '../useAccountState.ts'
import { dialogMessages } from './messages.ts'

/** Causes that a person can do something about: they are told instead of the step that failed. */
const TOLD: readonly string[] = [
  ...['text_too_old', 'text_in_future', 'nonce_unknown', 'signature_invalid'],
  ...['wallet_silent', 'wallet_unable', 'wallet_locked', 'wrong_network'],
]

/** Proves with one signature that the wallet is the person's own. Cancel disconnects. */
export function SignInView({ runtime, onClose }: { runtime: WalletRuntime; onClose: () => void }) {
  const text = useMessages(dialogMessages).signIn
  const { address } = useAccountState()
  const [phase, setPhase] = useState<SignInPhase>('idle')
  const [problem, setProblem] = useState<string>()
  const errorText = useErrorText()

  const auth = useRef(runtime.auth)

  useEffect(() => {
    if (phase === 'idle') auth.current = runtime.auth && withNonceAhead(runtime.auth)
  }, [phase, runtime.auth])

  const start = async () => {
    if (!address) return
    setProblem(undefined)
    const result = await signIn(
      auth.current,
      { address, chainId: runtime.installation.chainId },
      async (message) => {
        const writer = await getConnectorClient(runtime.wagmi)
        return signMessage(writer, { account: writer.account, message })
      },
      setPhase,
    )
    if (result.ok) setSession(address)
    // Neither the wallet nor the signature is at fault, whichever step it was.
    else if (result.cause?.code === 'rate_limited') setProblem(text.problems.rate_limited)
    else if (result.problem !== 'rejected')
      setProblem(TOLD.includes(result.cause?.code ?? '') ? errorText(result.cause).full : text.problems[result.problem])
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={text.title}
      footer={
        <>
          <Button onClick={() => void disconnectWallet(runtime)}>{text.cancel}</Button>
          <Button data-start variant="primary" pending={phase !== 'idle'} onClick={() => void start()}>
            {phase === 'signing' ? text.signing : phase === 'verifying' ? text.verifying : text.button}
          </Button>
        </>
      }
    >
      <div className="flex flex-col items-center gap-4 py-4 text-center">
        <PenLine aria-hidden className="size-8 text-accent" />
        <p className="max-w-note text-ink-2">{text.text}</p>
        {address && <Address value={address} />}
        {problem && (
          <div className="w-full">
            <Notice tone="bad">{problem}</Notice>
          </div>
        )}
      </div>
    </Dialog>
  )
}
