import type { Query } from '@tanstack/react-query'
import { prerender } from 'react-dom/static.edge'
import { Router } from 'wouter'
import { App } from '../app/App.tsx'
import { loadScreen } from '../app/Routes.tsx'
import { loadChinese } from '../i18n/defineMessages.ts'
import { drawIn, type Locale } from '../i18n/locale.ts'
import { createQueryClient } from '../platform/api/queryClient.ts'
import { drawAt } from '../platform/browser/useNow.ts'
import { drawnTitle } from '../ui/useDocumentTitle.ts'
import { seedElement } from './seed.ts'

/** Maximum fetch-and-render rounds: rendering one response may require another. */
const MAX_ROUNDS = 4
const LANGUAGE = '<html lang="en">'
const ROOT = '<div id="app"></div>'
const END = '</body>'

export interface PageOrder {
  path: string
  locale: Locale
  /** Renders with the platform's responses, obtained through `fetch`, instead of in the loading state. */
  complete: boolean
  /** Without a page in it. */
  html: string
}

/** A public page as HTML, so that reading needs no script. One after the other: language and time are those of the page being drawn. */
export async function renderPage({ path, locale, complete, html }: PageOrder): Promise<string> {
  const time = Math.floor(Date.now() / 1000)
  drawIn(locale)
  drawAt(time)
  await loadScreen(path)
  if (locale === 'zh') await loadChinese()
  const client = createQueryClient({ retry: false })
  const queries = () => client.getQueryCache().getAll()
  let body = await draw(path, client)
  for (let round = 0; complete && round < MAX_ROUNDS; round += 1) {
    const missing = queries().filter(isMissing)
    if (missing.length === 0) break
    await Promise.all(missing.map((query) => query.fetch()))
    body = await draw(path, client)
  }
  // Cache entries filled in by another query are filled in by the browser as well.
  const answers = queries()
    .filter(({ state }) => state.dataUpdateCount > 0)
    .map(({ queryKey, state }) => [queryKey, state.data] as const)
  return [
    [LANGUAGE, `<html lang="${locale}">`],
    [/<title>.*<\/title>/, `<title>${drawnTitle()}</title>`],
    [ROOT, `<div id="app" data-ahead="${locale}">${body}</div>`],
    [END, `${complete ? seedElement({ locale, time, answers }) : ''}${END}`],
  ].reduce((page, [place = '', text]) => page.replace(place, () => text as string), html)
}

const isMissing = ({ state, options }: Query) => state.data === undefined && (options as { enabled?: unknown }).enabled !== false

async function draw(path: string, client: ReturnType<typeof createQueryClient>): Promise<string> {
  const failed: unknown[] = []
  const { prelude } = await prerender(
    <Router ssrPath={path}>
      <App client={client} />
    </Router>,
    {
      // Not streamed: the content security policy forbids the inline scripts that streaming would need.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        failed.push(error)
      },
    },
  )
  if (failed.length > 0) throw new Error(`${path} cannot be drawn`, { cause: failed[0] })
  return new Response(prelude).text()
}
