import type { Application } from './Application.ts'

/** What values are called that open something: `API_TOKEN`, `DB_PASSWORD`, `AWS_SECRET_ACCESS_KEY`, not `TOKENIZERS_PARALLELISM` or `KEYBOARD`. */
const SECRET =
  /(?:^|_)(?:TOKENS?|PASS|PASSWD|PASSWORDS?|PASSPHRASE|PWD|SECRETS?|CREDENTIALS?|(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|AUTH|MASTER|LICENSE)_?KEYS?)(?:$|_(?:KEY|VALUE|ID|\d+)$)/i

/**
 * Whether the value of a variable, by its name, opens something. A path or a switch opens nothing.
 *
 * @example isLikelySecret('DB_PASSWORD', 'hunter2') // true
 */
export const isLikelySecret = (name: string, value: string): boolean =>
  SECRET.test(name) && value.length >= 4 && !/^(?:true|false|none|\/.*|\$.*)$/i.test(value)

/**
 * An application as it is given to others: variables that open something have become secrets, whose values whoever deploys it gives. Services that
 * have the same value of one name are given it once.
 *
 * @example shareable(application).services[0].secrets // { POSTGRES_PASSWORD: 'POSTGRES_PASSWORD' }
 */
export function shareable(application: Application): Application {
  /** Of names of values: the value, as far as it stands in the application. */
  const taken = new Map<string, string | undefined>(
    application.services.flatMap(({ secrets }) => Object.values(secrets).map((name) => [name, undefined] as const)),
  )
  const nameOf = (service: string, variable: string, value: string): string => {
    const isFree = (name: string) => !taken.has(name) || taken.get(name) === value
    const own = `${service.toUpperCase().replaceAll('-', '_')}_${variable}`
    const name = isFree(variable) ? variable : own
    taken.set(name, value)
    return name
  }
  const services = application.services.map((service) => {
    const variables = Object.entries(service.env)
    const open = variables.filter(([name, value]) => isLikelySecret(name, value))
    return {
      ...service,
      env: Object.fromEntries(variables.filter((one) => !open.includes(one))),
      secrets: {
        ...service.secrets,
        ...Object.fromEntries(open.map(([name, value]) => [name, nameOf(service.name, name, value)])),
      },
    }
  })
  return { ...application, services }
}
