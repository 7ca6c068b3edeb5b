import { loadOnce } from '../lib/loadOnce.ts'

/**
 * What a translation of `Source` has to provide: the same keys, the same parameters.
 * A missing or a surplus key does not compile.
 */
export type MessagesOf<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string
    ? string
    : Source[Key] extends (...values: infer Values) => infer Result
      ? (...values: Values) => Result
      : Source[Key] extends object
        ? MessagesOf<Source[Key]>
        : never
}

export interface MessageBundle<Source> {
  readonly en: MessagesOf<Source>
  readonly loadZh: () => Promise<MessagesOf<Source>>
}

const bundles = new Set<Pick<MessageBundle<unknown>, 'loadZh'>>()

/** Loads the Chinese texts of everything whose code is here, so that switching the language does not blink. */
export async function loadChinese(): Promise<void> {
  await Promise.allSettled([...bundles].map((bundle) => bundle.loadZh()))
}

/** The texts of one feature: English with the code, Chinese loaded when it is chosen. */
export function defineMessages<Source extends object>(texts: {
  en: Source
  zh: () => Promise<{ zh: MessagesOf<Source> }>
}): MessageBundle<Source> {
  const bundle: MessageBundle<Source> = {
    en: texts.en as MessagesOf<Source>,
    loadZh: loadOnce(async () => (await texts.zh()).zh),
  }
  bundles.add(bundle)
  return bundle
}
