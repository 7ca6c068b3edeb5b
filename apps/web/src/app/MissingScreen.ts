/** The code of a screen failed to load: because of the connection or a newer build, not the screen itself. */
export class MissingScreen extends Error {
  override name = 'MissingScreen'
}

/** For use in `.catch` after an import. */
export function missingScreen(cause: unknown): never {
  throw new MissingScreen(cause instanceof Error ? cause.message : String(cause), { cause })
}
