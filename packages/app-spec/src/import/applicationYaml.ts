import { stringify } from 'yaml'
import { type Application, SERVICE_LIMITS } from '../services/Application.ts'
import { applicationText, asSpec } from '../services/applicationText.ts'
import { parseApplication } from '../services/parseApplication.ts'
import { formatAppYaml } from './formatAppYaml.ts'
import type { Path } from './paths.ts'
import { Plain } from './plain.ts'
import { isRecord, type Pasted, plainValue } from './Reading.ts'

const FIELD = 'application'

/**
 * An application of any number of services as a file for a person to read, keep and share: what is signed, without the values of secrets.
 *
 * @example formatApplicationYaml(application) // 'application:\n  cache:\n    image: docker.io/library/redis:7\n'
 */
export function formatApplicationYaml(application: Application): string {
  const single = asSpec(application)
  if (single) return formatAppYaml(single)
  const { services } = JSON.parse(applicationText(application)) as { services: unknown }
  return stringify({ [FIELD]: services }, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** Whether a document is of the form that `formatApplicationYaml` gives several services. */
export const isApplicationYaml = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.hasOwn(value, FIELD)

/** Reads what `formatApplicationYaml` wrote, as strictly as what is signed. */
export function fromApplicationYaml(
  value: Readonly<Record<string, unknown>>,
  lineOf: (path: Path) => number | undefined,
): Pasted {
  const { [FIELD]: services, ...others } = value
  const at = (path: Path) => {
    const line = lineOf(path)
    return line === undefined ? {} : { line }
  }
  const { application, problems } = parseApplication({ services: asJson(services) })
  const found = [
    ...Object.keys(others).map((field) => ({ field: field.slice(0, 100), code: 'unsupported' as const, ...at([field]) })),
    ...problems.map((problem) => ({ ...problem, ...at([FIELD, ...problem.field.split('.').slice(1)]) })),
  ]
  const isWhole = application !== undefined && found.length === 0
  return {
    ...{ kind: 'app', draft: {}, problems: found, notes: [], wanted: [], values: {} },
    services: isRecord(services) ? Object.keys(services).slice(0, SERVICE_LIMITS.services) : [],
    ...(isWhole ? { application } : {}),
  }
}

/** What YAML has without quotes, as JSON has it. */
function asJson(value: unknown): unknown {
  if (value instanceof Plain) return plainValue(value)
  if (Array.isArray(value)) return value.map(asJson)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asJson(one)])) : value
}
