import { ownMessages } from '../../../entities/application/messages.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { AppForm } from './appForm.ts'
import { likelySecrets, withSecrets } from './secretNames.ts'

/** Proposes to keep secret what is called as a secret is and stands readable in the file. */
export function SecretProposal({ form, onChange }: { form: AppForm; onChange: (form: AppForm) => void }) {
  const text = useMessages(ownMessages)
  const format = useFormat()
  const found = likelySecrets(form)
  if (found.length === 0) return null
  return (
    <Notice
      tone="warn"
      title={text.likelySecrets(format.list(found.map(({ name }) => name)))}
      actions={<Button onClick={() => onChange(withSecrets(form, found))}>{text.keepSecret}</Button>}
    >
      {text.likelySecretsText}
    </Notice>
  )
}
