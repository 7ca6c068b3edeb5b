import { lowerCaseAddress } from '@rackfair/rules/address'
import { MIN_PLEDGE_WEI } from '@rackfair/rules/limits'
import type { Provider } from '@rackfair/rules/provider/provider'
import type { ReactNode } from 'react'
import { FundsNotice } from '../../entities/provider/FundsNotice.tsx'
import { providerTexts } from '../../entities/provider/providerTexts.ts'
import { useOwnProvider } from '../../entities/provider/useOwnProvider.ts'
import { useProviderMoney } from '../../entities/provider/useProviderMoney.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useParam } from '../../platform/browser/searchParams.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RequireWallet, useAccountState } from '../../wallet/index.ts'
import { registrationMessages } from './messages.ts'
import { AgentStep } from './wizard/AgentStep.tsx'
import { NodesStep } from './wizard/NodesStep.tsx'
import { PledgeStep } from './wizard/PledgeStep.tsx'
import { RegisterStep } from './wizard/RegisterStep.tsx'
import { WizardSteps } from './wizard/WizardSteps.tsx'
import { wizardStep } from './wizard/wizardStep.ts'

export interface WizardParts {
  /** Adds nodes, and lists those of the provider. */
  renderNodes: (provider: Provider) => ReactNode
  /** Takes the pledge. */
  pledge: ReactNode
}

/** The steps to becoming a provider, of which the first is registering, and the last the agent on the machine. */
export function AddProviderScreen(parts: WizardParts) {
  const shared = useMessages(providerTexts)
  const text = useMessages(registrationMessages).wizard
  const errorText = useErrorText()
  const own = useOwnProvider()
  return (
    <Page>
      <PageTitle
        title={text.title}
        lead={text.lead}
        trail={[{ label: shared.title, to: '/providerinfo' }, { label: text.title }]}
      />
      <RequireWallet>
        <Loaded
          query={own}
          failed={shared.loadFailed}
          safe={shared.readSafe}
          details={(error) => errorText(error).details}
          skeleton={<Skeleton size="page" />}
        >
          {(provider) => <Wizard provider={provider ?? undefined} {...parts} />}
        </Loaded>
      </RequireWallet>
    </Page>
  )
}

function Wizard({ provider, renderNodes, pledge }: WizardParts & { provider: Provider | undefined }) {
  const { address = '' } = useAccountState()
  const { money } = useProviderMoney()
  const asked = useParam('step')
  const facts = {
    registered: provider !== undefined,
    nodes: provider?.nodes.filter((node) => node.exist).length ?? 0,
    pledged: money && money.pledgedWei >= MIN_PLEDGE_WEI,
  }
  const step = wizardStep(asked, facts)
  return (
    <>
      <WizardSteps current={step} facts={{ ...facts, online: provider?.online ?? false }} />
      <FundsNotice />
      {step === 0 && <RegisterStep key={address} provider={provider} address={lowerCaseAddress(address)} />}
      {step === 1 && provider && (
        <NodesStep key={address} listed={facts.nodes > 0}>
          {renderNodes(provider)}
        </NodesStep>
      )}
      {step === 2 && (
        <PledgeStep key={address} pledged={facts.pledged ?? false}>
          {pledge}
        </PledgeStep>
      )}
      {step === 3 && provider && <AgentStep provider={provider} isListed={facts.nodes > 0 && facts.pledged === true} />}
    </>
  )
}
