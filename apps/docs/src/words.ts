import type { Language } from './site.ts'

interface Words {
  name: string
  html: string
  docs: string
  market: string
  pages: string
  contents: string
  skip: string
  previous: string
  next: string
  footer: string
}

/** Texts of the frame around a guide. */
export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    name: 'English',
    html: 'en',
    docs: 'Docs',
    market: 'Open the market',
    pages: 'Pages',
    contents: 'On this page',
    skip: 'Skip to the text',
    previous: 'Previous',
    next: 'Next',
    footer: '1 Credit = 1 USD. A month is 30 days, 2,592,000 seconds.',
  },
  zh: {
    name: '中文',
    html: 'zh-CN',
    docs: '文档',
    market: '打开市场',
    pages: '页面',
    contents: '本页内容',
    skip: '跳到正文',
    previous: '上一页',
    next: '下一页',
    footer: '1 Credit = 1 美元。一个月按 30 天计，即 2,592,000 秒。',
  },
}
