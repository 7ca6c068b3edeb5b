import type { CreatedAlert } from '@rackfair/sdk/http'
import { useMessages } from '../../i18n/useMessages.ts'
import { Copyable } from '../../ui/Copyable.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { alertMessages } from './messages.ts'

/** What comes next after an alert was added: the secret of a webhook, or the mail with its link. */
export function MadeNotice({ made: { alert, secret } }: { made: CreatedAlert }) {
  const text = useMessages(alertMessages)
  if (secret === null)
    return (
      <Notice tone="good" title={text.made}>
        {text.mailSent(alert.target)}
      </Notice>
    )
  return (
    <Notice tone="good" title={text.secret}>
      <Copyable value={secret} />
      <p className="mt-1">{text.secretText}</p>
    </Notice>
  )
}
