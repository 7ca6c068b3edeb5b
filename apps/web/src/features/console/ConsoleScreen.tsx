import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function ConsoleScreen() {
  return (
    <Page>
      <PageTitle title="Test console" />
    </Page>
  )
}
