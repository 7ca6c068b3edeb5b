import { useMutation } from '@tanstack/react-query'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useConfig } from '../../platform/api/config.ts'
import { useErrorToast } from '../../platform/errors/useErrorToast.ts'
import { toast } from '../../ui/toastStore.ts'
import { useAccountState, useBalance } from '../../wallet/index.ts'
import { purchaseMessages } from './messages.ts'

/** Test Credit and gas for the connected wallet; `get` is undefined where nobody gives any. */
export function useFaucet(): { get: (() => void) | undefined; isPending: boolean; failed: boolean } {
  const text = useMessages(purchaseMessages)
  const config = useConfig()
  const { address } = useAccountState()
  const balance = useBalance()
  const showError = useErrorToast()
  const { mutate, isPending, isError } = useMutation({
    mutationFn: (account: string) => api.faucet(account),
    onSuccess: () => {
      toast({ tone: 'good', title: text.gotCredit })
      balance.refetch()
    },
    onError: (error) => showError(error, { title: text.faucetFailed }),
  })
  return { get: config?.faucet && address ? () => mutate(address) : undefined, isPending, failed: isError }
}
