import { HOUR_SECONDS } from '@rackfair/rules/duration'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import type { KeyLimits } from '@rackfair/sdk'
import { useTermText } from '../../entities/node/term/useTermText.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { maySpend } from './keyForm.ts'
import { keyMessages } from './messages.ts'

/** No order lasts longer, so that as many hours are no limit. */
const ANY_HOURS = 86_400

type Limits = Pick<KeyLimits, 'totalWei' | 'refillWei' | 'maxMonthWei' | 'maxGpuHourWei' | 'maxTermHours'> & {
  rights: NonNullable<KeyLimits['rights']>
  isAnyProvider: boolean
}

/** What a key may spend and do, in words, the strongest limit first. */
export function useLimitWords(): (limits: Limits) => { spend: readonly string[]; may: string } {
  const text = useMessages(keyMessages)
  const format = useFormat()
  const termText = useTermText()
  const price = (wei: bigint) => format.usd(wei, { max: 4 })
  return ({ totalWei, refillWei = 0n, maxMonthWei, maxGpuHourWei, maxTermHours = ANY_HOURS, rights, isAnyProvider }) => {
    const may = text.mayDo(format.list(rights.map((right) => text.rights[right])))
    if (!maySpend(rights)) return { spend: [text.cannotSpend], may }
    return {
      spend: [
        refillWei === 0n ? text.inTotal(price(totalWei)) : text.perDay(price(refillWei), price(totalWei)),
        ...(maxMonthWei === undefined ? [] : [text.perHour(price(accruedWei(maxMonthWei, HOUR_SECONDS)))]),
        ...(maxGpuHourWei === undefined ? [] : [text.perGpuHour(price(maxGpuHourWei))]),
        ...(maxTermHours >= ANY_HOURS ? [] : [text.atATime(termText(maxTermHours * HOUR_SECONDS))]),
        isAnyProvider ? text.anyProvider : text.someProviders,
      ],
      may,
    }
  }
}
