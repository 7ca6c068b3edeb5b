import type { NodeOffer } from '@rackfair/rules/node/node'
import { resourcesOf } from '@rackfair/rules/node/node'
import { priceLines } from '@rackfair/rules/prices/priceLines'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { useQuery } from '@tanstack/react-query'
import { Check, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useGlobal } from '../../../entities/network/useGlobal.ts'
import { SampleMark } from '../../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { Money } from '../../../ui/Money.tsx'
import { StateShape } from '../../../ui/StateDot.tsx'
import { machinesQuery } from '../homeQueries.ts'
import { homeMessages } from '../messages.ts'

const HOUR = 3600n
/** How the shown part of an application's start goes; the words of each stand beside it. */
const STARTS = ['accepted', 'image', 'created', 'started', 'answers'] as const

/** A part of the screen of one step at its full size, cut by its frame and fed with this market's own machines. */
export default function StepPart({ step }: { step: 'find' | 'pay' | 'deploy' | 'leave' }) {
  const { data } = useQuery(machinesQuery)
  const [first] = data?.nodes ?? []
  if (step === 'deploy') return <DeployPart />
  if (!data || !first) return <Waiting />
  if (step === 'find') return <FindPart nodes={data.nodes} />
  return step === 'pay' ? <PayPart node={first} /> : <LeavePart node={first} />
}

function Waiting() {
  return (
    <div className="flex flex-col gap-4 p-4">
      {['w-60', 'w-full', 'w-44', 'w-52'].map((width) => (
        <span key={width} className={`block h-4 rounded-sm bg-slot ${width}`} />
      ))}
    </div>
  )
}

function Line({ left, middle, right }: { left: ReactNode; middle?: ReactNode; right: ReactNode }) {
  return (
    <div className="flex items-baseline gap-4 border-b border-line py-2">
      <span className="min-w-16 flex-1 truncate">{left}</span>
      <span className="num min-w-0 truncate text-xs text-ink-3">{middle}</span>
      <span className="min-w-16 shrink-0 text-right">{right}</span>
    </div>
  )
}

function FindPart({ nodes }: { nodes: readonly NodeOffer[] }) {
  const words = useMessages(homeMessages)
  const format = useFormat()
  return (
    <div className="px-4 pt-4">
      <span className="flex h-9 items-center gap-2 rounded-md border border-edge px-2.5 text-ink-3">
        <Search className="size-4" />
        {words.searchHint}
      </span>
      <div className="mt-2">
        {nodes.map((node) => (
          <Line
            key={`${node.provider}/${node.nodeId}`}
            left={
              <span className="inline-flex items-center gap-2 font-semibold">
                <StateShape tone={node.sold ? 'run' : 'idle'} />
                {node.name}
                <SampleMark of={node} />
              </span>
            }
            middle={`${node.gpu.count > 0 ? `${node.gpu.count} × ${node.gpu.model}` : words.rack.cpus(format.number(node.cpu.count))} · ${format.gigabytes(node.memoryGb)}`}
            right={<Money wei={accruedWei(node.ratePerMonthWei, HOUR)} digits={4} per={words.figures.perHour} />}
          />
        ))}
      </div>
    </div>
  )
}

function PayPart({ node }: { node: NodeOffer }) {
  const words = useMessages(homeMessages)
  const text = words.parts
  const format = useFormat()
  const amount = { gpu: format.number(node.gpu.count), cpu: format.number(node.cpu.count) }
  return (
    <div className="px-4 pt-2">
      <Line left={<span className="font-semibold">{text.price}</span>} right={<span className="text-xs">{text.month}</span>} />
      {priceLines(resourcesOf(node), node.prices, 1).map((line) => (
        <Line
          key={line.kind}
          left={words.today[line.kind]}
          middle={line.kind === 'gpu' || line.kind === 'cpu' ? amount[line.kind] : format.gigabytes(line.count)}
          right={<Money wei={line.totalWei} />}
        />
      ))}
      <Line left={<b>{text.total}</b>} right={<Money wei={node.ratePerMonthWei} />} />
    </div>
  )
}

function DeployPart() {
  const text = useMessages(homeMessages).parts
  const format = useFormat()
  const { totals } = useGlobal()
  const started = totals?.medianDeployMs ?? null
  return (
    <div>
      <p className="flex items-center gap-2 border-b border-line px-4 py-2.5">
        <Check className="size-4 text-idle" />
        {started === null ? text.running : text.runningIn(format.milliseconds(started))}
      </p>
      <dl className="flex flex-col gap-1 px-4 py-3 text-xs">
        {STARTS.map((step) => (
          <div key={step} className="num flex gap-3">
            <dt className="w-20 shrink-0 text-idle">{text.starts[step].step}</dt>
            <dd className="truncate text-ink-2">{text.starts[step].says}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function LeavePart({ node }: { node: NodeOffer }) {
  const text = useMessages(homeMessages).parts
  const total = node.ratePerMonthWei
  const earned = accruedWei(total, HOUR)
  return (
    <div className="flex flex-col gap-3 p-4">
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-semibold">{text.money}</span>
        <span className="text-xs text-ink-3">{text.hourIn}</span>
      </p>
      <Bar label={text.hourIn} parts={[{ share: 1 / 720, tone: 'run' }]} />
      <div className="grid grid-cols-2 gap-4">
        <span>
          <span className="block text-xs text-ink-3">{text.earned(node.providerName)}</span>
          <span className="text-lg">
            <Money wei={earned} digits={6} fixed />
          </span>
        </span>
        <span>
          <span className="block text-xs text-ink-3">{text.back}</span>
          <span className="text-lg">
            <Money wei={total - earned} digits={6} fixed up />
          </span>
        </span>
      </div>
    </div>
  )
}
