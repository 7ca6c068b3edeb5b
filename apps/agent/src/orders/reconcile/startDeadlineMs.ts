import type { Application } from '../../presets/loadCatalog.ts'

/** What is to replace an application that works has less time than one before which nothing was. */
const UPDATE_MS = 600_000

/** How long an application may take until its first answer. */
export function startDeadlineMs({ app }: Application, isUpdate = false): number {
  const usual = app.probe.periodSeconds * app.probe.failures * 1000
  return isUpdate ? Math.min(usual, UPDATE_MS) : usual
}
