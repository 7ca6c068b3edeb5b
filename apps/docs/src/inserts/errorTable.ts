import {
  accessAbi,
  contractErrorNames,
  creditAbi,
  findingsAbi,
  marketAbi,
  monitorsAbi,
  pledgeAbi,
  registryAbi,
} from '@rackfair/contracts'
import { AGENT_CODES, PLATFORM_CODES, WALLET_CODES, WORKSPACE_CODES } from '@rackfair/rules/errors/errorCodes'
import type { ErrorCode } from '@rackfair/sdk'
import type { Abi } from 'viem'
import { en } from '../../../web/src/platform/errors/errorTexts.en.ts'
import { zh } from '../../../web/src/platform/errors/errorTexts.zh.ts'
import type { Language } from '../site.ts'
import { table } from './table.ts'

const CODES: Readonly<Record<string, readonly ErrorCode[]>> = {
  contracts: contractErrorNames,
  platform: PLATFORM_CODES,
  agent: AGENT_CODES,
  workspace: WORKSPACE_CODES,
  wallet: WALLET_CODES,
}
const CONTRACTS: Readonly<Record<string, Abi>> = {
  Access: accessAbi,
  Registry: registryAbi,
  Pledge: pledgeAbi,
  Market: marketAbi,
  Credit: creditAbi,
  Monitors: monitorsAbi,
  Findings: findingsAbi,
}
const HEADER = {
  en: { code: 'Code', facts: 'Facts', from: 'Thrown by', text: 'What a person is told' },
  zh: { code: '代码', facts: '附带信息', from: '来源', text: '给用户的说明' },
}
const SENTENCES = { en: en.sentences, zh: zh.sentences }

/** Every code of one origin with its sentence, as the screens say it; facts stand as their names in braces. */
export function errorTable(language: Language, origin: string): string {
  const codes = CODES[origin]
  if (!codes) throw new Error(`there are no errors of ${origin}`)
  const words = HEADER[language]
  const onChain = origin === 'contracts'
  const header = onChain ? [words.code, words.facts, words.from, words.text] : [words.code, words.text]
  return table(
    header,
    codes.flatMap((code) => (onChain ? rowsOf(language, code) : [[`\`${code}\``, sentenceOf(language, code)]])),
  )
}

/** One row for all contracts that say it with the same facts. */
function rowsOf(language: Language, code: ErrorCode): string[][] {
  const rows = new Map<string, { facts: string[]; from: string[] }>()
  for (const [name, abi] of Object.entries(CONTRACTS)) {
    for (const item of abi) {
      if (item.type !== 'error' || item.name !== code) continue
      const facts = item.inputs.map((input) => input.name || input.type)
      const row = rows.get(facts.join()) ?? { facts, from: [] }
      row.from.push(name)
      rows.set(facts.join(), row)
    }
  }
  const known = rows.size === 0 ? [{ facts: [], from: [] }] : [...rows.values()]
  return known.map(({ facts, from }) => [
    `\`${code}\``,
    facts.map((fact) => `\`${fact}\``).join(', '),
    from.join(', '),
    sentenceOf(language, code, facts),
  ])
}

function sentenceOf(language: Language, code: ErrorCode, facts: readonly string[] = []): string {
  const sentence = SENTENCES[language][code]
  const name = (fact: string) => `{${fact}}`
  if (typeof sentence === 'string') return sentence
  return sentence({ has: (fact) => facts.includes(fact), text: name, number: name, usd: name, time: name })
}
