import type { Application } from '../../presets/loadCatalog.ts'

/** How long an application may take until its first answer. */
export function patienceMs({ app }: Application): number {
  return app.probe.periodSeconds * app.probe.failures * 1000
}
