import { contractErrorNames } from '@rackfair/contracts'
import { AppError } from '@rackfair/rules/errors/AppError'
import { AGENT_CODES, PLATFORM_CODES, WALLET_CODES, WORKSPACE_CODES } from '@rackfair/rules/errors/errorCodes'
import { describe, expect, it } from 'vitest'
import { createFormat } from '../../i18n/format.ts'
import { en } from './errorTexts.en.ts'
import { zh } from './errorTexts.zh.ts'
import { DEPLOY_ERROR_LENGTH, ERROR_LENGTH, writeError } from './writeError.ts'

const CODES = [...contractErrorNames, ...AGENT_CODES, ...PLATFORM_CODES, ...WALLET_CODES, ...WORKSPACE_CODES]
const format = createFormat('en')

describe('error messages', () => {
  it.each([
    ['en', en],
    ['zh', zh],
  ])('have a sentence for every code in %s', (_locale, texts) => {
    expect(CODES.filter((code) => writeError(new AppError(code, 'x'), texts, format, 10_000).full.length < 4)).toEqual([])
    expect(Object.keys(texts.sentences).sort()).toEqual([...new Set(CODES)].sort())
  })

  it('format facts for the reader', () => {
    const error = new AppError('FeeTooHigh', 'x', { facts: { fee: String(20n * 10n ** 18n), maxFee: String(10n ** 18n) } })
    expect(writeError(error, en, format).full).toBe(
      'The price has risen to $20.00; you agreed to $1.00. Nothing was paid. Check the new price.',
    )
  })

  it('distinguish errors of one name by their facts', () => {
    const write = (facts: Record<string, string>) => writeError(new AppError('TooManyNodes', 'x', { facts }), en, format).full
    expect(write({ max: '16' })).toContain('A provider may list 16 nodes')
    expect(write({ nodes: '51', max: '50' })).toContain('At most 50 machines can be announced at once, and these are 51.')
    const until = (value: number) => writeError(new AppError('StillBonded', 'x', { facts: { until: value } }), en, format).full
    expect(until(2 ** 40 - 1)).toContain('Resign first.')
    expect(until(1_796_000_000)).toMatch(/can be taken back from .* 2026/)
  })

  it('show a dash for a missing or invalid fact', () => {
    expect(writeError(new AppError('FeeTooHigh', 'x', { facts: { fee: 'NaN' } }), en, format).full).toContain(
      'risen to –; you agreed to –',
    )
  })

  it('explain why a transaction was refused', () => {
    const error = new AppError('transaction_reverted', 'x', { facts: { reason: 'NodeNotSold' } })
    expect(writeError(error, en, format).full).toBe(
      'The contract refused the transaction: No order holds this node. Only the network fee was spent.',
    )
    expect(
      writeError(new AppError('transaction_reverted', 'x', { facts: { reason: 'unknown reason' } }), en, format).full,
    ).toContain(': unknown reason.')
  })

  it('are truncated at 100 characters, with the full text in the details', () => {
    const text = writeError(new AppError('StaleNode', 'StaleNode(1, 2)'), en, format)
    expect([...text.short]).toHaveLength(100)
    expect(text.short.endsWith('…')).toBe(true)
    expect(text.details).toBe(`${text.full}\nStaleNode: StaleNode(1, 2)`)
    expect([...writeError(new AppError('isolation_unavailable', 'x'), en, format, 20).short]).toHaveLength(20)
  })

  it.each([ERROR_LENGTH, DEPLOY_ERROR_LENGTH])('are truncated at %i characters where so many fit', (length) => {
    const error = new AppError('transaction_reverted', 'x', { facts: { reason: 'because '.repeat(60) } })
    const text = writeError(error, en, format, length)
    expect([...text.short]).toHaveLength(length)
    expect(text.details).toContain(text.full)
  })

  it.each([new Error('boom'), 'boom', undefined, new AppError('never_heard_of', 'boom'), new AppError('toString', 'boom')])(
    'cover unknown errors: %s',
    (error) => {
      expect(writeError(error, en, format).full).toBe(en.sentences.unknown)
    },
  )
})
