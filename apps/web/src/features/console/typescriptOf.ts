import type { ConsoleFunction } from './consoleFunctions.ts'

export interface SnippetFacts {
  rpcUrl: string
  access: string
  /** As `parseArgs` gives them. */
  args: readonly unknown[]
}

/** The call as a program for `@rackfair/sdk`, ready to run. */
export function typescriptOf(entry: ConsoleFunction, { rpcUrl, access, args }: SnippetFacts): string {
  const call = `'${entry.contract}', '${entry.name}', [${args.map((value) => literal(value, 0)).join(', ')}]`
  const head = [
    `const client = createPublicClient({ transport: http('${rpcUrl}') })`,
    `const addresses = await readAddresses(client, '${access}')`,
  ]
  if (entry.kind === 'read')
    return [
      "import { readAddresses, readMarket } from '@rackfair/sdk'",
      "import { createPublicClient, http } from 'viem'",
      '',
      ...head,
      `const result = await readMarket(client, addresses, ${call})`,
      'console.log(result)',
      '',
    ].join('\n')
  return [
    "import { contractCall, readAddresses, sendCall, waitForReceipt } from '@rackfair/sdk'",
    "import { createPublicClient, createWalletClient, http } from 'viem'",
    "import { privateKeyToAccount } from 'viem/accounts'",
    '',
    ...head,
    `const wallet = createWalletClient({ account: privateKeyToAccount(process.env.PRIVATE_KEY as \`0x\${string}\`), transport: http('${rpcUrl}') })`,
    `const hash = await sendCall(client, wallet, contractCall(addresses, ${call}))`,
    'const receipt = await waitForReceipt(client, hash)',
    'console.log(receipt.status, receipt.gasUsed)',
    '',
  ].join('\n')
}

function literal(value: unknown, depth: number): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
  if (Array.isArray(value)) return `[${value.map((entry) => literal(entry, depth)).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const space = '  '.repeat(depth + 1)
    const lines = Object.entries(value).map(([name, entry]) => `${space}${name}: ${literal(entry, depth + 1)},`)
    return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
  }
  return String(value)
}
