import { AppError } from '@rackfair/rules/errors/AppError'
import type { ErrorCode } from '@rackfair/sdk'
import { arrive, arriveStyles } from './arrive.ts'
import { persist } from './persist.ts'

/**
 * The build replaces every `import()` of the app with this (vite/importArrived.ts).
 *
 * @param files the module and all its imports
 * @throws AppError `page_incomplete` (retryable) if they cannot be loaded
 */
export async function importArrived<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  const all = files.map((file) => `/${file}`)
  const styles = all.filter((file) => file.endsWith('.css'))
  const scripts = all.filter((file) => !styles.includes(file))
  try {
    await persist(() => Promise.all([arrive(scripts), arriveStyles(styles)]))
  } catch (cause) {
    throw new AppError<ErrorCode>('page_incomplete', (cause as Error).message, { cause, retryable: true })
  }
  return load()
}
