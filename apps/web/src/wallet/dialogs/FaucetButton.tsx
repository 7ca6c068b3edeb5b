import { useMutation } from '@tanstack/react-query'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useErrorToast } from '../../platform/errors/useErrorToast.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toastStore.ts'
import { waitForFaucet } from '../session/transactions/waitForFaucet.ts'
import { dialogMessages } from './messages.ts'

/** Test Credit and gas on chain 2985; done when both have arrived. */
export function FaucetButton({ address }: { address: string }) {
  const text = useMessages(dialogMessages).account
  const showError = useErrorToast()
  const ask = useMutation({
    mutationFn: async () => waitForFaucet((await api.faucet(address)).transactionHashes),
    onSuccess: () => toast({ tone: 'good', title: text.faucetTitle, text: text.faucetDone }),
    onError: (error) => showError(error),
  })
  return (
    <Button pending={ask.isPending} onClick={() => ask.mutate()}>
      {text.faucet}
    </Button>
  )
}
