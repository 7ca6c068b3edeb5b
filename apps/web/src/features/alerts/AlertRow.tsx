import { type Alert, readAlertTest } from '@rackfair/sdk/http'
import { useMutation } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Button } from '../../ui/Button.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { alertMessages } from './messages.ts'

/** One alert: where to, when, and how its newest message went. */
export function AlertRow({ alert, onChange }: { alert: Alert; onChange: () => Promise<void> }) {
  const text = useMessages(alertMessages)
  const errorText = useErrorText()
  const test = useMutation({ mutationFn: async () => readAlertTest(await api.testAlert(alert.id)) })
  const remove = useMutation({ mutationFn: () => api.removeAlert(alert.id), onSuccess: onChange })
  const failure = remove.error
    ? `${text.removeFailed}: ${errorText(remove.error).details}`
    : test.error
      ? `${text.testFailed}: ${errorText(test.error).details}`
      : test.data
        ? `${text.testFailed}: ${test.data}`
        : undefined
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="num font-medium break-all">{alert.target}</p>
        <p className="text-xs text-ink-3">{alert.events.map((event) => text.events[event]).join(' · ')}</p>
        <p className="mt-1 text-xs">
          <LastMessage alert={alert} />
        </p>
        <p aria-live="polite" className={`text-xs empty:hidden ${failure ? 'text-bad' : 'text-idle'}`}>
          {failure ?? (test.isSuccess ? text.tested : '')}
        </p>
      </div>
      <div className="flex gap-2">
        {alert.confirmed && (
          <Button size="sm" aria-label={text.testNamed(alert.target)} pending={test.isPending} onClick={() => test.mutate()}>
            {text.test}
          </Button>
        )}
        <Button
          size="sm"
          variant="quiet"
          aria-label={text.removeNamed(alert.target)}
          pending={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {text.remove}
        </Button>
      </div>
    </li>
  )
}

function LastMessage({ alert: { confirmed, last } }: { alert: Alert }) {
  const text = useMessages(alertMessages)
  const format = useFormat()
  const now = useNow()
  if (!confirmed) return <StateDot tone="warn">{text.waiting}</StateDot>
  if (last === null) return <StateDot tone="off">{text.quiet}</StateDot>
  const when = format.ago(last.at, now)
  if (last.error === null) return <StateDot tone="idle">{text.arrived(when)}</StateDot>
  return (
    <>
      <StateDot tone="bad">{text.trying(when, last.attempts)}</StateDot>{' '}
      <span className="break-words text-ink-2">{last.error}</span>
    </>
  )
}
