import type { Parser } from 'wouter'

/** The specification's routes match exactly: letters are as they are written. Only a slash at the end does not count. */
export const exactParser: Parser = (route, loose) => {
  // A route without a path, as the last one of a switch is.
  if (route === '*') return { keys: ['*'], pattern: /^\/(.*)$/ }
  const keys: string[] = []
  const parts = route.replace(/\/$/, '').split('/')
  const source = parts.map((part) => {
    if (!part.startsWith(':')) return part.replace(/[^\w-]/g, '\\$&')
    keys.push(part.slice(1))
    return '([^/]+)'
  })
  return { keys, pattern: new RegExp(`^${source.join('/')}${loose ? '(?=/|$)' : '/?$'}`) }
}
