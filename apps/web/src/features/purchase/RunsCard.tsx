import { presetFit } from '@rackfair/rules/node/fit'
import type { NodeFacts } from '@rackfair/rules/node/node'
import type { ProviderTakes } from '@rackfair/rules/node/takes'
import type { Preset } from '@rackfair/rules/presets'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useFitText } from '../../entities/node/fit/useFitText.ts'
import { presetsQuery } from '../../entities/order/queries.ts'
import { useTakesText } from '../../entities/provider/takes/useTakesText.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { byReason } from './byReason.ts'
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
  const format = useFormat()
  const noOwn = takesText.blocksOwn()
  const whyNot = (preset: Preset): string => fitText.needs(presetFit(preset, machine)) || takesText.blocksPreset(preset) || ''
  const presets = useQuery(presetsQuery)
  if (presets.isError) return null
  return (
    <Card title={text.runs}>
      {presets.data ? (
        <ul className="flex flex-col gap-1.5" aria-label={text.runs}>
          {presets.data.map((preset) => {
            if (whyNot(preset) !== '') return null
            const fit = presetFit(preset, machine)
            const notes = [fitText.otherGpu(fit), preset.tried ? '' : fitText.untried, takesText.builtFirst(preset)]
            return <Run key={preset.id} title={preset.title} runs note={notes.filter(Boolean).join(' ')} />
          })}
          {[...byReason(presets.data, whyNot)].map(([why, titles]) => (
            <Run key={why} title={format.list(titles)} runs={false} note={why} />
          ))}
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
