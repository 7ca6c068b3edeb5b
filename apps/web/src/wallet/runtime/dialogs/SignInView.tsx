import { PenLine } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { signMessage } from 'viem/actions'
import { getConnectorClient } from 'wagmi/actions'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useAccountState } from '../../useAccountState.ts'
import { disconnectWallet } from '../connection/disconnectWallet.ts'
import { setSession } from '../connection/session.ts'
import type { WalletRuntime } from '../connection/WalletRuntime.ts'
import { withNonceAhead } from '../signIn/nonceAhead.ts'
import { type SignInPhase, type SignInProblem, signIn } from '../signIn/signIn.ts'
import { dialogMessages } from './messages.ts'

/** Proves with one signature that the wallet is the person's own. Cancel disconnects. */
export function SignInView({ runtime, onClose }: { runtime: WalletRuntime; onClose: () => void }) {
  const text = useMessages(dialogMessages).signIn
  const { address } = useAccountState()
  const [phase, setPhase] = useState<SignInPhase>('idle')
  const [problem, setProblem] = useState<SignInProblem | 'rate_limited'>()

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
    else if (result.cause?.code === 'rate_limited') setProblem('rate_limited')
    else if (result.problem !== 'rejected') setProblem(result.problem)
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
            <Notice tone="bad">{text.problems[problem]}</Notice>
          </div>
        )}
      </div>
    </Dialog>
  )
}
