import type { ServerResponse } from 'node:http'

const STYLE = `:root{color-scheme:light dark;--bg:#f6f7f9;--fg:#14181f;--soft:#5b6472;--card:#fff;--line:#dfe3ea;--accent:#1257d8}
@media(prefers-color-scheme:dark){:root{--bg:#0f1319;--fg:#eef1f6;--soft:#9aa5b5;--card:#171d26;--line:#2a3340;--accent:#7cabff}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--fg);font:16px/1.6 system-ui,-apple-system,"Segoe UI",sans-serif}
main{box-sizing:border-box;width:min(36rem,calc(100vw - 2rem));background:var(--card);border:1px solid var(--line);border-radius:14px;padding:2rem}
h1{font-size:1.35rem;margin:0 0 .5rem}p{margin:.4rem 0;color:var(--soft)}p[lang]{margin-top:.2rem}code{font-size:.9em}
button{font:inherit;margin-top:1rem;padding:.6rem 1.1rem;border:0;border-radius:9px;background:var(--accent);color:var(--bg);cursor:pointer}
button:disabled{opacity:.55;cursor:default}button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`

export interface Page {
  status: number
  title: string
  text: string
  /** The same in Chinese. */
  zh: string
  /** Loads again by itself after so many seconds. */
  retrySeconds?: number
  /** Markup of our own below the text. */
  extra?: string
  /** Path of a script of ours. */
  script?: string
  /** Facts that the script reads from `document.body.dataset`. */
  data?: Record<string, string>
  headers?: Record<string, string>
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** A page of the gateway itself, never of an application. */
export function sendPage(response: ServerResponse, page: Page): void {
  const retry = page.retrySeconds ? `<meta http-equiv="refresh" content="${page.retrySeconds}">` : ''
  const data = Object.entries(page.data ?? {})
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('')
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${retry}<title>${escapeHtml(page.title)} · Rackfair</title><style>${STYLE}</style></head><body${data}><main><h1>${escapeHtml(page.title)}</h1><p>${escapeHtml(page.text)}</p><p lang="zh">${escapeHtml(page.zh)}</p>${page.extra ?? ''}</main>${page.script ? `<script type="module" src="${page.script}"></script>` : ''}</body></html>`
  response.writeHead(page.status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline' 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
    ...(page.retrySeconds ? { 'retry-after': String(page.retrySeconds) } : {}),
    ...page.headers,
  })
  response.end(body)
}
