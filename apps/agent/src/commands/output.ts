import { createInterface } from 'node:readline/promises'
import { visibleJson, visibleText } from '@rackfair/rules/text/visibleText'
import { withoutSecrets } from '../foundation/hiddenSecrets.ts'

export interface Output {
  /** Progress, for people; with --json on stderr, so that stdout stays one JSON value. */
  say(line: string): void
  /** The result: once, at the end. */
  result(json: unknown, text: string): void
  /** A person's answer; without a person the answer is `otherwise`. */
  ask(question: string, otherwise: string | undefined): Promise<string | undefined>
  /** True unless a person declines. */
  confirm(question: string): Promise<boolean>
}

/**
 * Prompts only a person at a terminal, and never with --yes or --json. Printed text may come from a tenant, a registry or the
 * chain: control characters in it are neutralised.
 */
export function createOutput({ json = false, yes = false }: { json?: boolean; yes?: boolean }): Output {
  const asks = !json && !yes && process.stdin.isTTY === true && process.stdout.isTTY === true
  const ask = async (question: string, otherwise: string | undefined) => {
    if (!asks) return otherwise
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    try {
      const answer = (await terminal.question(`${question}${otherwise === undefined ? '' : ` [${otherwise}]`}: `)).trim()
      return answer === '' ? otherwise : answer
    } finally {
      terminal.close()
    }
  }
  return {
    say: (line) => (json ? process.stderr : process.stdout).write(`${withoutSecrets(visibleText(line))}\n`),
    result: (value, text) => process.stdout.write(`${withoutSecrets(json ? toJson(value) : visibleText(text))}\n`),
    ask,
    confirm: async (question) => /^y(es)?$/i.test((await ask(`${question} (yes/no)`, 'yes')) ?? ''),
  }
}

/** Prints why a command failed: for programs on stdout, for people on stderr. */
export function printError(json: boolean, code: string, message: string): void {
  if (json) process.stdout.write(`${withoutSecrets(toJson({ error: { code, message } }))}\n`)
  else process.stderr.write(`rackfair-agent: ${withoutSecrets(visibleText(message))} (${code})\n`)
}

const toJson = (value: unknown): string =>
  visibleJson(JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one)))
