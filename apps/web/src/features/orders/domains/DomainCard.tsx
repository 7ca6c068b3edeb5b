import { pointerName } from '@rackfair/rules/network/ownDomain'
import type { Order } from '@rackfair/rules/order/order'
import { type DomainsChange, requestDomains, type Workspace } from '@rackfair/sdk/workspace'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useWorkspace } from '../../../entities/workspace/useWorkspace.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorToast } from '../../../platform/errors/useErrorToast.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Copyable } from '../../../ui/Copyable.tsx'
import { TextInput } from '../../../ui/TextInput.tsx'
import { AddOne } from '../AddOne.tsx'
import { domainMessages } from './messages.ts'

/** The renter's own domains that lead to the order. Nothing is drawn where its provider cannot serve any. */
export function DomainCard({ order }: { order: Order }) {
  const { latest } = useApplication(order, useNow(15_000))
  const state = useWorkspace(order, latest)
  return state.status === 'ready' ? <OwnDomains orderId={order.id} workspace={state.workspace} /> : null
}

export function OwnDomains({ orderId, workspace }: { orderId: string; workspace: Pick<Workspace, 'open'> }) {
  const text = useMessages(domainMessages)
  const showError = useErrorToast()
  const queries = useQueryClient()
  const queryKey = ['workspace', orderId, 'domains']
  const list = () => requestDomains(workspace, { op: 'list' })
  const { data } = useQuery({ queryKey, queryFn: list, meta: { live: ['platform'] } })
  const change = async (request: DomainsChange) => {
    queries.setQueryData(queryKey, await requestDomains(workspace, request))
  }
  const remove = (domain: string) =>
    change({ op: 'remove', domain }).catch((error: unknown) => showError(error, { title: text.notRemoved }))
  if (!data?.target) return null
  const { target, domains } = data
  return (
    <Card title={text.title}>
      <div className="flex flex-col gap-3">
        <p className="text-xs text-ink-2">{text.how}</p>
        <Copyable value={target} />
        <p className="text-xs text-ink-3">{text.apex(pointerName('…'))}</p>
        {domains.length === 0 && <p className="text-xs text-ink-2">{text.none}</p>}
        {domains.length > 0 && (
          <ul className="flex flex-col gap-2">
            {domains.map(({ domain, isServed }) => (
              <li key={domain} className="flex items-center gap-2.5">
                <span className="min-w-0 flex-1">
                  <span className="block truncate" title={domain}>
                    {domain}
                  </span>
                  <span className="block truncate text-xs text-ink-3">{isServed ? text.served : text.waiting}</span>
                </span>
                <Button size="sm" variant="quiet" aria-label={text.removeLabel(domain)} onClick={() => void remove(domain)}>
                  {text.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <AddOne text={text} onAdd={(domain) => change({ op: 'add', domain })}>
          {(field) => <TextInput {...field} placeholder="shop.example" />}
        </AddOne>
        <p className="text-xs text-ink-3">{text.what}</p>
      </div>
    </Card>
  )
}
