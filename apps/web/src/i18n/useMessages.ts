import { use } from 'react'
import type { MessageBundle, MessagesOf } from './defineMessages.ts'
import { useLocale } from './locale.ts'

/** The texts of a bundle in the chosen language; suspends while Chinese is first loaded, and falls back to English on failure. */
export function useMessages<Source>(bundle: MessageBundle<Source>): MessagesOf<Source> {
  const locale = useLocale()
  return locale === 'en' ? bundle.en : use(bundle.readZh())
}
