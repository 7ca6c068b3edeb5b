import { MIN_ORDER_SECONDS } from '@rackfair/rules/duration'
import type { OrderBlocker } from '@rackfair/rules/order/actions'
import { useCallback } from 'react'
import { defineMessages } from '../../i18n/defineMessages.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { en } from './blockerTexts.en.ts'

const bundle = defineMessages({ en, zh: () => import('./blockerTexts.zh.ts') })

/** `blockerText(blocker, app?)`: why something cannot be done with an order, as a sentence. `app` is what runs on it. */
export function useBlockerText(): (blocker: OrderBlocker, app?: string) => string {
  const text = useMessages(bundle)
  const format = useFormat()
  return useCallback(
    (blocker, app) => {
      if (blocker.code === 'too_long')
        return blocker.mostSeconds < MIN_ORDER_SECONDS ? text.tooLongNone : text.tooLong(format.duration(blocker.mostSeconds))
      return blocker.code === 'running' && app ? text.runningApp(app) : text[blocker.code]
    },
    [text, format],
  )
}
