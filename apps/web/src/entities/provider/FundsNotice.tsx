import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useConfig } from '../../platform/api/config.ts'
import { useErrorToast } from '../../platform/errors/useErrorToast.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toastStore.ts'
import { useAccountState, useBalance } from '../../wallet/index.ts'
import { providerTexts } from './providerTexts.ts'

/** Shown while the wallet cannot pay for gas: says where to get it. */
export function FundsNotice() {
  const text = useMessages(providerTexts).funds
  const { address } = useAccountState()
  const { nativeWei, refetch } = useBalance()
  const config = useConfig()
  const client = useQueryClient()
  const showError = useErrorToast()
  const faucet = useMutation({
    mutationFn: (to: string) => api.faucet(to),
    onSuccess: () => {
      toast({ tone: 'good', title: text.got })
      refetch()
      void client.invalidateQueries({ queryKey: ['balance'] })
    },
    onError: (error) => showError(error, { title: text.failed }),
  })
  if (nativeWei !== 0n || address === undefined || config === undefined) return null
  return (
    <Notice
      tone="warn"
      title={text.title}
      actions={
        config.faucet && (
          <Button pending={faucet.isPending} onClick={() => faucet.mutate(address)}>
            {text.get}
          </Button>
        )
      }
    >
      {config.faucet ? text.text : text.elsewhere}
    </Notice>
  )
}
