import { CPU_PRESETS, GPU_PRESETS } from '@rackfair/rules/presets'
import type { Language } from '../site.ts'
import { table } from './table.ts'

const HEADER = { en: ['Model', 'USD a month'], zh: ['型号', '美元/月'] }

/** The suggested prices per unit and month, `gpu` or `cpu`. */
export function priceList(language: Language, kind: string): string {
  const list = kind === 'gpu' ? GPU_PRESETS : CPU_PRESETS
  return table(
    HEADER[language],
    list.map((price) => [price.model, String(price.usdPerMonth)]),
    [1],
  )
}
