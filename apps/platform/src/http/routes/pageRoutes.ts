import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localeOfHeader } from '@rackfair/rules/text/localeOf'
import { getCookie } from 'hono/cookie'
import { PageRenderer } from '../../pages/PageRenderer.ts'
import type { AppContext } from '../AppContext.ts'
import { answerWith } from '../answerWith.ts'
import type { App } from '../defineRoute.ts'
import type { Representation } from '../ResponseCache.ts'

const TOPICS = ['market', 'presence', 'order', 'deployment'] as const
/** Maximum age of figures that a page states relative to the present, such as the age of its block. */
const MAX_AGE_S = 30
/** After this wait the visitor gets the build's file, without current figures. */
const MAX_WAIT_MS = 1_000
const HEADERS = { 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding, accept-language, cookie' }
const LOCALE_COOKIE = 'rackfair.locale'

export interface Pages {
  close(): Promise<void>
}

/**
 * The current public pages, in the language that the visitor chose, which the cookie says, else in the browser's, rendered once per change by the web app's own code. A page that cannot
 * be rendered, or not soon enough, and one with a specific query string, is answered with the build's file.
 */
export function pageRoutes(app: App, context: AppContext): Pages {
  const { settings, cache, feed, log } = context
  const folder = settings.webFolder && join(settings.webFolder, '.server')
  const empty = folder && readPages(folder)
  if (!folder || !empty) return { close: async () => undefined }
  const renderer = new PageRenderer(folder, async (url) => {
    const answer = await app.request(url)
    return { status: answer.status, body: await answer.text() }
  })
  const draw = async (path: string, locale: 'en' | 'zh'): Promise<Representation | undefined> => {
    const html = empty[path] ?? ''
    const late = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => late.resolve(undefined), MAX_WAIT_MS)
    const page = cache.get(`page ${locale} ${path}`, TOPICS, 0, Math.max(0, feed.position.block), async () => ({
      value: Buffer.from(await renderer.draw({ path, locale, html })),
      until: Date.now() / 1000 + MAX_AGE_S,
    }))
    return Promise.race([page, late.promise])
      .catch((error: Error) => {
        if (context.accepting()) log.warn({ path, reason: error.message.slice(0, 300) }, 'a page cannot be rendered')
        return undefined
      })
      .finally(() => clearTimeout(timer))
  }
  for (const path of Object.keys(empty))
    app.get(path, async (call, next) => {
      if (new URL(call.req.url).search !== '') return next()
      const chosen = getCookie(call, LOCALE_COOKIE)
      const locale = chosen === 'zh' || chosen === 'en' ? chosen : localeOfHeader(call.req.header('accept-language') ?? '')
      const page = await draw(path, locale)
      return page ? (await answerWith(call, page, HEADERS)).response : next()
    })
  return renderer
}

/** Each page's template; undefined if the build has no renderer. */
function readPages(folder: string): Record<string, string> | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as Record<string, string>
  } catch {
    return undefined
  }
}
