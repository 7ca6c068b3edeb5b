import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { accessAbi, creditAbi, marketAbi, pledgeAbi, registryAbi } from '../ts/index.ts'

const root = fileURLToPath(new URL('../test/', import.meta.url))
const abis = { access: accessAbi, credit: creditAbi, market: marketAbi, pledge: pledgeAbi, registry: registryAbi }
/** Of OpenZeppelin and Solady, tested there. */
const INHERITED = ['acceptOwnership', 'transferOwnership', 'approve', 'transfer', 'transferFrom']

describe.each(Object.entries(abis))('%s', (contract, abi) => {
  const functions = readdirSync(join(root, contract))

  it('has a tree for every function that changes state', () => {
    const changing = abi
      .filter((item) => item.type === 'function' && item.stateMutability === 'nonpayable')
      .map((item) => item.name)
    expect(changing.filter((name) => !functions.includes(name) && !INHERITED.includes(name))).toEqual([])
  })

  it.each(functions)('%s: every branch of the tree is a test and every test a branch', (name) => {
    const folder = join(root, contract, name)
    expect(existsSync(join(folder, `${name}.t.sol`))).toBe(true)
    expect(testNames(join(folder, `${name}.t.sol`))).toEqual(branches(join(folder, `${name}.tree`)))
  })
})

function testNames(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/function test(?:Fuzz)?_(\w+)\(/g)].map((match) => match[1] as string)
}

function branches(file: string): string[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1)
  const text = (line: string | undefined) => camel((line ?? '').replace(/^[│ ]*[├└]── /, ''))
  return lines.flatMap((line, index) => (/^[├└]/.test(line) ? [`${text(line)}_${text(lines[index + 1])}`] : []))
}

function camel(sentence: string): string {
  const words = sentence.replaceAll("'", '').match(/\w+/g) ?? []
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
