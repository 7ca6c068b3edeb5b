import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { issueText } from './issueText.ts'
import { consoleMessages } from './messages.ts'
import type { ArgIssue } from './parseArgs.ts'

const MAX_SHOWN = 6

/** The parameters as JSON, with every problem and its place beneath. */
export function ArgsEditor({
  value,
  onChange,
  onPrefill,
  issues,
}: {
  value: string
  onChange: (value: string) => void
  onPrefill: () => void
  issues: readonly ArgIssue[]
}) {
  const text = useMessages(consoleMessages)
  const format = useFormat()
  const lines = value.split('\n').length
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={text.parameters}
        hint={text.parametersHint}
        error={issues.length > 0 ? text.badParameters : undefined}
        aside={
          <Button size="sm" variant="quiet" onClick={onPrefill}>
            {text.reset}
          </Button>
        }
      >
        <TextArea mono value={value} onChange={onChange} rows={Math.min(18, Math.max(4, lines + 1))} />
      </Field>
      <ul aria-live="polite" className="flex flex-col gap-1 text-xs text-bad empty:hidden">
        {issues.slice(0, MAX_SHOWN).map((issue) => (
          <li key={`${issue.path} ${issue.problem.code}`}>
            <span className="num font-medium">{issue.path || text.issues.whole}</span>
            {issue.type !== '' && issue.path !== '' && <span className="num text-ink-3"> ({issue.type})</span>}{' '}
            {issueText(issue, text.issues, format)}
          </li>
        ))}
      </ul>
    </div>
  )
}
