import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function ProviderDetailScreen() {
  return (
    <Page>
      <PageTitle title="Provider" />
    </Page>
  )
}
