import { checkNodeFields, type NodeFields } from '@rackfair/rules/formRules'
import { MAX_MODEL_BYTES } from '@rackfair/rules/limits'
import { CPU_PRESETS, GPU_PRESETS, type ListPrice, listPriceWei } from '@rackfair/rules/presets'
import type { ModelPrice } from '@rackfair/sdk/http'
import type { ReactNode } from 'react'
import { medianOf, type PriceKind } from '../../../entities/provider/medians.ts'
import { problemText } from '../../../entities/provider/problemText.ts'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Combobox } from '../../../ui/Combobox.tsx'
import { Field } from '../../../ui/Field.tsx'
import { NumberInput } from '../../../ui/NumberInput.tsx'
import { ownNodeMessages } from '../messages.ts'
import { withModel } from './nodeDraft.ts'

export interface NodeFieldsetProps {
  fields: NodeFields
  onChange: (fields: NodeFields) => void
  prices: readonly ModelPrice[] | undefined
  judged: ReadonlySet<keyof NodeFields>
}

/** What a machine has and what each part costs a month; models from the presets fill their price. */
export function NodeFieldset({ fields, onChange, prices, judged }: NodeFieldsetProps) {
  const shared = useMessages(providerTexts)
  const text = useMessages(ownNodeMessages).form
  const format = useFormat()
  const checked = checkNodeFields(fields)
  const problems = 'problems' in checked ? checked.problems : {}
  const error = (field: keyof NodeFields) =>
    judged.has(field) ? problemText(shared.problems, format, field, problems[field]) : undefined
  const bind = (field: keyof NodeFields) => ({
    name: field,
    value: fields[field],
    onChange: (value: string) => onChange({ ...fields, [field]: value }),
  })
  const median = (kind: PriceKind, model = '') => {
    if (prices === undefined || ((kind === 'cpu' || kind === 'gpu') && model.trim() === '')) return ' '
    const found = medianOf(prices, kind, model)
    const unitWei = found && (kind === 'disk' ? found.unitWei * 1000n : found.unitWei)
    return found && unitWei !== undefined ? text.median(format.usd(unitWei, { max: 4 }), found.nodes) : text.noMedian
  }
  const options = (presets: readonly ListPrice[]) =>
    presets.map((preset) => ({
      value: preset.model,
      note: text.presetPrice(format.usd(listPriceWei(preset), { min: 0 })),
    }))
  const model = (kind: 'cpu' | 'gpu', presets: readonly ListPrice[]) => (
    <Combobox
      value={kind === 'cpu' ? fields.cpuModel : fields.gpuModel}
      onChange={(value, chosen) => onChange(withModel(fields, kind, value, chosen !== undefined))}
      options={options(presets)}
      placeholder={text.modelPlaceholder}
      maxLength={MAX_MODEL_BYTES}
    />
  )

  return (
    <div className="flex flex-col gap-7">
      <Group title={text.cpu} note={text.cpuHint}>
        <Field label={text.cpuModel} error={error('cpuModel')}>
          {model('cpu', CPU_PRESETS)}
        </Field>
        <Field label={text.cpuPrice} hint={median('cpu', fields.cpuModel)} error={error('pCPU')}>
          <NumberInput {...bind('pCPU')} />
        </Field>
        <Field label={text.cpuNumber} error={error('nCPU')}>
          <NumberInput {...bind('nCPU')} decimals={false} />
        </Field>
        <Field label={text.cpuCores} error={error('core')}>
          <NumberInput {...bind('core')} decimals={false} />
        </Field>
      </Group>
      <Group title={text.gpu} note={text.gpuHint}>
        <Field label={text.gpuModel} error={error('gpuModel')}>
          {model('gpu', GPU_PRESETS)}
        </Field>
        <Field label={text.gpuPrice} hint={median('gpu', fields.gpuModel)} error={error('pGPU')}>
          <NumberInput {...bind('pGPU')} />
        </Field>
        <Field label={text.gpuNumber} error={error('nGPU')}>
          <NumberInput {...bind('nGPU')} decimals={false} />
        </Field>
      </Group>
      <Group title={text.storage}>
        <Field label={text.storageSpace} error={error('diskTb')}>
          <NumberInput {...bind('diskTb')} />
        </Field>
        <Field label={text.storagePrice} hint={median('disk')} error={error('pDISKPerTb')}>
          <NumberInput {...bind('pDISKPerTb')} />
        </Field>
      </Group>
      <Group title={text.memory}>
        <Field label={text.memorySpace} error={error('memGb')}>
          <NumberInput {...bind('memGb')} decimals={false} />
        </Field>
        <Field label={text.memoryPrice} hint={median('mem')} error={error('pMEM')}>
          <NumberInput {...bind('pMEM')} />
        </Field>
      </Group>
    </div>
  )
}

function Group({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 text-base font-semibold">{title}</legend>
      {note !== undefined && <p className="-mt-2 mb-3 text-xs text-ink-3">{note}</p>}
      <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">{children}</div>
    </fieldset>
  )
}
