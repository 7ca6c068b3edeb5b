import type { Parser } from 'wouter'

/** The specification's routes match exactly: letters are as they are written. Only a slash at the end does not count. */
export const exactParser: Parser = (route, loose) => {
  const keys: string[] = []
  const parts = route.replace(/\/$/, '').split('/')
  const source = parts.map((part) => {
    if (!part.startsWith(':')) return part.replace(/[^\w-]/g, '\\$&')
    keys.push(part.slice(1))
    return '([^/]+)'
  })
  return { keys, pattern: new RegExp(`^${source.join('/')}${loose ? '(?=/|$)' : '/?$'}`) }
}
