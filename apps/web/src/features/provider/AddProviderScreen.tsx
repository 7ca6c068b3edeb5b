import { MIN_PLEDGE_WEI } from '@rackfair/core'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { useParam } from '../../lib/searchParams.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RequireWallet, useAccountState } from '../../wallet/index.ts'
import { FundsNotice } from './FundsNotice.tsx'
import { providerMessages } from './messages.ts'
import { useOwnProvider } from './useOwnProvider.ts'
import { useProviderMoney } from './useProviderMoney.ts'
import { NodesStep } from './wizard/NodesStep.tsx'
import { PledgeStep } from './wizard/PledgeStep.tsx'
import { RegisterStep } from './wizard/RegisterStep.tsx'
import { WizardSteps } from './wizard/WizardSteps.tsx'
import { wizardStep } from './wizard/wizardStep.ts'

export function AddProviderScreen() {
  const text = useMessages(providerMessages)
  return (
    <Page>
      <PageTitle
        title={text.wizard.title}
        lead={text.wizard.lead}
        trail={[{ label: text.title, to: '/providerinfo' }, { label: text.wizard.title }]}
      />
      <RequireWallet>
        <Wizard />
      </RequireWallet>
    </Page>
  )
}

function Wizard() {
  const text = useMessages(providerMessages)
  const errorText = useErrorText()
  const own = useOwnProvider()
  const { address = '' } = useAccountState()
  const { money } = useProviderMoney()
  const asked = useParam('step')

  if (own.status === 'loading') return <Skeleton size="page" />
  if (own.status === 'failed')
    return (
      <ErrorState title={text.loadFailed} details={errorText(own.error).details} onRetry={own.retry} retrying={own.retrying}>
        {text.readSafe}
      </ErrorState>
    )
  const provider = own.status === 'registered' ? own.provider : undefined
  const facts = { registered: provider !== undefined, nodes: provider?.nodes.filter((node) => node.exist).length ?? 0 }
  const pledged = money !== undefined && money.pledgedWei >= MIN_PLEDGE_WEI
  const step = wizardStep(asked, facts)
  return (
    <>
      <WizardSteps current={step} facts={{ ...facts, pledged }} />
      <FundsNotice />
      {step === 0 && <RegisterStep key={address} provider={provider} address={address.toLowerCase()} />}
      {step === 1 && provider && <NodesStep key={address} provider={provider} />}
      {step === 2 && <PledgeStep key={address} onMarket={facts.nodes > 0 && pledged} online={provider?.online ?? false} />}
    </>
  )
}
