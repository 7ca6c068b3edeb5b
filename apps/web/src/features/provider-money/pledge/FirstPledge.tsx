import { useProviderMoney } from '../../../entities/provider/useProviderMoney.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Card } from '../../../ui/Card.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Money } from '../../../ui/Money.tsx'
import { moneyMessages } from '../messages.ts'
import { interestPerMonthWei, yearlyShare } from './interest.ts'
import { PledgeForm } from './PledgeForm.tsx'

/** The form that pledges, beside what a pledge does and bears. */
export function FirstPledge() {
  const text = useMessages(moneyMessages).pledge
  const format = useFormat()
  const { money } = useProviderMoney()
  return (
    <div className="cols-aside">
      <Card>
        <PledgeForm />
      </Card>
      <Card title={text.whatTitle}>
        <div className="flex flex-col gap-4">
          <p className="text-ink-2">{text.what}</p>
          <Facts
            facts={[
              { term: text.rate, value: money === undefined ? '–' : format.percent(yearlyShare(money.ratePerYear), 2) },
              { term: text.perMonth, value: money === undefined ? '–' : <Money wei={interestPerMonthWei(money)} /> },
            ]}
          />
          {money?.poolWei === 0n && <p className="text-xs text-ink-3">{text.poolEmpty}</p>}
        </div>
      </Card>
    </div>
  )
}
