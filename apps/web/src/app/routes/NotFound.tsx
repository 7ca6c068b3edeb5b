import { useLocation } from 'wouter'
import { useMessages } from '../../i18n/useMessages.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyBay } from '../../ui/EmptyBay.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { appMessages } from '../messages.ts'
import { PATHS } from '../paths.ts'

export default function NotFound() {
  const text = useMessages(appMessages).notFound
  const [path] = useLocation()
  return (
    <Page>
      <EmptyBay />
      <p className="num text-ink-3">404</p>
      <PageTitle title={text.title} />
      <p className="max-w-form break-words text-ink-2">{text.text(path)}</p>
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink to={PATHS.home} variant="primary">
          {text.home}
        </ButtonLink>
        <ButtonLink to={PATHS.nodeList}>{text.machines}</ButtonLink>
      </div>
    </Page>
  )
}
