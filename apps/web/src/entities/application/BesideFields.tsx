import type { Beside, Wanted } from '@rackfair/app-spec/import/Beside'
import { type ChangeEvent, useRef, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { LinesInput } from './LinesInput.tsx'
import { ownMessages } from './messages.ts'

/** Where each kind is given; the rest is asked for with the values of secrets, or not sent. */
const PLACES = { file: 'files', values: 'files', variable: 'variables', image: 'images' } as const
type Asked = Wanted & { kind: keyof typeof PLACES }

const isAsked = (one: Wanted): one is Asked => Object.hasOwn(PLACES, one.kind)

/** Fields for what a pasted text names and does not have: files, files of variables, variables, images that are built. */
export function BesideFields({
  wanted,
  beside,
  onChange,
}: {
  wanted: readonly Wanted[]
  beside: Beside
  onChange: (beside: Beside) => void
}) {
  const text = useMessages(ownMessages)
  const asked = wanted.filter(isAsked)
  if (asked.length === 0) return null
  const give = ({ kind, name }: Asked, value: string | undefined) => {
    const place = PLACES[kind]
    const { [name]: _, ...others } = beside[place] ?? {}
    onChange({ ...beside, [place]: value === undefined ? others : { ...others, [name]: value } })
  }
  return (
    <Card title={text.beside} aside={text.besideAside}>
      <div className="flex flex-col gap-4">
        {asked.map((one) => {
          const value = beside[PLACES[one.kind]]?.[one.name]
          return one.kind === 'file' || one.kind === 'values' ? (
            <FileField key={`${one.kind} ${one.name}`} one={one} value={value} onChange={(given) => give(one, given)} />
          ) : (
            <Field key={`${one.kind} ${one.name}`} label={one.name} hint={text.besideHints[one.kind]}>
              <TextInput
                mono
                value={value ?? ''}
                placeholder={one.usual ?? ''}
                onChange={(typed) => give(one, typed === '' ? undefined : typed)}
              />
            </Field>
          )
        })}
      </div>
    </Card>
  )
}

/** A little more than a file may have, so that a larger one is refused by the line that names it. */
const MAX_BYTES = 32 * 1024 + 1

function FileField({
  one,
  value,
  onChange,
}: {
  one: Asked
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const text = useMessages(ownMessages)
  const picker = useRef<HTMLInputElement>(null)
  const [isNoText, setNoText] = useState(false)
  const pick = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    try {
      const bytes = await file.slice(0, MAX_BYTES).arrayBuffer()
      onChange(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
      setNoText(false)
    } catch {
      setNoText(true)
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <Field label={one.name} hint={text.besideHints[one.kind]} error={isNoText ? text.noTextFile : undefined}>
        <LinesInput
          masked={one.kind === 'values'}
          value={value ?? ''}
          onChange={(typed) => onChange(typed === '' ? undefined : typed)}
        />
      </Field>
      <div>
        <Button size="sm" aria-label={text.chooseFileFor(one.name)} onClick={() => picker.current?.click()}>
          {text.chooseFile}
        </Button>
        <input ref={picker} type="file" className="hidden" onChange={(event) => void pick(event)} />
      </div>
    </div>
  )
}
