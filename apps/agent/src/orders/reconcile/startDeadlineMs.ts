import type { Application } from '../../presets/loadCatalog.ts'

/** How long an application may take until its first answer. */
export function startDeadlineMs({ app }: Application): number {
  return app.probe.periodSeconds * app.probe.failures * 1000
}
