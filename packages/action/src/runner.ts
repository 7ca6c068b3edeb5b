import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'

/** What GitHub's runner gives to an action, and takes from it: the environment, and files that it names there. */
export interface Runner {
  /** @throws Error if a required one is missing */
  input(name: string): string
  optional(name: string): string | undefined
  /** Whether this is the run after the job, which also follows a cancelled one. */
  isPost: boolean
  saved(name: string): string | undefined
  save(name: string, value: string): void
  output(name: string, value: string): void
  /** From now on no line is a command to the runner, until the answer is called: what a machine prints would be one. */
  stopCommands(): () => void
  /** Hides a text in the job's log. */
  mask(text: string): void
  /** Names the step's failure in the job's summary. */
  fail(message: string): void
}

export function createRunner(env: NodeJS.ProcessEnv, print: (line: string) => void): Runner {
  const optional = (name: string) => env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`]?.trim() || undefined
  const append = (variable: string, name: string, value: string) => {
    const file = env[variable]
    // A value may have any lines but this one.
    const end = randomUUID()
    if (file) appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`)
  }
  return {
    optional,
    input(name) {
      const value = optional(name)
      if (value === undefined) throw new Error(`Input required and not supplied: ${name}`)
      return value
    },
    isPost: env.STATE_phase === 'post',
    saved: (name) => env[`STATE_${name}`] || undefined,
    save: (name, value) => append('GITHUB_STATE', name, value),
    output: (name, value) => append('GITHUB_OUTPUT', name, value),
    stopCommands() {
      const token = randomUUID()
      print(`::stop-commands::${token}`)
      return () => print(`\n::${token}::`)
    },
    mask: (text) => print(`::add-mask::${escaped(text)}`),
    fail: (message) => print(`::error::${escaped(message)}`),
  }
}

/** A command of the runner is one line. */
const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
