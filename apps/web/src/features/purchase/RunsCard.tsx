import { presetFit } from '@rackfair/rules/node/fit'
import type { NodeFacts } from '@rackfair/rules/node/node'
import type { ProviderTakes } from '@rackfair/rules/node/takes'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useFitText } from '../../entities/node/fit/useFitText.ts'
import { presetsQuery } from '../../entities/order/queries.ts'
import { useTakesText } from '../../entities/provider/takes/useTakesText.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { purchaseMessages } from './messages.ts'

export interface RunsCardProps {
  machine: Omit<NodeFacts, 'id' | 'cpuModel'>
  /** What its provider takes; undefined where nobody has said. */
  takes: ProviderTakes | undefined
}

/** Which applications run on the machine, and what is missing for the others. */
export function RunsCard({ machine, takes }: RunsCardProps) {
  const text = useMessages(purchaseMessages)
  const fitText = useFitText()
  const takesText = useTakesText(takes)
  const noOwn = takesText.blocksOwn()
  const presets = useQuery(presetsQuery)
  if (presets.isError) return null
  return (
    <Card title={text.runs}>
      {presets.data ? (
        <ul className="flex flex-col gap-1.5" aria-label={text.runs}>
          {presets.data.map((preset) => {
            const fit = presetFit(preset, machine)
            const lacks = fitText.needs(fit) || takesText.blocksPreset(preset) || ''
            const notes = [fitText.otherGpu(fit), preset.tried ? '' : fitText.untried, takesText.builtFirst(preset)]
            const note = lacks || notes.filter(Boolean).join(' ')
            return <Run key={preset.id} title={preset.title} runs={lacks === ''} note={note} />
          })}
          {takes && <Run title={text.ownApp} runs={noOwn === undefined} note={noOwn ?? ''} />}
        </ul>
      ) : (
        <Skeleton size="card" />
      )}
    </Card>
  )
}

function Run({ title, runs, note }: { title: string; runs: boolean; note: string }) {
  const text = useMessages(purchaseMessages)
  const Mark = runs ? Check : X
  return (
    <li className="flex items-start gap-2">
      <Mark
        role="img"
        aria-label={runs ? text.doesRun : text.doesNotRun}
        className={`mt-1 size-3.5 shrink-0 ${runs ? 'text-idle' : 'text-ink-3'}`}
      />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
        <span className={runs ? '' : 'text-ink-3'}>{title}</span>
        {note && <span className="text-xs text-ink-3">{note}</span>}
      </span>
    </li>
  )
}
