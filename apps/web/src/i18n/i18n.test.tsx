import { MAX_DATE_MS } from '@rackfair/rules/limits'
import { act, cleanup, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { defineMessages, type MessageBundle } from './defineMessages.ts'
import { fillText } from './fillText.tsx'
import { createFormat } from './format.ts'
import { getLocale, setLocale } from './locale.ts'
import { plural } from './plural.ts'
import { useMessages } from './useMessages.ts'

afterEach(() => {
  cleanup()
  void setLocale('en')
})

describe('languages', () => {
  it('switch in place, load Chinese once, and are remembered', async () => {
    let loads = 0
    const en = { hello: (name: string) => `Hello ${name}` }
    const bundle = defineMessages({
      en,
      zh: async () => {
        loads += 1
        return { zh: { hello: (name: string) => `你好，${name}` } }
      },
    })
    render(
      <Suspense fallback="…">
        <Greeting bundle={bundle} />
        <Greeting bundle={bundle} />
      </Suspense>,
    )
    expect(screen.getAllByText('Hello Ada')).toHaveLength(2)
    await act(() => setLocale('zh'))
    expect(await screen.findAllByText('你好，Ada')).toHaveLength(2)
    expect(loads).toBe(1)
    expect(document.documentElement.lang).toBe('zh')
    expect(localStorage.getItem('rackfair.locale')).toBe('zh')
  })

  it('try again when they are asked after a translation could not be loaded', async () => {
    let away = true
    const bundle = defineMessages({
      en: { a: 'a' },
      zh: async () => {
        if (away) throw new Error('offline')
        return { zh: { a: '甲' } }
      },
    })
    await expect(bundle.loadZh()).rejects.toThrow('offline')
    away = false
    expect(await bundle.loadZh()).toEqual({ a: '甲' })
  })

  it('stay English, and are not remembered, when Chinese fails to load, and switch on a retry', async () => {
    let away = true
    const bundle = defineMessages({
      en: { hello: (name: string) => `Hello ${name}` },
      zh: async () => {
        if (away) throw new Error('offline')
        return { zh: { hello: (name: string) => `你好，${name}` } }
      },
    })
    render(
      <Suspense fallback="…">
        <Greeting bundle={bundle} />
      </Suspense>,
    )
    await act(() => expect(setLocale('zh')).rejects.toThrow('offline'))
    expect([screen.queryAllByText('Hello Ada').length, getLocale(), localStorage.getItem('rackfair.locale')]).toEqual([
      1,
      'en',
      'en',
    ])
    // As on a page that begins in Chinese, whose texts do not arrive.
    expect((await bundle.readZh()).hello('Ada')).toBe('Hello Ada')
    away = false
    await act(() => setLocale('zh'))
    expect(await screen.findAllByText('你好，Ada')).toHaveLength(1)
  })

  it('do not compile with a missing, extra or mistyped key', () => {
    const en = { a: 'a', b: (count: number) => `${count}` }
    // @ts-expect-error b is missing
    defineMessages({ en, zh: async () => ({ zh: { a: '甲' } }) })
    // @ts-expect-error b is no function
    defineMessages({ en, zh: async () => ({ zh: { a: '甲', b: '乙' } }) })
    // @ts-expect-error b takes a number
    defineMessages({ en, zh: async () => ({ zh: { a: '甲', b: (count: string) => count } }) })
  })
})

describe('plurals', () => {
  it('choose the form and format the number', () => {
    const nodes = { one: '# node', other: '# nodes' }
    expect([0, 1, 2, 1234].map((count) => plural('en', count, nodes))).toEqual(['0 nodes', '1 node', '2 nodes', '1,234 nodes'])
    expect(plural('zh', 1, { other: '# 个节点' })).toBe('1 个节点')
  })
})

describe('sentences with elements', () => {
  it('keep the word order of the language', () => {
    render(<p data-testid="p">{fillText('Read {a} before {b}.', { a: <b>terms</b>, b: <i>paying</i> })}</p>)
    expect(screen.getByTestId('p').innerHTML).toBe('Read <b>terms</b> before <i>paying</i>.')
  })
  it('keep an unknown placeholder', () => {
    render(<p data-testid="q">{fillText('x {y} z', {})}</p>)
    expect(screen.getByTestId('q').textContent).toBe('x {y} z')
  })
})

describe('figures', () => {
  const en = createFormat('en')
  const zh = createFormat('zh')

  it('format wei as dollars without floating point', () => {
    expect(en.usd(954n * 10n ** 18n)).toBe('$954.00')
    expect(en.usd(123_456_789_012_345_678_901_234_567_890n, { max: 18 })).toBe('$123,456,789,012.34567890123456789')
    expect(en.usd(1n, { max: 18 })).toBe('$0.000000000000000001')
    expect(zh.usd(954n * 10n ** 18n)).toBe('$954.00')
  })
  it('truncate money towards zero', () => {
    expect(en.usd(999_999_999_999_999_999n)).toBe('$0.99')
    expect(en.usd(-1_999_999_999_999_999_999n)).toBe('-$1.99')
  })
  it('format durations in their two largest units', () => {
    expect(en.duration(70 * 86_400 + 19 * 3600 + 13 * 60)).toBe('70d 19h')
    expect(en.duration(70 * 86_400 + 19 * 3600 + 13 * 60, 3)).toBe('70d 19h 13m')
    expect([en.duration(0), en.duration(-5), en.duration(61)]).toEqual(['0s', '0s', '1m 1s'])
  })
  it('format storage in TB, below one in GB, and shares in percent', () => {
    expect([en.storage(2000), en.storage(500), en.storage(0), en.gigabytes(128), en.gigabytes(1500)]).toEqual([
      '2 TB',
      '500 GB',
      '0 TB',
      '128 GB',
      '1.5 TB',
    ])
    expect([en.percent(0.713), en.signedPercent(-0.12), en.signedPercent(0)]).toEqual(['71%', '-12%', '0%'])
  })
  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1e20, MAX_DATE_MS / 1000 + 1])(
    'format an invalid time as a dash: %d',
    (time) => {
      for (const name of ['date', 'day', 'dateTime', 'utc', 'utcStamp', 'stamp', 'clock'] as const) {
        expect(zh[name](time)).toBe('—')
        expect(zh[name](MAX_DATE_MS / 1000)).not.toBe('—')
      }
      expect(zh.clockMs(time * 1000)).toBe('—')
    },
  )
  it('format relative times', () => {
    expect([en.ago(Number.NaN, 1000), en.ago(Number.NEGATIVE_INFINITY, 1000)]).toEqual(['—', '—'])
    expect([en.ago(1000, 1000), en.ago(1000 - 7200, 1000), en.ago(1000 + 86_400 * 3, 1000)]).toEqual([
      'now',
      '2 hr. ago',
      'in 3 days',
    ])
  })
})

function Greeting({ bundle }: { bundle: MessageBundle<{ hello: (name: string) => string }> }) {
  return <p>{useMessages(bundle).hello('Ada')}</p>
}
