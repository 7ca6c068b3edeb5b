import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function DeployScreen() {
  return (
    <Page>
      <PageTitle title="Deploy" />
    </Page>
  )
}
