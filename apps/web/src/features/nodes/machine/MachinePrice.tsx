import { HOUR_SECONDS, writeDuration } from '@rackfair/rules/duration'
import type { NodeBlocker } from '@rackfair/rules/node/blocker'
import type { NodeOffer } from '@rackfair/rules/node/node'
import { accruedWei, orderFeeWei } from '@rackfair/rules/prices/pricing'
import { Cost } from '../../../entities/node/term/Cost.tsx'
import { TermField } from '../../../entities/node/term/TermField.tsx'
import { termTexts } from '../../../entities/node/term/termTexts.ts'
import { useTermField } from '../../../entities/node/term/useTermField.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useParam } from '../../../platform/browser/searchParams.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MedianDifference } from '../MedianDifference.tsx'
import { along, purchasePath } from '../machinePath.ts'
import { nodeMessages } from '../messages.ts'
import { useBlockerText } from '../useBlockerText.ts'

export interface MachinePriceProps {
  node: NodeOffer
  /** Why it cannot be bought. */
  blocker: NodeBlocker | undefined
  now: number
}

/** What the machine costs, for how long, and Buy. */
export function MachinePrice({ node, blocker, now }: MachinePriceProps) {
  const text = useMessages(nodeMessages)
  const term = useMessages(termTexts)
  const format = useFormat()
  const blockerText = useBlockerText(now)
  const field = useTermField(node.minTerm)
  const rateWei = node.ratePerMonthWei
  const hourWei = accruedWei(rateWei, HOUR_SECONDS)
  const { seconds } = field
  const run = useParam('run') ?? ''
  return (
    <Card>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-2xl">
          <Money wei={hourWei} digits={4} fixed />
          <span className="text-sm text-ink-3"> {text.machine.anHour}</span>
        </span>
        <Money wei={rateWei} per={text.per.month} />
      </div>
      <div className="mb-5 flex flex-wrap justify-between gap-x-3 text-xs text-ink-3">
        <span>
          {node.gpu.count > 1
            ? text.machine.perGpu(format.usd(hourWei / BigInt(node.gpu.count), { min: 4, max: 4 }))
            : text.machine.whole}
        </span>
        <MedianDifference node={node} words />
      </div>
      <TermField
        value={field.term}
        onChange={field.setTerm}
        aside={seconds !== undefined && term.ends(format.dateTime(now + seconds))}
      />
      <div className="my-5">
        <Cost feeWei={seconds === undefined ? undefined : orderFeeWei(rateWei, seconds)} rateWei={rateWei} seconds={seconds} />
      </div>
      {blocker === undefined ? (
        <>
          <ButtonLink
            to={purchasePath(node, along(run, seconds === undefined ? '' : writeDuration(seconds)))}
            variant="primary"
            size="lg"
            block
            aria-label={text.buyOf(node.name)}
          >
            {text.buy}
          </ButtonLink>
          <p className="mt-2 text-center text-xs text-ink-3">{text.machine.next}</p>
        </>
      ) : blocker.code === 'own_node' ? (
        <ButtonLink to={`/addnode?id=${node.nodeId}`} size="lg" block aria-label={text.editOf(node.name)}>
          {text.edit}
        </ButtonLink>
      ) : (
        <Button size="lg" block disabledReason={blockerText(blocker).long}>
          {text.buy}
        </Button>
      )}
    </Card>
  )
}
