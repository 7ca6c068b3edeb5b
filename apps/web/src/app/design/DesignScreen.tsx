import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { ControlParts } from './ControlParts.tsx'
import { DataParts } from './DataParts.tsx'
import { FeedbackParts } from './FeedbackParts.tsx'
import { Foundations } from './Foundations.tsx'
import { WalletParts } from './WalletParts.tsx'

/** Every part in every state, for development: texts here are samples and are not translated. */
export function DesignScreen() {
  return (
    <Page>
      <PageTitle
        title="Design"
        lead="Every part in every state. Switch theme and language in the header."
        trail={[{ label: 'Home', to: '/' }, { label: 'Design' }]}
      />
      <Foundations />
      <ControlParts />
      <DataParts />
      <FeedbackParts />
      <WalletParts />
    </Page>
  )
}
