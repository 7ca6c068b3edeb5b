import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function AddProviderScreen() {
  return (
    <Page>
      <PageTitle title="Become a provider" />
    </Page>
  )
}
