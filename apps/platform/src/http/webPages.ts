import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether the web app has a screen at a path, by the list of paths that its build provides. Case-sensitive; a trailing slash is ignored. A
 * build without a list has a screen everywhere.
 */
export function webPages(webFolder: string): (path: string) => boolean {
  let paths: unknown
  try {
    paths = JSON.parse(readFileSync(join(webFolder, 'paths.json'), 'utf8'))
  } catch {
    return () => true
  }
  if (!Array.isArray(paths)) return () => true
  const patterns = paths.map((path) => new RegExp(`^${patternOf(String(path))}/?$`))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

function patternOf(path: string): string {
  const context = path.replace(/\/$/, '').split('/')
  return context.map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[^\w-]/g, '\\$&'))).join('/')
}
