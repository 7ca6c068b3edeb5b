import type { CheckoutBlocker } from '@rackfair/rules/order/checkout'
import { useMessages } from '../../i18n/useMessages.ts'
import { useConfig } from '../../platform/api/config.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { useOpenChain } from '../../wallet/index.ts'
import { purchaseMessages } from './messages.ts'
import { useFaucet } from './useFaucet.ts'

/** The button that removes what stands in the way, where there is one. */
export function BlockerHelp({ blocker }: { blocker: CheckoutBlocker }) {
  const text = useMessages(purchaseMessages)
  const openChain = useOpenChain()
  switch (blocker.code) {
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
  const faucet = useFaucet()
  if (faucet.get)
    return (
      <Button variant="accent" block pending={faucet.isPending} onClick={faucet.get}>
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
