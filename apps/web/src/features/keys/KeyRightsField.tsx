import { PURSE_RIGHTS } from '@rackfair/sdk'
import { useMessages } from '../../i18n/useMessages.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { keyMessages } from './messages.ts'
import type { KeyFormState } from './useKeyForm.ts'

/** What a key may do. */
export function KeyRightsField({ form: { fields, problems, set } }: { form: KeyFormState }) {
  const text = useMessages(keyMessages)
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{text.may}</legend>
      <div className="grid grid-cols-2 gap-x-4">
        {PURSE_RIGHTS.map((right) => (
          <Checkbox
            key={right}
            checked={fields.rights.includes(right)}
            onChange={(isOn) =>
              set({ rights: PURSE_RIGHTS.filter((one) => (one === right ? isOn : fields.rights.includes(one))) })
            }
          >
            {text.rights[right]}
          </Checkbox>
        ))}
      </div>
      <p aria-live="polite" className="text-xs text-bad empty:hidden">
        {problems.has('rights') && text.rightsWrong}
      </p>
    </fieldset>
  )
}
