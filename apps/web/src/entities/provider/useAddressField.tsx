import { type ReactNode, useState } from 'react'
import type { Address } from 'viem'
import { useMessages } from '../../i18n/useMessages.ts'
import { Field } from '../../ui/Field.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { addressProblem } from './addressProblem.ts'
import { providerTexts } from './providerTexts.ts'

/** A field for an address that is judged when it is used. `check` gives the address, or shows what is wrong with it. */
export function useAddressField(
  name: string,
  label: string,
  known: Parameters<typeof addressProblem>[1] = {},
): { field: ReactNode; check: () => Address | undefined } {
  const text = useMessages(providerTexts).addressField
  const [value, setValue] = useState('')
  const [judged, setJudged] = useState(false)
  const problem = addressProblem(value, known)
  return {
    field: (
      <Field label={label} hint={text.hint} error={judged && problem ? text.problems[problem] : undefined}>
        <TextInput
          mono
          name={name}
          value={value}
          onChange={(next) => {
            setJudged(false)
            setValue(next)
          }}
        />
      </Field>
    ),
    check: () => {
      setJudged(true)
      return problem ? undefined : (value.trim() as Address)
    },
  }
}
