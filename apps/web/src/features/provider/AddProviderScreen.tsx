import { MIN_PLEDGE_WEI, type Provider } from '@rackfair/core'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { useParam } from '../../lib/searchParams.ts'
import { Loaded } from '../../ui/Loaded.tsx'
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
  const errorText = useErrorText()
  const own = useOwnProvider()
  return (
    <Page>
      <PageTitle
        title={text.wizard.title}
        lead={text.wizard.lead}
        trail={[{ label: text.title, to: '/providerinfo' }, { label: text.wizard.title }]}
      />
      <RequireWallet>
        <Loaded
          query={own}
          failed={text.loadFailed}
          safe={text.readSafe}
          details={(error) => errorText(error).details}
          skeleton={<Skeleton size="page" />}
        >
          {(provider) => <Wizard provider={provider ?? undefined} />}
        </Loaded>
      </RequireWallet>
    </Page>
  )
}

function Wizard({ provider }: { provider: Provider | undefined }) {
  const { address = '' } = useAccountState()
  const { money } = useProviderMoney()
  const asked = useParam('step')
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
