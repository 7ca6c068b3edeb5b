import { isMeasured, uninterruptedChance } from '@rackfair/rules/uptime/reliability'
import { useQuery } from '@tanstack/react-query'
import { StripCell } from '../../entities/provider/StripCell.tsx'
import { reliabilityQuery } from '../../entities/reliability/queries.ts'
import { useFreshText } from '../../entities/reliability/useFreshText.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { overviewMessages } from './messages.ts'

const DAYS = 30

/** The probability that no machine of the provider is down in the 30 days to come. */
export function Uninterrupted({ address }: { address: string }) {
  const text = useMessages(overviewMessages).figures
  const format = useFormat()
  const { data, isError } = useQuery(reliabilityQuery(address))
  const freshText = useFreshText()
  const reliability = data?.reliability
  const fresh = reliability ? freshText(reliability) : undefined
  return (
    <StripCell
      title={text.uninterrupted}
      figure={
        reliability ? (
          isMeasured(reliability) ? (
            format.percent(uninterruptedChance(reliability, DAYS))
          ) : (
            '–'
          )
        ) : data || isError ? (
          '–'
        ) : (
          <Skeleton size="text" narrow />
        )
      }
    >
      <p className="text-xs text-ink-3">
        {fresh ??
          (reliability
            ? text.seenDays(format.number(reliability.seenDays, 1))
            : data
              ? text.notSeen
              : isError
                ? text.notRead
                : '')}
      </p>
    </StripCell>
  )
}
