import { pointerName } from '@rackfair/rules/network/ownDomain'
import type { Order } from '@rackfair/rules/order/order'
import { type DomainsChange, requestDomains, type Workspace } from '@rackfair/sdk/workspace'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useWorkspace } from '../../../entities/workspace/useWorkspace.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { useErrorToast } from '../../../platform/errors/useErrorToast.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Copyable } from '../../../ui/Copyable.tsx'
import { Field } from '../../../ui/Field.tsx'
import { TextInput } from '../../../ui/TextInput.tsx'
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
  const { data } = useQuery({ queryKey, queryFn: () => requestDomains(workspace, { op: 'list' }), retry: false })
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
        <AddDomain onAdd={(domain) => change({ op: 'add', domain })} />
        <p className="text-xs text-ink-3">{text.what}</p>
      </div>
    </Card>
  )
}

/** Takes one domain. What is wrong with it the agent says, in place. */
function AddDomain({ onAdd }: { onAdd: (domain: string) => Promise<void> }) {
  const text = useMessages(domainMessages)
  const errorText = useErrorText()
  const [value, setValue] = useState<string>()
  const [adding, setAdding] = useState(false)
  const [error, setError] = useState<unknown>()
  if (value === undefined)
    return (
      <div>
        <Button size="sm" onClick={() => setValue('')}>
          {text.add}
        </Button>
      </div>
    )
  const close = () => {
    setValue(undefined)
    setError(undefined)
  }
  const add = async () => {
    setAdding(true)
    setError(undefined)
    try {
      await onAdd(value)
      close()
    } catch (failure) {
      setError(failure)
    } finally {
      setAdding(false)
    }
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (value.trim() !== '' && !adding) void add()
      }}
    >
      <Field label={text.label} hint={text.hint} error={error === undefined ? undefined : errorText(error).full}>
        <TextInput autoFocus value={value} onChange={setValue} placeholder="shop.example" />
      </Field>
      <div className="flex gap-2">
        <Button size="sm" variant="primary" type="submit" pending={adding}>
          {text.save}
        </Button>
        <Button size="sm" variant="quiet" onClick={close}>
          {text.cancel}
        </Button>
      </div>
    </form>
  )
}
