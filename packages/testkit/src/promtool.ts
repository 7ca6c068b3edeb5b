import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DEPLOY = fileURLToPath(new URL('../../../deploy', import.meta.url))
type Program = 'agent' | 'monitor' | 'platform'

/** Why alert rules cannot be tested on this machine; undefined if they can. */
export const whyNoPromtool = (): string | undefined =>
  spawnSync('promtool', ['--version']).error ? 'there is no promtool: apt-get install prometheus' : undefined

/** Checks a program's alert rules and runs their tests. @throws Error with promtool's output */
export function runPromtool(program: Program): string {
  const folder = join(DEPLOY, 'prometheus')
  const outputs = [
    ['check', 'rules', `${program}.yml`],
    ['test', 'rules', `${program}.test.yml`],
  ].map((args) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`promtool ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
    return stdout
  })
  return outputs.join('\n')
}

/** Our own metrics that a program's alert rules and dashboard query, under the names the program exports. */
export function metricNamesOf(program: Program): string[] {
  const files = [join('prometheus', `${program}.yml`), join('grafana', `${program}.json`)]
  const texts = files.map((file) => readFileSync(join(DEPLOY, file), 'utf8'))
  const names = texts.flatMap((text) => text.match(/(?:rackfair|process|nodejs)_[a-z0-9_]+/g) ?? [])
  return [...new Set(names.map((name) => name.replace(/_(bucket|count|sum)$/, '')))].sort()
}
