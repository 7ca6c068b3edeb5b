import type { NodeReliability } from '@rackfair/rules/node/node'
import { uninterruptedChance } from '@rackfair/rules/uptime/reliability'
import type { ReliabilityRecord } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { EvidenceList } from './EvidenceList.tsx'
import { PlannedMaintenance } from './PlannedMaintenance.tsx'
import { reliabilityQuery } from './queries.ts'
import { ReliabilityStrip } from './ReliabilityStrip.tsx'
import { reliabilityTexts } from './reliabilityTexts.ts'
import { useFreshText } from './useFreshText.ts'

const DAY_SECONDS = 86_400
const STRIP_DAYS = 90

interface ReliabilityCardProps {
  /** A lower-case address. */
  provider: string
  /** Undefined for all machines of the provider together. */
  nodeId?: number
  /** What the figure is for; 30 days by default. */
  days?: number
  /** Names machines in the evidence of several. */
  nameOf?: (nodeId: number) => string
  /** Whether announced maintenance is listed; not beside a card that does. */
  planned?: boolean
  /** Of one's own machines: says how what can still be disputed is. */
  own?: boolean
}

/** How likely machines run through, what that rests on, and every outage with its evidence. */
export function ReliabilityCard({ provider, nodeId, days = 30, nameOf, planned = true, own = false }: ReliabilityCardProps) {
  const text = useMessages(reliabilityTexts)
  const answer = useQuery(reliabilityQuery(provider, nodeId))
  return (
    <Card title={text.title}>
      <Loaded line query={answer} failed={text.failed} skeleton={<Skeleton size="card" />}>
        {(answer) => <Known answer={planned ? answer : { ...answer, maintenance: [] }} days={days} nameOf={nameOf} own={own} />}
      </Loaded>
    </Card>
  )
}

type KnownProps = Required<Pick<ReliabilityCardProps, 'days' | 'own'>> & {
  answer: ReliabilityRecord
  nameOf: ReliabilityCardProps['nameOf']
}

function Known({ answer, days, nameOf, own }: KnownProps) {
  const text = useMessages(reliabilityTexts)
  const { reliability, monitored } = answer
  if (!reliability)
    return (
      <>
        {answer.outages.length > 0 ? (
          <EvidenceList answer={answer} nameOf={nameOf} own={own} />
        ) : (
          <>
            <p className="font-semibold">{text.unknown}</p>
            <p className="mt-1 text-xs text-ink-3">{monitored ? text.unknownText : text.unwatched}</p>
          </>
        )}
        <PlannedMaintenance planned={answer.maintenance} nameOf={nameOf} />
      </>
    )
  return (
    <>
      <Chance reliability={reliability} days={days} />
      <PlannedMaintenance planned={answer.maintenance} nameOf={nameOf} />
      <EvidenceList answer={answer} nameOf={nameOf} own={own} />
    </>
  )
}

function Chance({ reliability, days }: { reliability: NodeReliability; days: number }) {
  const text = useMessages(reliabilityTexts)
  const format = useFormat()
  const fresh = useFreshText()(reliability)
  const { strip, day, seenDays, countedDays, outages, brokenOrders } = reliability
  return (
    <>
      {fresh === undefined ? (
        <p className="flex items-baseline gap-3">
          <span className="num text-xl">{format.percent(uninterruptedChance(reliability, days))}</span>
          <span className="text-xs text-ink-3">{text.chance(text.days(format.number(days), days === 1))}</span>
        </p>
      ) : (
        <>
          <p className="font-semibold">{fresh}</p>
          <p className="text-xs text-ink-3">{text.freshText}</p>
        </>
      )}
      <div className="mt-3">
        <ReliabilityStrip strip={strip} />
      </div>
      <p className="num mt-1 mb-3 flex justify-between text-xs text-ink-3">
        <span>{format.day((day - STRIP_DAYS + 1) * DAY_SECONDS)}</span>
        <span>{text.today}</span>
      </p>
      <Facts
        facts={[
          { term: text.seen, value: text.days(format.number(seenDays, 2), seenDays === 1) },
          {
            term: text.counted,
            value: <span title={text.countedHint}>{text.days(format.number(countedDays, 2), countedDays === 1)}</span>,
          },
          { term: text.outages, value: format.number(outages) },
          { term: text.broken, value: format.number(brokenOrders) },
        ]}
      />
      <p className="mt-2 text-xs text-ink-3">{text.countedHint}</p>
    </>
  )
}
