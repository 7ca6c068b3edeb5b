import type { Deployment } from '@rackfair/rules/deployment/deployment'
import { visitLink } from '@rackfair/rules/deployment/visitUrl'
import { type Order, whoIs } from '@rackfair/rules/order/order'
import type { WorkspaceKey } from '@rackfair/sdk/workspace'
import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { useConfig } from '../../platform/api/config.ts'
import { useErrorToast } from '../../platform/errors/useErrorToast.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import type { ButtonVariant } from '../../ui/buttonClass.ts'
import { uiMessages } from '../../ui/messages.ts'
import { useAccountState } from '../../wallet/index.ts'
import { pageLinkHere } from '../order/pageLinkHere.ts'
import { presetsQuery } from '../order/queries.ts'
import { workspaceMessages } from './messages.ts'
import { VisitDialog } from './VisitDialog.tsx'
import { canMakeKeys, findWorkspaceKey, ticketLink, type VisitPlace } from './workspaceKey.ts'

export interface VisitButtonProps {
  order: Order
  latest: Deployment | null | undefined
  variant: ButtonVariant
}

/**
 * Opens the application of an order. One that only its owner may open is opened by a ticket that a key of this browser signs; before
 * there is such a key the wallet is asked, whatever wallet it is. Everybody else gets the link, and the gateway asks who they are.
 */
export function VisitButton({ order, latest, variant }: VisitButtonProps) {
  const text = useMessages(workspaceMessages)
  const ui = useMessages(uiMessages)
  const config = useConfig()
  const presets = useQuery(presetsQuery)
  const { address, lowerCase, status } = useAccountState()
  const showError = useErrorToast()
  const [asks, setAsks] = useState<{ key: WorkspaceKey | undefined }>()

  const link = visitLink(order, latest?.visitUrl)
  const preset = presets.data?.find(({ id, name }) => (latest ? id === latest.deployId : name === order.appName))
  const isMine = status === 'connected' && whoIs(order, lowerCase) === 'buyer'
  const isPublic = preset?.access === 'public' || (!preset && !presets.isPending)
  if (isPublic || !isMine || !address || !canMakeKeys())
    return (
      <ButtonLink to={pageLinkHere(order, latest)} variant={variant}>
        {text.visit}
      </ButtonLink>
    )

  const place: VisitPlace | undefined = config && {
    chainId: config.chainId,
    orderId: order.id,
    wallet: address,
    provider: order.provider,
    link,
  }
  const visit = async (at: VisitPlace) => {
    try {
      const key = await findWorkspaceKey(at)
      const to = key && (await ticketLink(key, at))
      // Later than browsers allow, nothing would happen at all: the dialog takes another press.
      if (to && navigator.userActivation?.isActive !== false) openTab(to)
      else setAsks({ key })
    } catch (error) {
      showError(error, { title: text.error })
    }
  }
  return (
    <>
      <Button variant={variant} pending={!place || !preset} onClick={() => place && void visit(place)}>
        {text.visit}
        <ArrowUpRight aria-hidden className="size-3.5 shrink-0" />
        <span className="sr-only">({ui.opensNewTab})</span>
      </Button>
      {asks && place && (
        <VisitDialog
          place={place}
          app={preset?.title ?? order.appName}
          signed={asks.key}
          onClose={() => setAsks(undefined)}
          onOpen={openTab}
        />
      )}
    </>
  )
}

/** A new tab that knows nothing of this one. Browsers allow it shortly after a press only. */
function openTab(to: string): void {
  const link = Object.assign(document.createElement('a'), { href: to, target: '_blank', rel: 'noreferrer' })
  link.click()
}
