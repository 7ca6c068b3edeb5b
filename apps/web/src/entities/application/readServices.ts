import type { AppProblem, AppSpec } from '@rackfair/app-spec/AppSpec'
import type { Application } from '@rackfair/app-spec/services/Application'
import { valueNames, valuesProblem } from '@rackfair/app-spec/services/applicationText'

export interface FormReading {
  /** What is signed; only without problems. */
  spec?: AppSpec
  /** What is signed of several services, in place of `spec`. */
  application?: Application
  /** Values that travel beside. */
  values: Record<string, string>
  problems: AppProblem[]
}

/** What a pasted file of several services lacks until it can be signed: the values that it names. */
export function readServices(application: Application, typed: Readonly<Record<string, string>>): FormReading {
  const values = Object.fromEntries(valueNames(application).map((name) => [name, typed[name] ?? '']))
  const problems: AppProblem[] = Object.entries(values).flatMap(([name, value]) =>
    value === '' ? [{ field: name, code: 'no_value' as const }] : [],
  )
  if (problems.length === 0 && valuesProblem(application, values) !== undefined)
    problems.push({ field: 'services', code: 'too_large' })
  return { values, problems, ...(problems.length === 0 ? { application } : {}) }
}
