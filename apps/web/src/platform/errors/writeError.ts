import { AppError } from '@rackfair/rules/errors/AppError'
import { cutText } from '@rackfair/rules/text/shortText'
import type { ErrorCode } from '@rackfair/sdk'
import type { Format } from '../../i18n/format.ts'
import type { ErrorFactsReader, ErrorSentence } from './ErrorFactsReader.ts'

export interface ErrorText {
  /** Cut at the length asked for. */
  short: string
  /** The whole sentence. */
  full: string
  /** Full sentence, code and technical message, for the details. */
  details: string
}

/** The product specification cuts error messages at 100 characters, those of a deployment at 150. */
export const ERROR_LENGTH = 100
export const DEPLOY_ERROR_LENGTH = 150

/** Writes any error in the words of a language. */
export function writeError(
  error: unknown,
  texts: { sentences: Readonly<Record<ErrorCode, ErrorSentence>> },
  format: Format,
  length = ERROR_LENGTH,
): ErrorText {
  const known = error instanceof AppError
  const code = known && Object.hasOwn(texts.sentences, error.code) ? (error.code as ErrorCode) : 'unknown'
  const sentence = texts.sentences[code]
  const full = typeof sentence === 'string' ? sentence : sentence(factsOf(known ? error : undefined, texts, format))
  const message = error instanceof Error ? error.message : String(error)
  return { short: cutText(full, length), full, details: [full, `${known ? error.code : 'unknown'}: ${message}`].join('\n') }
}

function factsOf(
  error: AppError | undefined,
  texts: { sentences: Readonly<Record<ErrorCode, ErrorSentence>> },
  format: Format,
): ErrorFactsReader {
  const fact = (name: string) => error?.facts[name]
  const written = (name: string, write: (value: string) => string) => {
    const value = fact(name)
    return value === undefined || !/^-?\d+$/.test(String(value)) ? '–' : write(String(value))
  }
  return {
    has: (name) => fact(name) !== undefined,
    text: (name) => {
      const value = String(fact(name) ?? '–')
      const nested = Object.hasOwn(texts.sentences, value) ? texts.sentences[value as ErrorCode] : undefined
      return typeof nested === 'string' ? nested.replace(/[.。]$/, '') : value
    },
    number: (name) => written(name, (value) => format.number(BigInt(value))),
    usd: (name) => written(name, (value) => format.usd(BigInt(value))),
    time: (name) => written(name, (value) => format.dateTime(Number(value))),
  }
}
