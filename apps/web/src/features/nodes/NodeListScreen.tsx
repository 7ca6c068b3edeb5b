import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function NodeListScreen() {
  return (
    <Page>
      <PageTitle title="Machines" />
    </Page>
  )
}
