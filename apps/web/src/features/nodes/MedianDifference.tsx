import type { NodeOffer } from '@rackfair/rules/node/node'
import { medianDifference } from '../../entities/node/medianDifference.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { nodeMessages } from './messages.ts'

export interface MedianDifferenceProps {
  node: NodeOffer
  words?: boolean
  /** In a line of its own below a price. */
  below?: boolean
}

/** How a machine's monthly price by GPU or processor stands to the median of its model. Nothing where the model has no median yet. */
export function MedianDifference({ node, words = false, below = false }: MedianDifferenceProps) {
  const text = useMessages(nodeMessages)
  const format = useFormat()
  const difference = medianDifference(node.unitRateWei, node.medianUnitRateWei)
  if (difference === undefined || node.medianUnitRateWei === null) return null
  const even = difference === 0
  const figure = format.signedPercent(difference)
  return (
    <span
      title={text.medianOf(node.gpu.count > 0 ? node.gpu.model : node.cpu.model, format.usd(node.medianUnitRateWei))}
      className={`num text-xs ${below ? 'block truncate leading-none font-normal' : ''} ${even || difference > 0 ? 'text-ink-3' : 'text-idle'}`}
    >
      {even ? (
        text.atMedian
      ) : words ? (
        text.toMedian(figure)
      ) : (
        <>
          <span aria-hidden>{figure}</span>
          <span className="sr-only">{text.toMedian(figure)}</span>
        </>
      )}
    </span>
  )
}
