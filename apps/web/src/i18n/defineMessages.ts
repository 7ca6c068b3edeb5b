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
  /** Starts loading on the first call; later calls return the same promise. */
  readonly loadZh: () => Promise<MessagesOf<Source>>
}

/** The texts of one feature: English with the code, Chinese loaded when it is chosen. */
export function defineMessages<Source extends object>(texts: {
  en: Source
  zh: () => Promise<{ zh: MessagesOf<Source> }>
}): MessageBundle<Source> {
  let loading: Promise<MessagesOf<Source>> | undefined
  return {
    en: texts.en as MessagesOf<Source>,
    loadZh: () => {
      loading ??= texts.zh().then(
        (module) => module.zh,
        (error: unknown) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
  }
}
