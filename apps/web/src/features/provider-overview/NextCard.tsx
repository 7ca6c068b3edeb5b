import { Activity, BellRing, Cpu, Info, type LucideIcon, PlugZap, ShieldAlert, Thermometer, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MessagesOf } from '../../i18n/defineMessages.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Card } from '../../ui/Card.tsx'
import type { en } from './messages.en.ts'
import { overviewMessages } from './messages.ts'
import type { NextStep } from './nextSteps.ts'

const GUIDE = '/docs/providers/'

const ICONS: Record<NextStep['kind'], LucideIcon> = {
  noNodes: Cpu,
  agentNever: PlugZap,
  agentSilent: TriangleAlert,
  gpuProblem: TriangleAlert,
  pledgeBlocks: ShieldAlert,
  hot: Thermometer,
  settle: Activity,
  idle: Info,
  noAlerts: BellRing,
}

interface NextCardProps {
  steps: readonly NextStep[]
  now: number
  onPledge: () => void
}

/** What to do next, each with its reason and its button; the first has the colour. */
export function NextCard({ steps, now, onPledge }: NextCardProps) {
  const text = useMessages(overviewMessages).next
  return (
    <Card title={text.title} flush>
      {steps.length === 0 ? (
        <p className="px-5 pb-5 text-ink-2">{text.nothing}</p>
      ) : (
        <ul className="border-t border-line">
          {steps.map((step, index) => (
            <NextRow
              // biome-ignore lint/suspicious/noArrayIndexKey: two broken cards of one model have nothing else that tells them apart
              key={`${step.kind} ${index}`}
              {...{ step, now, onPledge }}
              isFirst={index === 0}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}

function NextRow({ step, now, onPledge, isFirst }: { step: NextStep; isFirst: boolean } & Omit<NextCardProps, 'steps'>) {
  const text = useMessages(overviewMessages).next
  const format = useFormat()
  const Icon = ICONS[step.kind]
  const { title, reason } = wordsOf(step, text, format, now)
  const variant = isFirst ? 'primary' : 'outline'
  const link = (to: string, label: string) => (
    <ButtonLink size="sm" variant={variant} to={to}>
      {label}
    </ButtonLink>
  )
  const actions: Record<NextStep['kind'], () => ReactNode> = {
    noNodes: () => link('/addnode', text.addNode),
    agentNever: () => link(absolute(GUIDE), text.guide),
    agentSilent: () => link(absolute(GUIDE), text.guide),
    gpuProblem: () => null,
    pledgeBlocks: () => (
      <Button size="sm" variant={variant} onClick={onPledge}>
        {text.addPledge}
      </Button>
    ),
    hot: () => null,
    settle: () => link('/providerinfo?tab=orders', text.settle),
    idle: () => (step.kind === 'idle' ? link(`/addnode?id=${step.nodeId}`, text.changePrice) : null),
    noAlerts: () => link('/alerts', text.setUp),
  }
  return (
    <li className="flex items-start gap-3 border-b border-line px-5 py-4 last:border-b-0">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-semibold">{title}</p>
          <p className="text-xs text-ink-2">{reason}</p>
        </div>
        {actions[step.kind]()}
      </div>
    </li>
  )
}

/** The guides are pages of their own beside the app. */
const absolute = (path: string): string => new URL(path, window.location.origin).href

function wordsOf(
  step: NextStep,
  text: MessagesOf<typeof en>['next'],
  format: ReturnType<typeof useFormat>,
  now: number,
): { title: string; reason: string } {
  switch (step.kind) {
    case 'noNodes':
    case 'agentNever':
    case 'noAlerts':
      return text[step.kind]
    case 'agentSilent':
      return {
        title: text.agentSilent.title(format.duration(now - step.since)),
        reason: step.perHourWei > 0n ? text.agentSilent.costs(format.usd(step.perHourWei, { max: 4 })) : text.agentSilent.idle,
      }
    case 'gpuProblem':
      return { title: text.gpuProblem.title(step.model), reason: text.gpuProblem.reason(step.problem) }
    case 'pledgeBlocks':
      return {
        title: text.pledgeBlocks.title(step.node),
        reason: text.pledgeBlocks.reason(format.usd(step.missingWei, { max: 2 })),
      }
    case 'hot':
      return {
        title: text.hot.title(step.node),
        reason: text.hot.reason(Math.round(step.celsius), Math.round(step.slowsAtCelsius)),
      }
    case 'settle':
      return { title: text.overdue.title(format.number(step.count), step.count), reason: text.overdue.reason }
    case 'idle': {
      const since = step.lastSold === 0 ? undefined : format.duration(now - step.lastSold, 1)
      return {
        title: since === undefined ? text.idle.never(step.node) : text.idle.title(step.node, since),
        reason: text.idle.reason(format.percent(step.above), format.usd(step.medianWei)),
      }
    }
  }
}
