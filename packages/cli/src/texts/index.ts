import { en } from './en.ts'
import { zh } from './zh.ts'

export type Texts = typeof en

/** Chooses by the locale of the shell. */
export function textsOf(env: NodeJS.ProcessEnv): Texts {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^zh/i.test(locale) ? zh : en
}
