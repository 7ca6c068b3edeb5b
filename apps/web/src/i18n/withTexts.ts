import { loadChinese } from './defineMessages.ts'
import { getLocale } from './locale.ts'

/** Loads lazy code together with its Chinese texts, so that nothing on screen waits for a text. Falls back to English. */
export function withTexts<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const module = await load()
    if (getLocale() === 'zh') await loadChinese().catch(() => {})
    return module
  }
}
