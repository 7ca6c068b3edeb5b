import type { CheckoutBlocker } from '@rackfair/rules/order/checkout'
import { useMutation } from '@tanstack/react-query'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useConfig } from '../../platform/api/config.ts'
import { useErrorToast } from '../../platform/errors/useErrorToast.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { toast } from '../../ui/toastStore.ts'
import { useAccountState, useBalance, useOpenChain, useOpenConnect } from '../../wallet/index.ts'
import { purchaseMessages } from './messages.ts'

/** The button that removes what stands in the way, where there is one. */
export function BlockerHelp({ blocker }: { blocker: CheckoutBlocker }) {
  const text = useMessages(purchaseMessages)
  const openConnect = useOpenConnect()
  const openChain = useOpenChain()
  switch (blocker.code) {
    case 'not_connected':
      return (
        <Button variant="accent" block onClick={openConnect}>
          {text.connect}
        </Button>
      )
    case 'sign_in':
      return (
        <Button variant="accent" block onClick={openConnect}>
          {text.signIn}
        </Button>
      )
    case 'wrong_network':
      return (
        <Button variant="accent" block onClick={openChain}>
          {text.switchNetwork}
        </Button>
      )
    case 'balance_low':
    case 'no_gas':
      return <GetMoney />
    case 'own_node':
    case 'node_gone':
    case 'sold':
    case 'switched_off':
    case 'offline':
    case 'pledge_too_low':
    case 'pledge_locked':
      return (
        <ButtonLink to="/nodelist" variant="accent" block>
          {text.otherMachines}
        </ButtonLink>
      )
    default:
      return null
  }
}

/** The faucet of the development chain, elsewhere the link that this installation names. */
function GetMoney() {
  const text = useMessages(purchaseMessages)
  const config = useConfig()
  const { address } = useAccountState()
  const balance = useBalance()
  const showError = useErrorToast()
  const faucet = useMutation({
    mutationFn: (account: string) => api.faucet(account),
    onSuccess: () => {
      toast({ tone: 'good', title: text.gotCredit })
      balance.refetch()
    },
    onError: (error) => showError(error, { title: text.faucetFailed }),
  })
  if (config?.faucet && address)
    return (
      <Button variant="accent" block pending={faucet.isPending} onClick={() => faucet.mutate(address)}>
        {text.getCredit}
      </Button>
    )
  if (config?.creditLink)
    return (
      <ButtonLink to={config.creditLink} variant="accent" block>
        {text.buyCredit}
      </ButtonLink>
    )
  return null
}
