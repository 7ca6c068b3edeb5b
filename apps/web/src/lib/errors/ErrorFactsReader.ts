/** Facts of an error as a sentence writes them. A missing fact is a dash. */
export interface ErrorFactsReader {
  text: (name: string) => string
  number: (name: string) => string
  /** Wei of Credit as dollars. */
  usd: (name: string) => string
  /** Unix seconds as date and time. */
  time: (name: string) => string
}

export type ErrorSentence = string | ((facts: ErrorFactsReader) => string)
