import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT, readGuide } from './readGuide.ts'
import { folderOf, LANGUAGES, PAGES } from './site.ts'
import { builtSite } from './testing/builtSite.ts'

const site = builtSite()
afterAll(() => rmSync(site.dir, { recursive: true }))

const VOID = new Set(['meta', 'link', 'br', 'hr', 'img', 'input'])
/** Pages of the web app and of the platform, on the same origin. */
const ELSEWHERE = ['/', '/openapi.json', '/reference/', ...webPaths()]

test.each(PAGES)('%s has the same sections in both languages', (page) => {
  const [first, ...others] = LANGUAGES.map((language) => readGuide(language, page))
  for (const other of others) {
    expect(other.headings.map(({ id, level }) => [id, level])).toEqual(first?.headings.map(({ id, level }) => [id, level]))
    expect(shapeOf(other.html)).toEqual(shapeOf(first?.html ?? ''))
  }
})

test('writes the Chinese guides in Chinese', () => {
  for (const page of PAGES) {
    const { title, description, headings } = readGuide('zh', page)
    for (const text of [title, description, ...headings.map((heading) => heading.text)])
      expect(text, `${page}: ${text}`).toMatch(/\p{Script=Han}|^HTTP API$/u)
  }
})

test('links only to pages and headings that exist', () => {
  for (const [file, html] of site.pages) {
    for (const [, href = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^https?:/.test(href) || ELSEWHERE.includes(href)) continue
      const [path = '', anchor] = href.replace(/^\/docs\//, './').split('#')
      const target = path === '' ? file : join(path, path.endsWith('/') ? 'index.html' : '')
      expect(site.files, `${file} links ${href}`).toContain(target)
      if (anchor) expect(site.pages.get(target), `${file} links ${href}`).toContain(`id="${anchor}"`)
    }
  }
})

test.each([...site.pages.keys()])('%s is well formed, with one title and unique ids', (file) => {
  const html = site.pages.get(file) ?? ''
  expect(html.startsWith('<!doctype html>')).toBe(true)
  const open: string[] = []
  for (const [, closing, name = '', empty] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (VOID.has(name) || empty === '/') continue
    if (closing === '/') expect(open.pop(), `closing ${name}`).toBe(name)
    else open.push(name)
  }
  expect(open).toEqual([])
  expect(html.match(/<h1>/g)).toHaveLength(1)
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
  expect(new Set(ids).size).toBe(ids.length)
  expect(html).not.toMatch(/\{\{|\{#|>undefined|\[object/)
})

test('runs no scripts and loads nothing external, as its content security policy says', () => {
  for (const [file, html] of site.pages) {
    expect(html, file).not.toMatch(/<script|<style|<iframe|\sstyle=|\son[a-z]+=/)
    for (const [tag] of html.matchAll(/<(?:link|img|source)[^>]*>/g)) expect(tag).not.toMatch(/https?:/)
  }
  expect(readFileSync(join(site.dir, 'docs.css'), 'utf8')).not.toMatch(/url\("?(?:https?:|\/\/|data:)|@import|@theme/)
})

test('has the tokens of the web app in both themes', () => {
  const theme = readFileSync(join(ROOT, 'apps/web/src/styles/theme.css'), 'utf8')
  const css = readFileSync(join(site.dir, 'docs.css'), 'utf8')
  for (const token of ['--paper: #f7f6f2', '--paper: #0f1113']) {
    expect(theme).toContain(token)
    expect(css).toContain(token)
  }
  for (const [, name] of css.matchAll(/var\((--[a-z0-9-]+)\)/g)) expect(css).toContain(`${name}:`)
})

test('links every page to its counterpart in the other language', () => {
  for (const page of PAGES) {
    expect(site.pages.get(`${folderOf('en', page)}index.html`)).toMatch(/hreflang="zh-CN"/)
    expect(site.pages.get(`${folderOf('zh', page)}index.html`)).toMatch(/lang="zh-CN"/)
  }
})

/** Tables, lists and code of a page: what a translation may not leave out. */
function shapeOf(html: string): Record<string, number> {
  const count = (tag: string) => html.split(`<${tag}`).length - 1
  return { tables: count('table'), rows: count('tr>'), code: count('pre'), lists: count('li>'), quotes: count('blockquote') }
}

function webPaths(): string[] {
  const source = readFileSync(join(ROOT, 'apps/web/src/app/paths.ts'), 'utf8')
  return [...source.matchAll(/'(\/[a-z]+)'/g)].map((match) => match[1] ?? '')
}
