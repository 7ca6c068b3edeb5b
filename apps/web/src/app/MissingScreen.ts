/** The code of a screen could not be loaded: the connection, or a newer version of the page, is the reason, not the screen. */
export class MissingScreen extends Error {
  override name = 'MissingScreen'
}

/** For `catch` behind an import. */
export function missingScreen(cause: unknown): never {
  throw new MissingScreen(cause instanceof Error ? cause.message : String(cause), { cause })
}
