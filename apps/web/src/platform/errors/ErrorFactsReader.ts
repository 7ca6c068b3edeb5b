/** Facts of an error as a sentence writes them. A missing fact is a dash. */
export interface ErrorFactsReader {
  /** Contracts have errors of the same name with other facts. */
  has: (name: string) => boolean
  text: (name: string) => string
  number: (name: string) => string
  /** Wei of Credit as dollars. */
  usd: (name: string) => string
  /** Unix seconds as date and time. */
  time: (name: string) => string
}

/** The largest time of the contracts, as a fact. */
export const NEVER = String(2 ** 40 - 1)

export type ErrorSentence = string | ((facts: ErrorFactsReader) => string)
