import { useMutation } from '@tanstack/react-query'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { alertMessages } from './messages.ts'

/** The target of a link in a mail. Requires a click to confirm, because mail scanners follow links too. */
export function MailLink({ token, action }: { token: string; action: 'confirm' | 'unsubscribe' }) {
  const text = useMessages(alertMessages)
  const errorText = useErrorText()
  const confirms = action === 'confirm'
  const answer = useMutation({ mutationFn: () => (confirms ? api.confirmAlert(token) : api.unsubscribeAlert(token)) })
  if (answer.isSuccess) return <Notice tone="good" title={confirms ? text.confirmed : text.stopped} />
  return (
    <>
      <EmptyState
        title={confirms ? text.confirmTitle : text.stopTitle}
        action={
          <Button variant="primary" pending={answer.isPending} onClick={() => answer.mutate()}>
            {confirms ? text.confirm : text.stop}
          </Button>
        }
      >
        {confirms ? text.confirmText : text.stopText}
      </EmptyState>
      {answer.isError && (
        <Notice tone="bad" title={text.linkFailed}>
          {errorText(answer.error).details}
        </Notice>
      )}
    </>
  )
}
