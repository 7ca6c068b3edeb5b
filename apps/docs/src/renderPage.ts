import type { Guide } from './readGuide.ts'
import { escapeHtml } from './renderMarkdown.ts'
import { addressOf, folderOf, LANGUAGES, type Language, type Page } from './site.ts'
import { WORDS } from './words.ts'

const LOGO =
  '<svg aria-hidden="true" viewBox="0 0 22 22"><rect class="ink" x="1" y="1" width="20" height="5" rx="1.5"/><rect class="accent" x="1" y="8.5" width="20" height="5" rx="1.5"/><rect class="ink" x="1" y="16" width="20" height="5" rx="1.5"/><circle class="paper" cx="17.5" cy="11" r="1.3"/></svg>'

/** The whole document of a guide. `guides` are all pages of its language, in the order of reading. */
export function renderPage(guide: Guide, guides: readonly Guide[]): string {
  const words = WORDS[guide.language]
  const to = (language: Language, page: Page) => addressOf(folderOf(language, page))
  const at = guides.indexOf(guide)

  const item = (one: Guide) =>
    `<li><a href="${to(one.language, one.page)}"${one === guide ? ' aria-current="page"' : ''}>${escapeHtml(one.title)}</a></li>`
  const pages = `<ul>${guides.map(item).join('')}</ul>`
  const contents = guide.headings
    .map((heading) => `<li class="level-${heading.level}"><a href="#${heading.id}">${escapeHtml(heading.text)}</a></li>`)
    .join('')
  const languages = LANGUAGES.map((language) => {
    const { html, name } = WORDS[language]
    const current = language === guide.language ? ' aria-current="true"' : ''
    return `<a href="${to(language, guide.page)}" hreflang="${html}" lang="${html}"${current}>${name}</a>`
  }).join('')
  const step = (one: Guide | undefined, rel: string, label: string) =>
    one
      ? `<a rel="${rel}" href="${to(one.language, one.page)}"><span>${label}</span>${escapeHtml(one.title)}</a>`
      : '<span></span>'

  return `<!doctype html>
<html lang="${words.html}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(guide.description)}">
<title>${escapeHtml(guide.page === 'index' ? `Rackfair · ${words.docs}` : `${guide.title} · Rackfair ${words.docs}`)}</title>
<link rel="icon" href="${addressOf('logo.svg')}" type="image/svg+xml">
<link rel="preload" href="${addressOf('instrument-sans.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${addressOf('docs.css')}">
${LANGUAGES.map((language) => `<link rel="alternate" hreflang="${WORDS[language].html}" href="${to(language, guide.page)}">`).join('\n')}
</head>
<body>
<a class="skip" href="#text">${words.skip}</a>
<header class="top">
<a class="brand" href="${to(guide.language, 'index')}">${LOGO}<span>Rackfair <b>${words.docs}</b></span></a>
<span class="languages">${languages}</span>
<a class="market" href="/">${words.market}</a>
</header>
<div class="frame">
<details class="menu"><summary>${words.pages}</summary><nav aria-label="${words.pages}">${pages}</nav></details>
<nav class="side" aria-label="${words.pages}">${pages}</nav>
<main id="text" tabindex="-1">
<details class="menu brief"><summary>${words.contents}</summary><nav aria-label="${words.contents}"><ul>${contents}</ul></nav></details>
${guide.html}<nav class="steps" aria-label="${words.previous} / ${words.next}">${step(guides[at - 1], 'prev', words.previous)}${step(guides[at + 1], 'next', words.next)}</nav>
</main>
<nav class="contents" aria-label="${words.contents}"><p class="label">${words.contents}</p><ul>${contents}</ul></nav>
</div>
<footer>${words.footer}</footer>
</body>
</html>
`
}
