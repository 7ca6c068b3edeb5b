import { readSpecification, type SpecificationRow } from '../readSpecification.ts'
import { escapeHtml } from '../renderMarkdown.ts'
import type { Language } from '../site.ts'

const WORDS = {
  en: {
    departures: 'Departures',
    shown: (files: number, tests: number) => `${count(files, 'file')}, ${count(tests, 'test')}`,
  },
  zh: { departures: '偏离之处', shown: (files: number, tests: number) => `${files} 个文件，${tests} 个测试` },
}

/** The rows of `docs/specification.yaml` by section, each with what does and shows it, and the departures from them. */
export function specificationRows(language: Language): string {
  const { sections, departures } = readSpecification()
  const points = sections.map(({ title, rows }, at) => [
    `## ${title[language]} {#point-${at + 1}}`,
    listOf(Object.entries(rows).map(([id, row]) => rowOf(id, row, language))),
  ])
  const reasons = Object.entries(departures).map(
    ([id, { text, reason }]) => `<li id="${id}"><code class="short">${id}</code> ${inline(text)}<p>${inline(reason)}</p></li>`,
  )
  return [...points.flat(), `## ${WORDS[language].departures} {#departures}`, listOf(reasons)].join('\n\n')
}

/** HTML in Markdown ends at an empty line. */
const listOf = (items: readonly string[]) => `<ul class="rows" lang="en">\n${items.join('\n')}\n</ul>`

function rowOf(id: string, { text, files = [], tests = {}, departures = [] }: SpecificationRow, language: Language): string {
  const titles = Object.entries(tests).map(([file, title]) => ({ file, titles: [title].flat() }))
  const departs = departures.map((one) => ` <a href="#${one}">${one}</a>`).join('')
  const shown = WORDS[language].shown(files.length, titles.flatMap((one) => one.titles).length)
  const items = [
    ...files.map((file) => `<li>${code(file)}</li>`),
    ...titles.map(({ file, titles }) => `<li>${code(file)} ${titles.map(escapeHtml).join(' · ')}</li>`),
  ]
  const details =
    items.length === 0
      ? ''
      : `<details><summary lang="${language}"><code class="short">${id}</code> ${shown}</summary><ul>${items.join('')}</ul></details>`
  return `<li id="${id}">${inline(text)}${departs}${details}</li>`
}

const code = (text: string) => `<code>${escapeHtml(text)}</code>`
const inline = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`
