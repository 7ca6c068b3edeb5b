import type { Order } from '@rackfair/rules/order/order'
import type { RegisteredKey, Workspace } from '@rackfair/sdk/workspace'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useWorkspace } from '../../../entities/workspace/useWorkspace.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { useErrorToast } from '../../../platform/errors/useErrorToast.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { accessMessages } from './messages.ts'

/** Lists who has a key for the order; renders nothing until this browser has one. */
export function AccessCard({ order }: { order: Order }) {
  const { latest } = useApplication(order, useNow(15_000))
  const state = useWorkspace(order, latest)
  return state.status === 'ready' ? <Keys order={order} workspace={state.workspace} lock={state.lock} /> : null
}

interface KeysProps {
  order: Order
  workspace: Workspace
  lock: () => void
}

function Keys({ order, workspace, lock }: KeysProps) {
  const text = useMessages(accessMessages)
  const errorText = useErrorText()
  const showError = useErrorToast()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<RegisteredKey>()
  const [revoking, setRevoking] = useState(false)
  const queryKey = ['workspace', order.id, 'keys']
  const keys = useQuery({ queryKey, queryFn: () => workspace.keys(), meta: { live: ['platform'] } })
  const nameOf = ({ own, key }: RegisteredKey) => (own ? text.own : text.other(shortKey(key)))
  const revoke = async (key: RegisteredKey) => {
    setRevoking(true)
    try {
      queries.setQueryData(queryKey, await workspace.revoke(key.key))
      setAsked(undefined)
      if (key.own) lock()
    } catch (error) {
      showError(error, { title: text.notRevoked })
    } finally {
      setRevoking(false)
    }
  }
  return (
    <Card title={text.title}>
      {keys.data ? (
        <ul className="flex flex-col gap-2">
          {keys.data
            .filter(({ revokedAt }) => revokedAt === null)
            .map((key) => (
              <KeyRow key={key.key} of={key} name={nameOf(key)} onRevoke={() => setAsked(key)} />
            ))}
        </ul>
      ) : keys.error ? (
        <div className="flex flex-col items-start gap-2 text-xs text-ink-2">
          <p>
            {text.failed}. {errorText(keys.error).full}
          </p>
          <Button size="sm" pending={keys.isFetching} onClick={() => void keys.refetch()}>
            {text.retry}
          </Button>
        </div>
      ) : (
        <Skeleton size="line" />
      )}
      <p className="mt-3 text-xs text-ink-3">{text.what}</p>
      {asked && (
        <Dialog
          open
          onClose={() => setAsked(undefined)}
          dismissible={!revoking}
          title={text.askTitle(nameOf(asked))}
          footer={
            <>
              <Button onClick={() => setAsked(undefined)}>{text.keep}</Button>
              <Button variant="danger" pending={revoking} onClick={() => void revoke(asked)}>
                {text.revoke}
              </Button>
            </>
          }
        >
          <p className="text-ink-2">{asked.own ? text.askOwn : text.askOther}</p>
        </Dialog>
      )}
    </Card>
  )
}

function KeyRow({ of: { usedAt, expiresAt }, name, onRevoke }: { of: RegisteredKey; name: string; onRevoke: () => void }) {
  const text = useMessages(accessMessages)
  const format = useFormat()
  const now = useNow(15_000)
  return (
    <li className="flex items-center gap-2.5">
      <KeyRound aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        <span className="block text-xs text-ink-3">
          {text.used(format.ago(Math.min(usedAt, now), now))} · <span className="num">{text.until(format.day(expiresAt))}</span>
        </span>
      </span>
      <Button size="sm" variant="quiet" aria-label={text.revokeLabel(name)} onClick={onRevoke}>
        {text.revoke}
      </Button>
    </li>
  )
}

/** The first byte of every key only marks a curve point; the following bytes distinguish keys. */
const shortKey = (key: string): string => `${key.slice(2, 8)}…${key.slice(-4)}`
