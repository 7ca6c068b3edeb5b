import { envText, formatDeployText } from '@rackfair/protocol/deployText'
import { keccak256, stringToHex } from 'viem'
import type { Language } from '../site.ts'

const REQUEST = {
  orderId: 12n,
  deployId: 2,
  time: 1_795_219_200,
  wallet: `0x${'aa'.repeat(20)}`,
  provider: `0x${'bb'.repeat(20)}`,
  chainId: 2985,
}

/** A deploy text as the code writes it, bare, with the hash of environment values (`env`) or with a name (`once`). */
export function deployTextVector(_language: Language, kind: string): string {
  if (kind === 'once') return fence(formatDeployText({ ...REQUEST, onceHash: keccak256(stringToHex('release 812')) }))
  if (kind !== 'env') return fence(formatDeployText(REQUEST))
  const values = envText({ salt: 'c5'.repeat(32), env: { PAGE_TITLE: 'Hello', PAGE_TEXT: 'A page' } })
  return `${fence(values)}\n\n${fence(formatDeployText({ ...REQUEST, envHash: keccak256(stringToHex(values)) }))}`
}

const fence = (text: string) => `\`\`\`\n${text}\n\`\`\``
