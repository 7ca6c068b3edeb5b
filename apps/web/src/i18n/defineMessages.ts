import { loadOnce } from '../platform/loading/loadOnce.ts'

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
  /** Rejects if the Chinese texts fail to load; calling it again retries. */
  readonly loadZh: () => Promise<MessagesOf<Source>>
  /** What a Chinese page shows: English if the Chinese texts failed to load, until a later `loadZh` succeeds. */
  readonly readZh: () => Promise<MessagesOf<Source>>
}

const bundles = new Set<Pick<MessageBundle<unknown>, 'loadZh'>>()

/** Loads the Chinese texts of everything whose code is here, so that switching the language does not blink. Rejects when one is missing. */
export async function loadChinese(): Promise<void> {
  await Promise.all([...bundles].map((bundle) => bundle.loadZh()))
}

/** The texts of one feature: English with the code, Chinese loaded when it is chosen. */
export function defineMessages<Source extends object>(texts: {
  en: Source
  zh: () => Promise<{ zh: MessagesOf<Source> }>
}): MessageBundle<Source> {
  const en = texts.en as MessagesOf<Source>
  const load = loadOnce(async () => (await texts.zh()).zh)
  let missed = false
  const orEnglish = () =>
    loadOnce(() =>
      load().catch(() => {
        missed = true
        return en
      }),
    )
  let read = orEnglish()
  const bundle: MessageBundle<Source> = {
    en,
    async loadZh() {
      const zh = await load()
      if (missed) read = orEnglish()
      missed = false
      // A page that is drawn next takes it without waiting.
      await read()
      return zh
    },
    readZh: () => read(),
  }
  bundles.add(bundle)
  return bundle
}
