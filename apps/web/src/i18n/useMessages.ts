import { use } from 'react'
import type { MessageBundle, MessagesOf } from './defineMessages.ts'
import { useLocale } from './locale.ts'

/** The texts of a bundle in the language chosen; suspends while Chinese is being loaded for the first time, and is English if it fails. */
export function useMessages<Source>(bundle: MessageBundle<Source>): MessagesOf<Source> {
  const locale = useLocale()
  return locale === 'en' ? bundle.en : use(bundle.readZh())
}
