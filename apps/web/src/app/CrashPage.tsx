import { useMessages } from '../i18n/useMessages.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'
import { MissingScreen } from './MissingScreen.ts'
import { appMessages } from './messages.ts'

export function CrashPage({ error }: { error: Error }) {
  const text = useMessages(appMessages).crashed
  const isMissing = error instanceof MissingScreen
  return (
    <Page>
      <h1 className="text-2xl">{text.title}</h1>
      <ErrorState
        title={isMissing ? text.missing : text.unexpected}
        details={error.stack ?? error.message}
        action={<Button onClick={() => window.location.reload()}>{text.reload}</Button>}
      >
        {isMissing ? text.missingText : text.text}
      </ErrorState>
    </Page>
  )
}
