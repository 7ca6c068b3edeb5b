import { useCallback } from 'react'
import { defineMessages } from '../../i18n/defineMessages.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { en } from './errorTexts.en.ts'
import { type ErrorText, writeError } from './writeError.ts'

const bundle = defineMessages({
  en: { texts: () => en },
  zh: () => import('./errorTexts.zh.ts').then(({ zh }) => ({ zh: { texts: () => zh } })),
})

/** `errorText(error, length?)`: any error in the user's language. */
export function useErrorText(): (error: unknown, length?: number) => ErrorText {
  const texts = useMessages(bundle).texts()
  const format = useFormat()
  return useCallback((error, length) => writeError(error, texts, format, length), [texts, format])
}

/** The title of the specified toast, in the user's language. */
export function useErrorTitle(): string {
  return useMessages(bundle).texts().title
}
