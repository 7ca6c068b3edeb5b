import type { Deployment } from '@rackfair/rules/deployment/deployment'
import { type DeploymentPhase, PHASES } from '@rackfair/rules/deployment/phase'
import type { Order } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, CircleSlash, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { deploymentQuery, presetsQuery } from '../../entities/order/queries.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Dotted } from '../../ui/Dotted.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { DeploymentProgress } from './DeploymentProgress.tsx'
import { type DeploymentSpan, deploymentSpans } from './deploymentSpans.ts'
import { deployMessages } from './messages.ts'

/** The latest deployment of an order in one line. Its steps are open while they are taken and where they failed, else behind a button. */
export function DeploymentLine({ order }: { order: Order }) {
  const text = useMessages(deployMessages)
  const deployment = useQuery(deploymentQuery(order.id))
  if (deployment.isError)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 px-5 py-2">
        <TriangleAlert aria-hidden className="size-4 shrink-0 text-bad" />
        <span className="min-w-0 flex-1">
          {text.latestFailed}. <span className="text-ink-3">{text.readSafe}</span>
        </span>
        <Button size="sm" pending={deployment.isFetching} onClick={() => void deployment.refetch()}>
          {text.again}
        </Button>
      </div>
    )
  if (deployment.data === undefined)
    return (
      <div className="px-5 py-2.5">
        <Skeleton size="text" />
      </div>
    )
  if (deployment.data === null)
    return <p className="px-5 py-2.5 text-ink-2">{isTerminal(order.status) ? text.latestNever : text.latestNone}</p>
  // The agent says so some seconds after the order has ended.
  const isOver = isTerminal(order.status) && deployment.data.phase !== 'Failed'
  return <Taken deployment={isOver ? { ...deployment.data, phase: 'Closed' } : deployment.data} />
}

function Taken({ deployment }: { deployment: Deployment }) {
  const text = useMessages(deployMessages)
  const presets = useQuery(presetsQuery)
  const id = useId()
  const { phase, deployId } = deployment
  const settled = phase === 'Running' || phase === 'Stopped' || phase === 'Finished' || phase === 'Cleaned' || phase === 'Closed'
  const [wanted, setWanted] = useState(false)
  const open = !settled || wanted
  const preset = presets.data?.find((one) => one.id === deployId)
  const title = deployId === 0 ? text.cleaningOf : (preset?.title ?? text.latest)
  return (
    <>
      <div className="deployment-line @container">
        <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-5 py-1.5">
          <Outcome deployment={deployment} title={title} />
          {settled && (
            <Button
              variant="quiet"
              size="sm"
              aria-expanded={open}
              aria-controls={id}
              onClick={() => setWanted(!wanted)}
              icon={<ChevronDown aria-hidden className={`order-last size-3.5 ${open ? 'rotate-180' : ''}`} />}
            >
              {text.stepsShown}
            </Button>
          )}
        </div>
      </div>
      <div id={id} hidden={!open} className="deployment-steps border-t border-line px-5 py-2">
        {open && <DeploymentProgress deployment={deployment} preset={preset} across />}
      </div>
    </>
  )
}

function Outcome({ deployment, title }: { deployment: Deployment; title: string }) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const { phase } = deployment
  const stamp = (ms: number) => format.stamp(Math.floor(ms / 1000))
  const spans = deploymentSpans(deployment)
  const last = deployment.steps.at(-1)?.at ?? deployment.requestedAt
  const since = <span className="num ml-auto text-xs text-ink-3">{stamp(last)}</span>
  if (phase === 'Running') {
    const total = format.milliseconds(spans.reduce((sum, { ms }) => sum + ms, 0))
    return (
      <>
        <Check aria-hidden className="size-4 shrink-0 text-idle" />
        <span className="whitespace-nowrap">{text.ranIn(total)}</span>
        <SpanBar spans={spans} />
        <span className="text-xs text-ink-3 @max-table:hidden">
          <SpanWords spans={spans} />
        </span>
        <span className="num ml-auto text-xs text-ink-3 @max-form:hidden">{text.since(stamp(last))}</span>
        <span className="ml-auto @form:hidden" />
      </>
    )
  }
  if (!PHASES[phase].busy && phase !== 'Failed' && phase !== 'Degraded')
    return (
      <>
        <CircleSlash aria-hidden className="size-4 shrink-0 text-ink-3" />
        <span>{text.phases[phase]}</span>
        {since}
      </>
    )
  return (
    <>
      <span className="font-medium">{title}</span>
      <span className="num ml-auto text-xs text-ink-3">{text.requested(stamp(deployment.requestedAt))}</span>
    </>
  )
}

const FILL: Partial<Record<DeploymentPhase, string>> = { Pulling: 'bg-off', Creating: 'bg-off', Starting: 'bg-run' }

/** Each step as long as it took. */
function SpanBar({ spans }: { spans: readonly DeploymentSpan[] }) {
  return (
    <span aria-hidden className="flex h-2 w-36 max-w-full gap-px @max-dialog:hidden">
      {spans.map(({ phase, ms }) => (
        <span
          key={phase}
          className={`min-w-1 rounded-xs ${FILL[phase] ?? 'bg-line-2'}`}
          style={{ flex: `${Math.max(1, ms)} 0 0` }}
        />
      ))}
    </span>
  )
}

function SpanWords({ spans }: { spans: readonly DeploymentSpan[] }) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const pulled = spans.some(({ phase }) => phase === 'Pulling')
  const words = spans.flatMap(({ phase, ms }) => {
    const word = phase in text.spans ? [text.spans[phase as keyof typeof text.spans](format.milliseconds(ms))] : []
    return phase === 'Accepted' && !pulled ? [...word, text.imageThere] : word
  })
  return <Dotted parts={words} />
}
