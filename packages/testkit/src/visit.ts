/** Follows a Visit link like a browser, with its cookies, and requests `path` from the application. */
export async function visit(link: string, path = '/'): Promise<Response> {
  let at = link
  let cookie = ''
  for (;;) {
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    const location = answer.headers.get('location')
    if (answer.status !== 302 || location === null) return answer
    const set = answer.headers.getSetCookie().map((one) => one.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    at = new URL(location === '/' ? path : location, at).href
  }
}
