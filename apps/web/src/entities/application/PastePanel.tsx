import type { AppProblem } from '@rackfair/app-spec/AppSpec'
import type { AppDraft, AppNote } from '@rackfair/app-spec/import/Reading'
import type { readPasted } from '@rackfair/app-spec/import/readPasted'
import { CircleCheck, Info, OctagonAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { ownMessages } from './messages.ts'

/** Takes a foreign description and says how each field of it is read. What is refused can be left out. */
export function PastePanel({
  value,
  read,
  secrets,
  onChange,
  onUse,
}: {
  value: string
  read: ReturnType<typeof readPasted> | undefined
  /** Fields for what the text names and does not have. */
  secrets: ReactNode
  onChange: (value: string) => void
  /** Takes what is understood into a form, where there is one. */
  onUse?: (draft: AppDraft) => void
}) {
  const text = useMessages(ownMessages)
  const format = useFormat()
  const isUsable = read?.draft.image !== undefined
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Card>
        <Field label={text.pasteLabel} hint={text.pasteHint}>
          <TextArea value={value} onChange={onChange} mono rows={14} placeholder={'docker run -p 6379:6379 redis:7'} />
        </Field>
      </Card>
      {secrets}
      {read && (
        <Card
          title={text.readAs}
          aside={
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={read.problems.length === 0 ? 'idle' : 'bad'}>{text.kinds[read.kind]}</Badge>
              {text.noneDropped}
            </span>
          }
        >
          <div aria-live="polite">
            <ul className="flex flex-col gap-2">
              {read.problems.map((one) => (
                <Line key={`${one.line} ${one.field} ${one.code}`} one={one} tone="bad" said={text.problems[one.code]} />
              ))}
              {read.notes.map((one) => (
                <Line key={`${one.line} ${one.field} ${one.code}`} one={one} tone="info" said={text.notes[one.code]} />
              ))}
              {read.problems.length === 0 && read.notes.length === 0 && (
                <li className="flex items-center gap-2">
                  <CircleCheck aria-hidden className="size-4 text-idle" /> {text.good}
                </li>
              )}
            </ul>
            {read.problems.length > 0 && (
              <p className="mt-3 text-xs text-bad">{text.refused(format.number(read.problems.length))}</p>
            )}
          </div>
          {onUse && isUsable && (
            <div className="mt-4">
              <Button onClick={() => onUse(read.draft)}>{read.problems.length === 0 ? text.toForm : text.toFormWithout}</Button>
            </div>
          )}
        </Card>
      )}
    </div>
  )
}

function Line({ one, tone, said }: { one: AppProblem | AppNote; tone: 'bad' | 'info'; said: string }) {
  const text = useMessages(ownMessages)
  const format = useFormat()
  const Icon = tone === 'bad' ? OctagonAlert : Info
  return (
    <li className="flex min-w-0 items-start gap-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone === 'bad' ? 'text-bad' : 'text-ink-3'}`} />
      <span className="min-w-0 break-words">
        {one.line !== undefined && <span className="text-xs text-ink-3">{text.line(format.number(one.line))} </span>}
        <span className="num">{one.field === '' ? text.whole : one.field}</span> <span className="text-ink-2">{said}</span>
      </span>
    </li>
  )
}
