import { presetFit } from '@rackfair/rules/node/fit'
import { type NodeOffer, resourcesOf } from '@rackfair/rules/node/node'
import { imageState } from '@rackfair/rules/node/takes'
import { useQuery } from '@tanstack/react-query'
import { Package } from 'lucide-react'
import { presetsQuery } from '../../../entities/order/queries.ts'
import { providerQuery } from '../../../entities/provider/queries.ts'
import { useTakesText } from '../../../entities/provider/takes/useTakesText.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { TextLink } from '../../../ui/TextLink.tsx'
import { nodeMessages } from '../messages.ts'

/** What this machine takes, each a way to the purchase; what does not fit is left out. */
export function MachineRuns({ node, to }: { node: NodeOffer; to: (run: string) => string }) {
  const text = useMessages(nodeMessages).machine
  const takes = useQuery(providerQuery(node.provider)).data?.takes
  const takesText = useTakesText(takes)
  const { locale } = useFormat()
  const { data: presets = [] } = useQuery(presetsQuery)
  const machine = { ...resourcesOf(node), core: node.cpu.cores, gpuModel: node.gpu.model }
  const runs = presets.filter((one) => presetFit(one, machine).lacks.length === 0 && takesText.blocksPreset(one) === undefined)
  const takesOwn = takes !== undefined && takesText.blocksOwn() === undefined
  if (runs.length === 0 && !takesOwn) return null
  return (
    <section aria-label={text.runs} className="flex flex-col">
      <h2 className="pb-3 text-base">{text.runs}</h2>
      <ul className="border-t border-line">
        {runs.map((preset) => (
          <li key={preset.name} className="flex min-h-13 items-center gap-4 border-b border-line py-2">
            <img src={`/v1/presets/${preset.logo}`} alt="" width="32" height="32" className="size-8 rounded-md" />
            <span className="w-36 shrink-0 font-semibold">
              <TextLink to={to(preset.name)}>{preset.title}</TextLink>
            </span>
            <span className="min-w-0 flex-1 truncate text-ink-2 max-sm:hidden">{preset.description[locale]}</span>
            <span className="ml-auto shrink-0 text-xs text-ink-3">
              {imageState(preset, takes) === 'ready' ? text.imageHere : takesText.builtFirst(preset)}
            </span>
          </li>
        ))}
        {takesOwn && (
          <li className="flex min-h-13 items-center gap-4 border-b border-line py-2">
            <Package aria-hidden className="size-8 rounded-md border border-line p-1.5 text-ink-2" />
            <span className="w-36 shrink-0 font-semibold">{text.own}</span>
            <span className="min-w-0 flex-1 truncate text-ink-2 max-sm:hidden">{text.ownText}</span>
            <span className="ml-auto shrink-0 text-sm">
              <TextLink to={to('own')}>{text.paste}</TextLink>
            </span>
          </li>
        )}
      </ul>
    </section>
  )
}
