import { Marked, type Token, type Tokens } from 'marked'
import { addressOf, folderOf, type Language, PAGES, type Page } from './site.ts'

export interface Heading {
  id: string
  level: number
  text: string
}

/** Code up to this length is never broken at the end of a line. */
const MAX_UNBROKEN = 24
const ID = /\s*\{#([a-z0-9-]+)\}\s*$/

/**
 * Markdown to HTML. Every heading below the title carries its anchor as `{#id}`, the same in all languages;
 * links between guides are written `page.md#id`. Throws when a heading has no anchor or a link names no page.
 */
export function renderMarkdown(markdown: string, at: { language: Language; page: Page }) {
  const ids = new Map<Tokens.Heading, string>()
  const marked = new Marked({ renderer: renderers(at, ids) })
  const tokens = marked.lexer(markdown)
  const headings: Heading[] = []
  let title = ''
  for (const token of tokens) {
    if (!isHeading(token)) continue
    if (token.depth === 1) {
      title = plainText(token)
      continue
    }
    const id = ID.exec(token.text)?.[1]
    if (id === undefined) throw new Error(`${at.language}/${at.page}: the heading "${token.text}" has no {#anchor}`)
    token.text = token.text.replace(ID, '')
    token.tokens = marked.Lexer.lexInline(token.text)
    ids.set(token, id)
    headings.push({ id, level: token.depth, text: plainText(token) })
  }
  const first = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph')
  return { title, description: first ? plainText(first) : '', headings, html: marked.parser(tokens) }
}

function renderers(at: { language: Language; page: Page }, ids: Map<Tokens.Heading, string>) {
  return {
    heading(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Heading): string {
      const inner = this.parser.parseInline(token.tokens)
      const id = ids.get(token)
      if (id === undefined) return `<h1>${inner}</h1>\n`
      return `<h${token.depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${token.depth}>\n`
    },
    link(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Link): string {
      return `<a href="${escapeHtml(targetOf(token.href, at))}">${this.parser.parseInline(token.tokens)}</a>`
    },
    code(token: Tokens.Code): string {
      return `<pre tabindex="0"><code>${escapeHtml(token.text)}</code></pre>\n`
    },
    codespan(token: Tokens.Codespan): string {
      const short = token.text.length <= MAX_UNBROKEN ? ' class="short"' : ''
      return `<code${short}>${escapeHtml(token.text)}</code>`
    },
    table(
      this: { parser: { parseInline(tokens: Token[]): string } },
      token: { header: Tokens.TableCell[]; rows: Tokens.TableCell[][] },
    ): string {
      const inline = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens)
      const right = (cell: Tokens.TableCell) => (cell.align === 'right' ? ' class="right"' : '')
      const head = token.header.map((cell) => `<th scope="col"${right(cell)}>${inline(cell)}</th>`).join('')
      const label = (column: number) => escapeHtml(token.header[column]?.text ?? '')
      const rows = token.rows
        .map((row) => row.map((cell, at) => `<td data-label="${label(at)}"${right(cell)}>${inline(cell)}</td>`).join(''))
        .map((cells) => `<tr>${cells}</tr>`)
        .join('\n')
      const cards = token.header.length > 2 ? ' cards' : ''
      return `<div class="table${cards}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${rows}\n</tbody></table></div>\n`
    },
  }
}

function targetOf(href: string, at: { language: Language; page: Page }): string {
  const match = /^([a-z]+)\.md(#.*)?$/.exec(href)
  if (!match) return href
  const page = PAGES.find((one) => one === match[1])
  if (!page) throw new Error(`${at.language}/${at.page}: there is no page ${href}`)
  return addressOf(folderOf(at.language, page)) + (match[2] ?? '')
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function plainText(token: Tokens.Heading | Tokens.Paragraph): string {
  const textOf = (one: Token): string => ('tokens' in one && one.tokens ? one.tokens.map(textOf).join('') : one.raw)
  const text = token.tokens.map((one) => (one.type === 'codespan' ? (one as Tokens.Codespan).text : textOf(one))).join('')
  return text.replaceAll('\n', ' ').trim()
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
