import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  accessAbi,
  contractErrorNames,
  creditAbi,
  findingsAbi,
  gateAbi,
  marketAbi,
  monitorsAbi,
  pledgeAbi,
  purseAbi,
  purseFactoryAbi,
  registryAbi,
} from '../ts/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const abis = {
  access: accessAbi,
  credit: creditAbi,
  findings: findingsAbi,
  gate: gateAbi,
  market: marketAbi,
  monitors: monitorsAbi,
  pledge: pledgeAbi,
  purse: purseAbi,
  purseFactory: purseFactoryAbi,
  registry: registryAbi,
}
/** Of OpenZeppelin and Solady, tested there. */
const INHERITED = [
  ...['owner', 'pendingOwner', 'acceptOwnership', 'transferOwnership', 'eip712Domain'],
  ...[
    'approve',
    'transfer',
    'transferFrom',
    'balanceOf',
    'totalSupply',
    'decimals',
    'name',
    'symbol',
    'nonces',
    'DOMAIN_SEPARATOR',
  ],
]
/** Each returns one stored value and has no branch; the tests of the functions that write it read it here. */
const GETTERS = {
  access: ['CurrentVer', 'guardian', 'validator', 'treasury', 'pausedUntil', 'isMarket'],
  credit: ['gate'],
  findings: [
    ...['monitors', 'rewarder', 'predecessor', 'findingOf', 'downtimeOf', 'maintenanceOf', 'epochSeconds', 'epochsPerPeriod'],
  ],
  gate: ['credit', 'usdt', 'scale', 'reserves'],
  market: [
    'access',
    'registry',
    'pledge',
    'credit',
    'firstOrderId',
    'lastId',
    'escrow',
    'earned',
    'commission',
    'rewards',
    'params',
    'maintenanceOf',
  ],
  monitors: [
    ...[
      'token',
      'MAX_SAMPLES',
      'beaconOf',
      'drawBlockOf',
      'commitmentOf',
      'rootOf',
      'votingRootOf',
      'isSlashed',
      'contradictedIn',
      'monitors',
      'monitorOf',
      'keyOf',
      'isKeyOf',
      'earned',
      'isPaid',
      'access',
    ],
    ...['MIN_BOND', 'MAX_MONITORS', 'ASSIGNED', 'LEAVE_DELAY', 'epochSeconds', 'epochsPerPeriod', 'urlOf'],
  ],
  pledge: [
    ...['access', 'registry', 'credit', 'getRate', 'pledgeOf', 'freeOf', 'totalPledged', 'totalLocked', 'pool', 'owed'],
    ...['reclaimable', 'lockedBy'],
  ],
  purse: ['owner', 'grants', 'grantOf', 'grantAt', 'mayUse', 'boughtOnce', 'paymentOf', 'standingOf'],
  purseFactory: ['implementation', 'access', 'credit'],
  registry: ['access', 'pledge', 'isMarket', 'serviceOf', 'operatorOf', 'nodesOf', 'gInfo'],
}
/** Called by a Market or by Access only: their gas is part of the functions that call them. */
const BETWEEN_CONTRACTS = ['set_sold', 'setDeployed', 'setMarket', 'lock', 'unlock', 'drain', 'markDeployed', 'takeOver']

describe.each(Object.entries(abis))('%s', (contract, abi) => {
  const trees = readdirSync(join(root, 'test', contract)).filter((name) => !name.endsWith('.sol'))
  const functions = abi.filter((item) => item.type === 'function')
  const ofInterface = source(contract)

  it('has a tree for every function', () => {
    const others = [...INHERITED, ...GETTERS[contract as keyof typeof GETTERS]]
    expect(functions.map(({ name }) => name).filter((name) => !trees.includes(name) && !others.includes(name))).toEqual([])
  })

  it('measures the gas of every function that users call', () => {
    const measured = Object.keys(JSON.parse(readFileSync(join(root, 'snapshots', `${capital(contract)}.json`), 'utf8')))
    const names = measured.map((key) => key.split(/[ ,]/)[0])
    const sent = functions.filter((item) => item.stateMutability === 'nonpayable')
    expect(sent.map(({ name }) => name).filter((name) => !names.includes(name) && !BETWEEN_CONTRACTS.includes(name))).toEqual([])
  })

  it.each(trees)('%s: has a test for every branch of the tree, and a branch for every test', (name) => {
    const folder = join(root, 'test', contract, name)
    expect(existsSync(join(folder, `${name}.t.sol`))).toBe(true)
    expect(testNames(contract, name)).toEqual(branches(join(folder, `${name}.tree`)))
  })

  const written = trees.filter((name) => docOf(ofInterface, name) !== undefined)
  it.each(written)('%s: declares every error that a test expects in the interface', (name) => {
    const doc = docOf(ofInterface, name) as string
    expect(errorsExpected(contract, name).filter((error) => !doc.includes(error))).toEqual([])
  })
})

it('costs what it should', () => {
  const gasOf = (contract: string, call: string): number =>
    Number(JSON.parse(readFileSync(join(root, 'snapshots', `${contract}.json`), 'utf8'))[call])
  const goals = {
    ...{ 'createOrder, later': 185_000, userCancel: 90_000, extend: 70_000, activate: 38_000 },
    ...{ 'activateWithApp, app named at the purchase': 60_000, 'proSettle, repeat': 50_000 },
  }
  const missed = Object.entries(goals).filter(([call, goal]) => !(gasOf('Market', call) <= goal))
  expect(missed).toEqual([])
  // What a purse adds does not depend on what the Market does.
  expect(gasOf('Purse', 'buy, later') - gasOf('Market', 'createOrder, later')).toBeLessThanOrEqual(63_000)
})

describe('behind the address of a Market', () => {
  it('is one function for each selector', () => {
    const selectors = marketAbi.flatMap((item) => (item.type === 'function' ? [toFunctionSelector(item)] : []))
    expect(new Set(selectors).size).toBe(selectors.length)
    const names = ['IMarketState', 'IMarket', 'IMarketOffice', 'IMarketLens'].flatMap((file) => {
      const text = readFileSync(join(root, 'src', 'interfaces', `${file}.sol`), 'utf8')
      return [...text.matchAll(/^ {4}function (\w+)\(/gm)].map(([, name]) => name)
    })
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('has each part every variable in the same slot', () => {
    const layouts = readFileSync(join(root, 'snapshots', 'layout.txt'), 'utf8').split(/^(?=\w)/m)
    const [market, ...parts] = ['Market', 'MarketOffice', 'MarketLens'].map((name) =>
      layouts
        .find((layout) => layout.startsWith(`${name}\n`))
        ?.replace(`${name}\n`, '')
        .replaceAll(/^ struct \w+\./gm, ' '),
    )
    expect(parts).toEqual([market, market])
  })
})

it('has every test that SECURITY.md names', () => {
  const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  const tests = readdirSync(join(root, 'test'), { recursive: true }).map((file) => join(root, 'test', String(file)))
  const find = (path: string) => {
    const own = path.replace(/^test\//, '')
    const [, name] = /(\w+)\.tree$/.exec(own) ?? []
    const inFolder = name === undefined ? own : own.replace(`${name}.tree`, `${name}/${name}.tree`)
    const beside = [join(root, path), join(root, '..', path)].find((one) => existsSync(one))
    return beside ?? tests.find((one) => one.endsWith(`/${own}`) || one.endsWith(`/${inFolder}`))
  }
  let file = ''
  const missing = [...text.matchAll(/`([\w/.-]*\.(?:tree|t\.sol|test\.ts))?(?:#(\w+))?(?:\.\.\.)?`/g)].flatMap(
    ([, path, name]) => {
      if (path !== undefined) {
        const found = find(path)
        if (found === undefined) return [path]
        file = found
      }
      return name === undefined || readFileSync(file, 'utf8').includes(name) ? [] : [`${file}#${name}`]
    },
  )
  expect(missing).toEqual([])
})

function source(contract: string): string[] {
  const files = contract === 'market' ? ['IMarket', 'IMarketOffice', 'IMarketLens', 'IMarketState'] : [`I${capital(contract)}`]
  return files.flatMap((file) => readFileSync(join(root, 'src', 'interfaces', `${file}.sol`), 'utf8').split('\n'))
}

/** The comment of a function, with those that it refers to ("Reverts as createOrder"). */
function docOf(lines: string[], name: string): string | undefined {
  const at = lines.findIndex((line) => line.startsWith(`    function ${name}(`))
  if (at < 0) return undefined
  const before = lines.slice(0, at)
  const doc = before.slice(before.findLastIndex((line) => !line.includes('///')) + 1).join('\n')
  const referred = /everts as (\w+)/.exec(doc)?.[1]
  return referred === undefined ? doc : doc + (docOf(lines, referred) ?? '')
}

/** From the names of the tests: `...ItRevertsWithStaleNodeAndReservesNothing` expects StaleNode. */
function errorsExpected(contract: string, name: string): string[] {
  const known = [...contractErrorNames].sort((a, b) => b.length - a.length)
  return testNames(contract, name).flatMap((test) => {
    const tail = /ItRevertsWith(\w+)/.exec(test)?.[1]
    if (tail === undefined) return []
    return tail === 'TheErrorOfCredit' ? ["Credit's errors"] : [known.find((error) => tail.startsWith(error)) ?? tail]
  })
}

function testNames(contract: string, name: string): string[] {
  const text = readFileSync(join(root, 'test', contract, name, `${name}.t.sol`), 'utf8')
  return [...text.matchAll(/function test(?:Fuzz)?_(\w+)\(/g)].map((match) => match[1] as string)
}

function branches(file: string): string[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1)
  const text = (line: string | undefined) => camel((line ?? '').replace(/^[│ ]*[├└]── /, ''))
  return lines.flatMap((line, index) => (/^[├└]/.test(line) ? [`${text(line)}_${text(lines[index + 1])}`] : []))
}

function camel(sentence: string): string {
  return (sentence.replaceAll("'", '').match(/\w+/g) ?? []).map(capital).join('')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
