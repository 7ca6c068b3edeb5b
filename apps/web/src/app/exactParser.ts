import type { Parser } from 'wouter'

/** The specification's routes match exactly and case-sensitively. Only a trailing slash is ignored. */
export const exactParser: Parser = (route, loose) => {
  // A route without a path, such as the last one of a switch.
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
