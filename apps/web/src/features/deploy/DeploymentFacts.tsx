import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import type { Deployment, DeploymentDetails, ImageNote } from '@rackfair/rules/deployment/deployment'
import { visitLink } from '@rackfair/rules/deployment/visitUrl'
import type { Order } from '@rackfair/rules/order/order'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Bar } from '../../ui/Bar.tsx'
import { Copyable } from '../../ui/Copyable.tsx'
import { deployMessages } from './messages.ts'

/** What is known of a deployment beside its steps: which image was promised; of an own application how far its image is and where its ports are. */
export function DeploymentFacts({ order, deployment }: { order: Order; deployment: Deployment }) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const { details, phase } = deployment
  const isOwn = deployment.deployId === OWN_APP_DEPLOY_ID
  const { pull, image, ports = [], notes = [], promise } = details ?? {}
  if (!promise && !(isOwn && details)) return null
  const host = hostOf(visitLink(order, deployment.visitUrl))
  const megabytes = (bytes: number) => `${format.number(Math.ceil(bytes / 1e6))} MB`
  const pulled = ({ bytes, totalBytes, layers, totalLayers }: NonNullable<DeploymentDetails['pull']>) =>
    bytes < totalBytes
      ? text.pulled(megabytes(bytes), megabytes(totalBytes), format.number(layers), format.number(totalLayers))
      : text.unpacks(megabytes(totalBytes), format.number(layers), format.number(totalLayers))
  return (
    <div className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      {pull && phase === 'Pulling' && (
        <div>
          <Bar label={pulled(pull)} parts={[{ share: pull.totalBytes === 0 ? 1 : pull.bytes / pull.totalBytes, tone: 'run' }]} />
          <p aria-hidden className="num mt-1 text-xs text-ink-3">
            {pulled(pull)}
          </p>
        </div>
      )}
      {image !== undefined && (
        <div className="min-w-0">
          <p className="text-xs text-ink-3">{text.runs}</p>
          <Copyable value={image} />
        </div>
      )}
      {promise && (
        <div className="min-w-0">
          <p className="text-xs text-ink-3">{text.promised}</p>
          <Copyable value={`sha256:${promise.image.slice(2)}`} />
          <p className="mt-1 text-xs text-ink-3">{text.promisedWhy}</p>
        </div>
      )}
      {ports.length > 0 && (
        <div>
          <p className="text-xs text-ink-3">{text.reached}</p>
          <ul className="flex flex-col gap-1">
            {ports.map(({ protocol, port, outside }) => (
              <li key={`${protocol} ${port}`} className="flex flex-wrap items-baseline gap-x-3">
                <span className="num text-ink-3">
                  {port}/{protocol}
                </span>
                <Copyable value={`${host}:${outside}`} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {notes.length > 0 && (
        <ul className="flex list-disc flex-col gap-1 pl-5 text-xs text-ink-2">
          {notes.map((note) => (
            <li key={`${note.code} ${note.value}`}>{noteText(text.imageAsks, note)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Asks = {
  readonly [Code in ImageNote['code']]: string | ((value: string) => string)
}

function noteText(texts: Asks, { code, value }: ImageNote): string {
  const said = texts[code]
  return typeof said === 'string' ? said : said(value)
}

/** An IPv6 address keeps its brackets. */
const hostOf = (link: string): string => new URL(link).hostname
