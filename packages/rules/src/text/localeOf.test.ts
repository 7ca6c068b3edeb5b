import { expect, test } from 'vitest'
import { localeOf, localeOfHeader } from './localeOf.ts'

test.each([
  [['zh-CN', 'en'], 'zh'],
  [['zh'], 'zh'],
  [['ZH-hant-TW'], 'zh'],
  [['zh_CN'], 'zh'],
  [['en-GB', 'zh-CN'], 'en'],
  [['de', 'fr'], 'en'],
  [['de', 'zh-SG', 'en'], 'zh'],
  [['zhx', 'english'], 'en'],
  [[], 'en'],
] as const)('%j: %s', (wanted, locale) => expect(localeOf(wanted)).toBe(locale))

test.each([
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en;q=0.8, zh-CN;q=0.9', 'zh'],
  ['en-US,en;q=0.9,zh;q=0.8', 'en'],
  ['zh;q=0, en;q=0.1', 'en'],
  ['fr-CH, fr;q=0.9, *;q=0.5', 'en'],
  ['', 'en'],
  [',;q=,zh;q=x', 'zh'],
] as const)('%j: %s', (header, locale) => expect(localeOfHeader(header)).toBe(locale))
