const MAX_CAUSES = 5
const MAX_LENGTH = 2000

/**
 * An error with its causes, in one line: what host, engine and cluster said is a cause, since a message of ours may be read by a renter.
 * For the provider's own log and programs only.
 * @example reasonOf(new AppError('start_failed', 'the disk cannot be made', { cause: 'mkfs: no such device' }))
 * // 'AppError: the disk cannot be made: mkfs: no such device'
 */
export function reasonOf(error: unknown): string {
  const said: string[] = []
  for (let one = error; one !== undefined && said.length < MAX_CAUSES; one = one instanceof Error ? one.cause : undefined)
    said.push(String(one).trim())
  return said
    .filter((one) => one !== '')
    .join(': ')
    .slice(0, MAX_LENGTH)
}
