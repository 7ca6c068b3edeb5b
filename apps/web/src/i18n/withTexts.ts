import { loadChinese } from './defineMessages.ts'
import { getLocale } from './locale.ts'

/** Code that is loaded late brings its Chinese along: nothing that is on screen has to wait for a text. Without it, it is English. */
export function withTexts<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const module = await load()
    if (getLocale() === 'zh') await loadChinese().catch(() => {})
    return module
  }
}
