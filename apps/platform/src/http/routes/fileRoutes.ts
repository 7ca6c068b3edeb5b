import { z } from '@hono/zod-openapi'
import { resource } from '../../resources.ts'
import type { AppContext } from '../AppContext.ts'
import { type App, type Call, defineRoute } from '../defineRoute.ts'
import { answerFile, fileIn } from '../files.ts'
import { notFound } from '../notFound.ts'
import { webPages } from '../webPages.ts'

const REFERENCE = resource('reference', () => new URL('../reference/', import.meta.url))
const FOREVER = 'public, max-age=31536000, immutable'

/** Logos and manifests of the catalogue, the reference page, and the web app with its routes. */
export function fileRoutes(app: App, context: AppContext): void {
  const { settings } = context
  const summary = 'A logo or a manifest of the catalogue'
  const params = z.object({ file: z.string().min(1).max(200) })
  const presetFile = async (call: Call, name: string) => {
    const file = fileIn(settings.presetsFolder, name)
    const answer = file && (await answerFile(call, file, 'public, max-age=300'))
    if (!answer) return notFound('this file')
    // A catalogue picture that is opened directly must not run scripts.
    answer.headers.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    return answer
  }
  const shape = {
    method: 'get',
    path: '/v1/presets/{file}',
    id: 'getPresetFile',
    summary,
    tag: 'network',
    params,
    answer: 'application/octet-stream',
  } as const
  defineRoute(app, shape, (call, { params: { file } }) => presetFile(call, file))
  app.get('/v1/presets/logos/:file', (call) => presetFile(call, `logos/${call.req.param('file')}`))

  app.get('/reference', (call) => call.redirect('/reference/', 308))
  app.get('/reference/*', async (call) => {
    const name = call.req.path.slice('/reference/'.length) || 'index.html'
    const file = fileIn(REFERENCE, name)
    const answer = file ? await answerFile(call, file, 'no-cache') : undefined
    return answer ?? notFound('this page')
  })

  const { webFolder } = settings
  if (webFolder === undefined) return
  const hasScreen = webPages(webFolder)
  app.get('*', async (call) => {
    const { path } = call.req
    if (/^\/(v1|greet)(\/|$)/.test(path)) return notFound(path.slice(0, 200))
    const cache = path.startsWith('/assets/') ? FOREVER : 'no-cache'
    const named = fileIn(webFolder, path) ?? fileIn(webFolder, `${path.replace(/\/$/, '')}/index.html`)
    const answer = named && (await answerFile(call, named, cache))
    if (answer) return answer
    const isKnown = hasScreen(path)
    if (path.startsWith('/assets/') || (!isKnown && !call.req.header('accept')?.includes('text/html')))
      return notFound('this file')
    // If the home page is prerendered, every other address starts with the empty page.
    for (const name of ['app.html', 'index.html']) {
      const page = fileIn(webFolder, name)
      const shell = page && (await answerFile(call, page, 'no-cache'))
      if (shell) return isKnown ? shell : new Response(shell.body, { status: 404, headers: withoutTag(shell.headers) })
    }
    return notFound('the web app')
  })
}

/** An address that does not exist today may exist tomorrow, so its 404 must not be cached. */
function withoutTag(headers: Headers): Headers {
  const changed = new Headers(headers)
  changed.delete('etag')
  changed.set('cache-control', 'no-store')
  return changed
}
