/** Facts of an error that a message may name. Amounts are wei as decimal strings. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean>>

/**
 * The error type of the product. `code` is for programs and translations, `message` for logs and developers, `facts` fill the placeholders
 * of a translated sentence, `retryable` says whether the same call may succeed later.
 */
export class AppError<Code extends string = string> extends Error {
  readonly code: Code
  readonly facts: ErrorFacts
  readonly retryable: boolean

  constructor(code: Code, message: string, options: { facts?: ErrorFacts; cause?: unknown; retryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.facts = options.facts ?? {}
    this.retryable = options.retryable ?? false
  }
}
