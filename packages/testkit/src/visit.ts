import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

/** Follows a Visit link like a browser, with its cookies, and requests `path` from the application. */
export async function visit(link: string, path = '/'): Promise<Response> {
  // An order with a name of its own is open to everybody there, without a sign-in that leads on.
  const hasOwnName = new URL(link).hostname.endsWith('.localhost')
  let at = hasOwnName ? new URL(path, link).href : link
  let cookie = ''
  for (;;) {
    const answer = await get(new URL(at), cookie)
    const location = answer.headers.get('location')
    if (answer.status !== 302 || location === null) return answer
    const set = answer.headers.getSetCookie().map((one) => one.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    at = new URL(location === '/' ? path : location, at).href
  }
}

/** Browsers know names below localhost by themselves; a program asks the machine's resolver, which need not. */
async function get(url: URL, cookie: string): Promise<Response> {
  if (!url.hostname.endsWith('.localhost')) return fetch(url, { redirect: 'manual', headers: { cookie } })
  const asked = request({
    ...{ host: '127.0.0.1', port: url.port, path: url.pathname + url.search },
    headers: { host: url.host, cookie },
  }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(answer.headersDistinct))
    for (const value of values) headers.append(name, value)
  return new Response(Buffer.concat(await answer.toArray()), { status: answer.statusCode ?? 502, headers })
}
