import { type NodeFacts, presetFit } from '@rackfair/core'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useMessages } from '../../i18n/useMessages.ts'
import { useFitText } from '../../lib/fit/useFitText.ts'
import { presetsQuery } from '../../lib/orders/orderQueries.ts'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { purchaseMessages } from './messages.ts'

/** Which applications of the catalogue fit the machine, and what is missing for the others. */
export function RunsCard({ machine }: { machine: Omit<NodeFacts, 'id' | 'cpuModel'> }) {
  const text = useMessages(purchaseMessages)
  const fitText = useFitText()
  const presets = useQuery(presetsQuery)
  if (presets.isError) return null
  return (
    <Card title={text.runs}>
      {presets.data ? (
        <ul className="flex flex-col gap-1.5" aria-label={text.runs}>
          {presets.data.map((preset) => {
            const fit = presetFit(preset, machine)
            const lacks = fitText.lacks(fit)
            const note = lacks || [fitText.otherGpu(fit), preset.tried ? '' : fitText.untried].filter(Boolean).join(' ')
            const Mark = lacks ? X : Check
            return (
              <li key={preset.id} className="flex items-baseline gap-2">
                <Mark
                  role="img"
                  aria-label={lacks ? text.doesNotRun : text.doesRun}
                  className={`size-3.5 shrink-0 self-center ${lacks ? 'text-ink-3' : 'text-idle'}`}
                />
                <span className={lacks ? 'text-ink-3' : ''}>{preset.title}</span>
                {note && <span className="min-w-0 flex-1 text-right text-xs text-ink-3">{note}</span>}
              </li>
            )
          })}
        </ul>
      ) : (
        <Skeleton size="card" />
      )}
    </Card>
  )
}
