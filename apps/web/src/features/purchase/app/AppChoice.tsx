import { EnvironmentFields } from '../../../entities/deployment/EnvironmentFields.tsx'
import { useFitText } from '../../../entities/node/fit/useFitText.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { purchaseMessages } from '../messages.ts'
import type { ChosenApp } from './useChosenApp.ts'

/** What starts by itself after the payment, with its settings: those that it cannot do without lie open. */
export function AppChoice({ chosen }: { chosen: ChosenApp }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const { untried } = useFitText()
  const { app, problem, wait } = chosen
  const hint = chosen.isOwn
    ? text.startsOwnHint
    : app && (app.tried ? (wait ?? text.startsIn(format.duration(app.startSeconds))) : untried)
  return (
    <div className="mb-4 flex flex-col gap-3 border-b border-line pb-4">
      <div className="flex items-end gap-3">
        {app && <img src={`/v1/presets/${app.logo}`} alt="" width="36" height="36" className="size-9 rounded-md" />}
        <div className="min-w-0 flex-1">
          <Field label={text.starts} aside={hint}>
            <Select
              value={chosen.value}
              onChange={chosen.choose}
              options={[
                { value: '', label: text.startsNothing },
                { value: chosen.own.value, label: text.startsOwn, disabled: !chosen.own.runs },
                ...chosen.options.map(({ preset, runs }) => ({
                  value: preset.name,
                  label: runs ? preset.title : text.startsNot(preset.title),
                  disabled: !runs,
                })),
              ]}
            />
          </Field>
        </div>
      </div>
      {problem !== undefined && (
        <p role="status" className="text-xs text-warn">
          {problem}
        </p>
      )}
      {app && app.settings.length > 0 && (
        <details key={app.name} open={app.settings.some(({ secret }) => secret)}>
          <summary className="cursor-pointer text-xs text-ink-2 hover:text-ink">{text.settings}</summary>
          <div className="pt-3">
            <EnvironmentFields rules={app.settings} values={chosen.values} onChange={chosen.setValues} />
          </div>
        </details>
      )}
    </div>
  )
}
