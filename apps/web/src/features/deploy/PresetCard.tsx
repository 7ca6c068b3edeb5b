import { presetFit } from '@rackfair/rules/node/fit'
import { modelText } from '@rackfair/rules/node/name'
import type { Order } from '@rackfair/rules/order/order'
import type { Preset } from '@rackfair/rules/presets'
import { useFitText } from '../../entities/node/fit/useFitText.ts'
import { useLocale } from '../../i18n/locale.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dotted } from '../../ui/Dotted.tsx'
import { ExternalLink } from '../../ui/ExternalLink.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { deployMessages } from './messages.ts'

export interface PresetCardProps {
  preset: Preset
  order: Order
  /** Why nothing can be deployed on the order now. */
  blocked: string | undefined
  /** Why its provider does not run this one. */
  refused: string | undefined
  /** What its first deploy waits for. */
  wait: string | undefined
  /** What is being done for it now, in words. */
  doing: string | undefined
  onDeploy: () => void
}

const portText = ({ protocol, port }: Preset['ports'][number]) => `${protocol.toUpperCase()} ${port}`

/** One application of the catalogue, held against the machine. */
export function PresetCard({ preset, order, blocked, refused, wait, doing, onDeploy }: PresetCardProps) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const locale = useLocale()
  const fit = presetFit(preset, { ...order.resources, core: order.core, gpuModel: order.gpuModel })
  const fitText = useFitText()
  const otherGpu = fitText.otherGpu(fit)
  const problem = fitText.lacks(fit) || refused
  const fits = problem === undefined || problem === ''
  return (
    <article className="flex flex-col gap-4 rounded-lg border border-line bg-raised p-5" data-preset={preset.name}>
      <div className="flex items-start gap-3">
        <img src={`/v1/presets/${preset.logo}`} alt="" width="40" height="40" className="size-10 rounded-md" />
        <div className="min-w-0 flex-1">
          <h3 className="text-base">{preset.title}</h3>
          <p className="text-xs text-ink-3">
            <Dotted
              parts={[
                preset.access === 'public' ? text.forEveryone : text.forOwner,
                preset.tried ? (wait ?? text.ready(format.duration(preset.startSeconds))) : fitText.untried,
              ]}
            />
          </p>
        </div>
        <Badge tone={fits ? 'idle' : 'off'} dot>
          {fits ? text.fits : text.doesNotFit}
        </Badge>
      </div>
      <p className="text-ink-2">{preset.description[locale]}</p>
      <Facts
        facts={[
          { term: text.gpu, value: modelText(preset.gpu) || text.none },
          ...(preset.gpu.memoryGb > 0 ? [{ term: text.vram, value: format.gigabytes(preset.gpu.memoryGb) }] : []),
          { term: text.cores, value: format.number(preset.cores) },
          { term: text.memory, value: format.gigabytes(preset.memoryGb) },
          { term: text.disk, value: format.gigabytes(preset.diskGb) },
          ...(preset.ports.length > 0 ? [{ term: text.ports, value: format.list(preset.ports.map(portText)) }] : []),
          {
            term: text.licence,
            value: <ExternalLink to={preset.licence.url}>{preset.licence.name || text.noLicence}</ExternalLink>,
          },
        ]}
      />
      {otherGpu && <p className="text-xs text-warn">{otherGpu}</p>}
      <div className="mt-auto">
        <Button
          variant="accent"
          block
          pending={doing !== undefined}
          aria-label={`${text.deploy} ${preset.title}`}
          reasonAs={fits ? 'tooltip' : 'below'}
          disabledReason={fits ? blocked : problem}
          onClick={onDeploy}
        >
          {doing ?? text.deploy}
        </Button>
      </div>
    </article>
  )
}
