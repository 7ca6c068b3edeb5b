import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadSolc, type Solc } from '../bin/loadSolc.mjs'

export const contractsRoot = fileURLToPath(new URL('..', import.meta.url))

/** The output of solc. */
interface SolcOutput {
  errors?: SolcMessage[]
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

export interface SolcMessage {
  severity: 'error' | 'warning' | 'info'
  errorCode: string
  message: string
  formattedMessage: string
}

type Callbacks = NonNullable<Parameters<Solc['compile']>[1]>

const solc = loadSolc()

/**
 * Compiles in this process, with the remappings and the EVM version of `foundry.toml`.
 *
 * @param files what to compile, relative to contracts/
 * @param settings further settings for solc, `outputSelection` included
 * @param read the text of a file, if not the one on disk
 * @example compile(['src/Access.sol'], { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } })
 */
export function compile(
  files: readonly string[],
  settings: object,
  read: (file: string) => string = sourceOf,
  smtSolver?: Callbacks['smtSolver'],
): SolcOutput {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: read(file) }])),
    settings: {
      remappings: remappings(),
      evmVersion: 'paris',
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      ...settings,
    },
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path) => ({ contents: read(path) }), ...(smtSolver && { smtSolver }) }),
  ) as SolcOutput
  const error = output.errors?.find(({ severity }) => severity === 'error')
  if (error) throw new Error(error.formattedMessage)
  return output
}

export function sourceOf(file: string): string {
  return readFileSync(join(contractsRoot, file), 'utf8')
}

function remappings(): string[] {
  const list = /remappings = \[([^\]]+)\]/.exec(sourceOf('foundry.toml'))?.[1] ?? ''
  return [...list.matchAll(/"([^"]+)"/g)].map(([, text]) => text as string)
}
