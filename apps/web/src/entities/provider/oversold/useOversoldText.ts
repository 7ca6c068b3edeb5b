import type { OversoldPart } from '@rackfair/rules/node/node'
import { defineMessages } from '../../../i18n/defineMessages.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { en } from './texts.en.ts'

const bundle = defineMessages({ en, zh: () => import('./texts.zh.ts') })

/** What a buyer should know of a provider whose nodes together offer more than its computer has. `undefined` where they do not. */
export function useOversoldText(parts: readonly OversoldPart[] | undefined) {
  const text = useMessages(bundle)
  const format = useFormat()
  if (!parts || parts.length === 0) return undefined
  const names = format.list(parts.map((part) => text.parts[part]))
  return { short: text.short(names), title: text.title, long: text.long(names) }
}
