import { useLocation } from 'wouter'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { providerMessages } from '../messages.ts'
import { interestPerMonthWei, yearlyShare } from '../pledge/interest.ts'
import { PledgeForm } from '../pledge/PledgeForm.tsx'
import { useProviderMoney } from '../useProviderMoney.ts'

/** Step 3: the pledge; once it stands, what is left to do on the machine itself. */
export function PledgeStep({ onMarket, online }: { onMarket: boolean; online: boolean }) {
  const all = useMessages(providerMessages)
  const text = all.wizard
  const format = useFormat()
  const { money } = useProviderMoney()
  const [, navigate] = useLocation()
  return (
    <div className="flex flex-col gap-6">
      {onMarket && !online && (
        <Notice tone="good" title={text.agentTitle} actions={<ExternalLink to="/docs/">{text.agentGuide}</ExternalLink>}>
          {text.agentText}
        </Notice>
      )}
      <div className="cols-aside">
        <Card>
          <PledgeForm />
        </Card>
        <Card title={all.pledge.whatTitle}>
          <div className="flex flex-col gap-4">
            <p className="text-ink-2">{all.pledge.what}</p>
            <Facts
              facts={[
                { term: all.pledge.rate, value: money === undefined ? '–' : format.percent(yearlyShare(money.ratePerYear), 2) },
                {
                  term: all.pledge.perMonth,
                  value: money === undefined ? '–' : <Money wei={interestPerMonthWei(money)} />,
                },
              ]}
            />
            {money?.poolWei === 0n && <p className="text-xs text-ink-3">{all.pledge.poolEmpty}</p>}
          </div>
        </Card>
      </div>
      <div className="flex justify-between gap-3 border-t border-line pt-5">
        <Button onClick={() => navigate('/addprovider?step=2')}>{text.previous}</Button>
        <ButtonLink to="/providerinfo" variant={onMarket ? 'accent' : 'outline'}>
          {text.finish}
        </ButtonLink>
      </div>
    </div>
  )
}
