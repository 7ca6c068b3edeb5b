import type { AppError } from '@rackfair/rules/errors/AppError'
import type { Order } from '@rackfair/rules/order/order'
import {
  checkSshHostKey,
  requestSshAccess,
  type SshAccess,
  type SshKey,
  type SshKeysChange,
  sshFingerprint,
  type Workspace,
} from '@rackfair/sdk/workspace'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Terminal } from 'lucide-react'
import { useState } from 'react'
import type { Address } from 'viem'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useWorkspace } from '../../../entities/workspace/useWorkspace.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { useErrorToast } from '../../../platform/errors/useErrorToast.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Copyable } from '../../../ui/Copyable.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { useMarket } from '../../../wallet/index.ts'
import { AddOne } from '../AddOne.tsx'
import { sshMessages } from './messages.ts'

/** The chain contradicts the key; any other error leaves it unknown. */
const WRONG: ReadonlySet<string> = new Set(['wrong_provider', 'wrong_signer'])

/** Who may sign in to the order by SSH, and how: nothing is drawn before this browser has a key of its own. */
export function SshCard({ order }: { order: Order }) {
  const { latest } = useApplication(order, useNow(15_000))
  const state = useWorkspace(order, latest)
  return state.status === 'ready' ? <Access order={order} workspace={state.workspace} /> : null
}

function Access({ order, workspace }: { order: Order; workspace: Workspace }) {
  const text = useMessages(sshMessages)
  const errorText = useErrorText()
  const showError = useErrorToast()
  const queries = useQueryClient()
  const queryKey = ['workspace', order.id, 'ssh']
  const access = useQuery({ queryKey, queryFn: () => requestSshAccess(workspace, { op: 'list' }), meta: { live: ['platform'] } })
  const change = async (request: SshKeysChange) => {
    queries.setQueryData(queryKey, await requestSshAccess(workspace, request))
  }
  const remove = ({ fingerprint }: SshKey) =>
    change({ op: 'remove', fingerprint }).catch((error: unknown) => showError(error, { title: text.notRemoved }))
  if (!access.data)
    return (
      <Card title={text.title}>
        {access.error ? (
          <div className="flex flex-col items-start gap-2 text-xs text-ink-2">
            <p>
              {text.failed}. {errorText(access.error).full}
            </p>
            <Button size="sm" pending={access.isFetching} onClick={() => void access.refetch()}>
              {text.retry}
            </Button>
          </div>
        ) : (
          <Skeleton size="line" />
        )}
      </Card>
    )
  const { keys } = access.data
  return (
    <Card title={text.title}>
      <div className="flex flex-col gap-4">
        <Place order={order} access={access.data} />
        <div className="flex flex-col gap-2">
          <h3 className="text-xs text-ink-3">{text.keys}</h3>
          {keys.length === 0 && <p className="text-xs text-ink-2">{text.noKeys}</p>}
          {keys.length > 0 && (
            <ul className="flex flex-col gap-2">
              {keys.map((key) => (
                <KeyRow key={key.fingerprint} of={key} onRemove={() => remove(key)} />
              ))}
            </ul>
          )}
          <AddOne text={text} onAdd={(key) => change({ op: 'add', key })}>
            {(field) => <TextArea {...field} mono rows={4} placeholder="ssh-ed25519 AAAA… name@computer" />}
          </AddOne>
        </div>
        <p className="text-xs text-ink-3">{text.what}</p>
      </div>
    </Card>
  )
}

/** The command to copy, and the host key once it is seen to be the operator's. */
function Place({ order, access: { user, host, port, hostKey } }: { order: Order; access: SshAccess }) {
  const text = useMessages(sshMessages)
  const market = useMarket()
  const ready = market.status === 'ready' ? market.market : undefined
  const checked = useQuery({
    queryKey: ['workspace', order.id, 'sshHost', hostKey.text, hostKey.signature],
    queryFn: () => (ready ? checkSshHostKey(ready, order.provider as Address, hostKey) : ''),
    enabled: ready !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (checked.error && WRONG.has((checked.error as Partial<AppError>).code ?? ''))
    return <Notice tone="bad">{text.hostKeyWrong}</Notice>
  const known = port === null ? user : port === 22 ? host : `[${host}]:${port}`
  const retry = market.status === 'failed' ? market.retry : checked.isError ? () => void checked.refetch() : undefined
  return (
    <dl className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <dt className="text-xs text-ink-3">{text.command}</dt>
        <dd>
          {port === null ? (
            <div className="flex flex-col gap-1.5">
              <p className="text-xs text-ink-2">{text.noPort}</p>
              <Copyable value={`rackfair ssh ${order.id}`} />
              <p className="text-xs text-ink-2">{text.orProxy}</p>
              <Copyable value={`ssh -o ProxyCommand="rackfair proxy ${order.id}" -o HostKeyAlias=${user} ${user}@${host}`} />
            </div>
          ) : (
            <Copyable value={`ssh -p ${port} ${user}@${host}`} />
          )}
        </dd>
      </div>
      <div className="flex flex-col items-start gap-1">
        <dt className="text-xs text-ink-3">{text.hostKey}</dt>
        <HostKey line={checked.data} host={known} onRetry={retry} />
      </div>
    </dl>
  )
}

/** The fingerprint of the signed key itself; the one that the agent names beside it may be any. */
function HostKey({ line, host, onRetry }: { line: string | undefined; host: string; onRetry: (() => void) | undefined }) {
  const text = useMessages(sshMessages)
  if (line)
    return (
      <dd className="flex flex-col items-start gap-1.5">
        <span className="num text-xs break-all">{sshFingerprint(line)}</span>
        <span className="text-xs text-ink-3">{text.hostKeyText}</span>
        <CopyButton value={`${host} ${line}`} size="sm">
          {text.copyHostKey}
        </CopyButton>
      </dd>
    )
  if (onRetry)
    return (
      <dd className="flex flex-col items-start gap-1.5">
        <span className="text-xs text-warn">{text.hostKeyUnchecked}</span>
        <Button size="sm" onClick={onRetry}>
          {text.retry}
        </Button>
      </dd>
    )
  return <dd className="text-xs text-ink-3">{text.checking}</dd>
}

function KeyRow({ of: { type, comment, fingerprint, usedAt }, onRemove }: { of: SshKey; onRemove: () => Promise<void> }) {
  const text = useMessages(sshMessages)
  const format = useFormat()
  const now = useNow(15_000)
  const [removing, setRemoving] = useState(false)
  const name = comment || text.unnamed(type)
  const remove = async () => {
    setRemoving(true)
    await onRemove()
    setRemoving(false)
  }
  return (
    <li className="flex items-center gap-2.5">
      <Terminal aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={name}>
          {name}
        </span>
        <span className="block truncate text-xs text-ink-3" title={fingerprint}>
          {usedAt === null ? text.unused : text.used(format.ago(Math.min(usedAt, now), now))} ·{' '}
          <span className="num">{fingerprint}</span>
        </span>
      </span>
      <Button size="sm" variant="quiet" pending={removing} aria-label={text.removeLabel(name)} onClick={() => void remove()}>
        {text.remove}
      </Button>
    </li>
  )
}
