import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result, Step } from './Step.ts'

/** Inputs of every step: the packages, the compiler's options, and the test runner itself. */
const ALWAYS = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'scripts']

type Passed = Record<string, { inputs: string; passed: number }>

/**
 * Records in `file` the inputs of every step when it last passed completely: a step with the same inputs need not run again. Skipped tests
 * may be possible meanwhile, so a step with any is run again.
 */
export function openPassed(root: string, file: string, circumstances: string) {
  const files = filesOf(root)
  const digests = new Map<string, string>()
  const passed: Passed = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Passed) : {}
  const digestOf = (path: string) => {
    const known =
      digests.get(path) ??
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex')
    digests.set(path, known)
    return known
  }
  const inputsOf = ({ name, command, inputs = [] }: Step): string => {
    const hash = createHash('sha256').update(JSON.stringify([process.version, circumstances, name, command]))
    for (const path of files)
      if ([...ALWAYS, ...inputs].some((input) => input === '.' || path === input || path.startsWith(`${input}/`)))
        hash.update(`${path}\0${digestOf(path)}\0`)
    return hash.digest('hex')
  }
  return {
    /** How many tests passed with the same inputs; undefined if the step has to run. */
    before(step: Step): number | undefined {
      const last = passed[step.name]
      return step.inputs && last?.inputs === inputsOf(step) ? last.passed : undefined
    },
    note(step: Step, result: Result): void {
      if (!step.inputs) return
      delete passed[step.name]
      if (result.failed === 0 && result.skipped === 0 && result.problem === undefined)
        passed[step.name] = { inputs: inputsOf(step), passed: result.passed }
      writeFileSync(file, JSON.stringify(passed, undefined, 2))
    },
  }
}

/** Every file of the checkout that git does not ignore. */
function filesOf(root: string): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return [...new Set(list.split('\0'))]
    .filter((path) => path !== '' && statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
    .sort()
}
