import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function HomeScreen() {
  return (
    <Page>
      <PageTitle title="Rackfair" />
    </Page>
  )
}
