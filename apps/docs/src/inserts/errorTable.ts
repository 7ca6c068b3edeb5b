import { accessAbi, contractErrorNames, creditAbi, marketAbi, pledgeAbi, registryAbi } from '@rackfair/contracts'
import { AGENT_CODES, PLATFORM_CODES, WALLET_CODES, WORKSPACE_CODES } from '@rackfair/core'
import type { ErrorCode } from '@rackfair/sdk'
import type { Abi } from 'viem'
import { en } from '../../../web/src/lib/errors/errorTexts.en.ts'
import { zh } from '../../../web/src/lib/errors/errorTexts.zh.ts'
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
    codes.map((code) => [
      `\`${code}\``,
      ...(onChain ? [factsOf(code), thrownBy(code).join(', ')] : []),
      sentenceOf(language, code),
    ]),
  )
}

function thrownBy(code: string): string[] {
  return Object.entries(CONTRACTS)
    .filter(([, abi]) => abi.some((item) => item.type === 'error' && item.name === code))
    .map(([name]) => name)
}

function factsOf(code: string): string {
  for (const abi of Object.values(CONTRACTS)) {
    for (const item of abi) {
      if (item.type === 'error' && item.name === code)
        return item.inputs.map((input) => `\`${input.name || input.type}\``).join(', ')
    }
  }
  return ''
}

function sentenceOf(language: Language, code: ErrorCode): string {
  const sentence = SENTENCES[language][code]
  const name = (fact: string) => `{${fact}}`
  return typeof sentence === 'string' ? sentence : sentence({ text: name, number: name, usd: name, time: name })
}
