import { constants } from 'node:os'

/** What an image says of itself. */
export interface ImageConfig {
  entrypoint: string[]
  command: string[]
  env: string[]
  user: string
  workingDir: string
  stopSignal: number | undefined
  volumes: string[]
  /** `80/tcp` */
  ports: string[]
  hasHealthcheck: boolean
  /** Folders of its layers, the topmost first. */
  layers: string[]
}

/** Reads what podman says of an image. Everything in it was written by a stranger. */
export function imageConfigOf(inspected: unknown): ImageConfig {
  const one = inspected as {
    Config?: Record<string, unknown>
    HealthCheck?: unknown
    Healthcheck?: unknown
    GraphDriver?: { Data?: { UpperDir?: string; LowerDir?: string } }
  }
  const config = one.Config ?? {}
  const words = (value: unknown): string[] => (Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [])
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const names = (value: unknown): string[] => (typeof value === 'object' && value !== null ? Object.keys(value) : [])
  const { UpperDir = '', LowerDir = '' } = one.GraphDriver?.Data ?? {}
  return {
    entrypoint: words(config.Entrypoint),
    command: words(config.Cmd),
    env: words(config.Env),
    user: text(config.User),
    workingDir: text(config.WorkingDir),
    stopSignal: signalOf(text(config.StopSignal)),
    volumes: names(config.Volumes),
    ports: names(config.ExposedPorts).map((port) => (port.includes('/') ? port : `${port}/tcp`)),
    hasHealthcheck: Boolean(config.Healthcheck ?? one.HealthCheck ?? one.Healthcheck),
    layers: [UpperDir, ...LowerDir.split(':')].filter((path) => path !== ''),
  }
}

function signalOf(text: string): number | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  return (constants.signals as Record<string, number>)[/^SIG/.test(text) ? text : `SIG${text}`]
}
