import type { IncomingMessage, ServerResponse } from 'node:http'

export type Language = 'en' | 'zh'

export interface Page {
  status: number
  words: Record<Language, { title: string; text: string }>
  /** The link that the text offers, to the visitor's orders at the market. */
  action?: { href: string; label: Record<Language, string> }
  /** Seconds after which the page checks by itself whether the application is up (`browser/wait.js`). */
  retrySeconds?: number
  /** Markup of our own below the text. */
  extra?: (language: Language) => string
  /** Path of a script of ours. It reads the language from the document. */
  script?: string
  /** Facts that the script reads from `document.body.dataset`. */
  data?: Record<string, string>
}

/** The colours, radius and hairlines of the web app. */
const STYLE = `:root{color-scheme:light dark;--paper:#F7F6F2;--raised:#FFFFFF;--ink:#15171A;--ink-2:#4A4E55;--line:#DEDBD2;--accent:#C2410C;--on-accent:#FFFFFF}
@media(prefers-color-scheme:dark){:root{--paper:#0F1113;--raised:#16191C;--ink:#ECEAE4;--ink-2:#B5B6B3;--line:#26292D;--accent:#FF8A4C;--on-accent:#1A0E07}}
body{margin:0;min-height:100dvh;display:grid;place-content:center;justify-items:center;background:var(--paper);color:var(--ink);font:16px/1.55 "Instrument Sans",system-ui,"PingFang SC","Noto Sans SC",sans-serif}
header,main{box-sizing:border-box;width:min(30rem,calc(100vw - 2rem))}
header{display:flex;align-items:center;gap:.6rem;padding:0 0 .9rem;font-weight:600}
main{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:1.75rem}
h1{font-size:1.25rem;line-height:1.3;font-weight:600;margin:0 0 .5rem}p{margin:.6rem 0 0;color:var(--ink-2)}
button,select,a{font:inherit;border-radius:6px}a{color:var(--ink);text-underline-offset:3px}
button{margin-top:1.25rem;padding:.55rem 1rem;border:0;background:var(--accent);color:var(--on-accent);font-weight:550;cursor:pointer}
select{width:100%;padding:.5rem;border:1px solid var(--line);background:var(--raised);color:var(--ink)}
button:disabled{opacity:.55;cursor:default}:is(button,select,a):focus-visible{outline:2px solid var(--accent);outline-offset:2px}`

const MARK =
  '<svg aria-hidden="true" viewBox="0 0 22 22" width="22" height="22"><g fill="var(--ink)"><rect x="1" y="1" width="20" height="5" rx="1.5"/><rect x="1" y="16" width="20" height="5" rx="1.5"/></g><rect x="1" y="8.5" width="20" height="5" rx="1.5" fill="var(--accent)"/><circle cx="17.5" cy="11" r="1.3" fill="var(--paper)"/></svg>'

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** A page of the gateway itself, never of an application, in the language that the visitor's browser prefers. */
export function sendPage(request: IncomingMessage, response: ServerResponse, page: Page): void {
  const language = languageOf(request)
  const { title, text } = page.words[language]
  const { retrySeconds } = page
  const script = page.script ?? (retrySeconds ? '/.rackfair/wait.js' : undefined)
  // Without scripts the page reloads itself.
  const retry = retrySeconds ? `<noscript><meta http-equiv="refresh" content="${retrySeconds}"></noscript>` : ''
  const data = Object.entries({ ...page.data, ...(retrySeconds ? { wait: String(retrySeconds) } : {}) })
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('')
  const { action } = page
  const link = action ? `<p><a href="${escapeHtml(action.href)}">${escapeHtml(action.label[language])}</a></p>` : ''
  const body = `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${retry}<title>${escapeHtml(title)} · Rackfair</title><style>${STYLE}</style></head><body${data}><header>${MARK}Rackfair</header><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${link}${page.extra?.(language) ?? ''}</main>${script ? `<script type="module" src="${script}"></script>` : ''}</body></html>`
  response.writeHead(page.status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline' 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
    ...(retrySeconds ? { 'retry-after': String(retrySeconds), 'rackfair-wait': String(retrySeconds) } : {}),
  })
  response.end(body)
}

function languageOf(request: IncomingMessage): Language {
  const wanted = /(?:^|,)\s*(en|zh)\b/i.exec(request.headers['accept-language'] ?? '')
  return wanted?.[1]?.toLowerCase() === 'zh' ? 'zh' : 'en'
}
