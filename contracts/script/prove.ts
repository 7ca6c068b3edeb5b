import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, contractsRoot, type SolcMessage, sourceOf } from './solc.ts'

/**
 * Proves the assertions of proofs/ for all values, not for samples: solc's SMTChecker translates each into a query for z3. The proofs call
 * the shipped contracts, read from src/. Each proof has controls: mutations of mutations.json that it must refute, with a counterexample.
 * Ends with the counts. Without z3 it reports that and skips.
 */
interface Proof {
  file: string
  contract: string
  /** Names in mutations.json. */
  controls: readonly string[]
  /** Checks in addition to the assertions; by default all arithmetic errors. */
  targets?: readonly string[]
}

interface Verdict {
  proved: number
  refuted: SolcMessage[]
  open: SolcMessage[]
}

const ACCRUAL = 'proofs/Accrual.sol'
const PROOFS: readonly Proof[] = [
  { file: ACCRUAL, contract: 'AccruedProof', controls: [] },
  { file: ACCRUAL, contract: 'DueProof', controls: ['what is due does not saturate'] },
  { file: ACCRUAL, contract: 'EdgeProof', controls: ['nothing is held back'] },
  { file: ACCRUAL, contract: 'CommissionProof', controls: ['commission is rounded per payment'] },
  {
    file: 'proofs/Pledge.sol',
    contract: 'InterestProof',
    controls: ['interest is rounded in favour of the accounts'],
    targets: ['assert'],
  },
  {
    file: 'proofs/Findings.sol',
    contract: 'QuorumProof',
    controls: ['two of five monitors are enough', 'a third contests'],
  },
  {
    file: 'proofs/Monitors.sol',
    contract: 'BondProof',
    controls: ['a further lie costs as much as the first', 'a place changes hands for the same bond'],
  },
  {
    file: 'proofs/Monitors.sol',
    contract: 'PlaceProof',
    controls: ['who left during a period monitored it', 'a term that ends with a period is overwritten'],
  },
  {
    file: ACCRUAL,
    contract: 'ReportProof',
    controls: ['paid seconds are rounded down', 'time after the end counts as downtime'],
  },
  {
    file: ACCRUAL,
    contract: 'AllowanceProof',
    controls: [
      'the downtime of another month is allowed at once',
      'time takes back what was paid once more',
      'an excuse is a total',
    ],
  },
]
/** Resource limit of z3, so that the result does not depend on how busy the machine is. */
const WORK = 20_000_000
const ARITHMETIC = ['assert', 'overflow', 'underflow', 'divByZero']
/** Functions of src/Pledge.sol that `PledgeParts` contains. The whole contract is too much for the checker. */
const BOOKING = ['_accrue', '_pending']
/** Functions of src/Findings.sol that `FindingsParts` contains. */
const QUORUMS = ['needed', 'neededToContest']
const SAFE = '2961'
/** Warnings that BMC is deprecated, that a contract has many targets, and that imports contain code the checker does not support. */
const REMARKS = ['3993', '4591', '5724']

if (spawnSync('z3', ['--version']).error) {
  console.log('skipped: there is no z3 on this machine; on Debian: apt-get install z3')
  console.log('0 passed, 0 failed, 1 skipped')
  process.exit(0)
}

const mutations = JSON.parse(readFileSync(join(contractsRoot, 'script/mutations.json'), 'utf8')) as {
  name: string
  file: string
  find: string
  replace: string
}[]
let [passed, failed] = [0, 0]
for (const proof of PROOFS) {
  const { contract, controls } = proof
  const verdict = prove(proof)
  passed += verdict.proved
  failed += verdict.refuted.length + verdict.open.length
  console.log(`${contract}: ${verdict.proved} proved, ${verdict.refuted.length} refuted, ${verdict.open.length} not decided`)
  for (const { formattedMessage } of [...verdict.refuted, ...verdict.open]) console.log(formattedMessage)
  if (verdict.proved === 0) failed += 1
  for (const name of controls) {
    const refuted = prove(proof, name).refuted.length
    if (refuted > 0) passed += 1
    else failed += 1
    console.log(`  ${refuted > 0 ? 'refuted as it must be' : 'NOT REFUTED'}: ${name}`)
  }
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`)
process.exit(failed === 0 ? 0 : 1)

/** Proves the shipped contracts or, with the name of a mutation, the mutated ones. */
function prove({ file, contract, targets = ARITHMETIC }: Proof, mutation?: string): Verdict {
  const broken = mutations.find(({ name }) => name === mutation)
  if (mutation !== undefined && !broken) throw new Error(`mutations.json has no "${mutation}"`)
  const source = (path: string) =>
    path === broken?.file ? sourceOf(path).replace(broken.find, () => broken.replace) : sourceOf(path)
  const modelChecker = {
    engine: 'bmc',
    solvers: ['smtlib2'],
    contracts: { [file]: [contract] },
    targets,
    divModNoSlacks: true,
    showProvedSafe: true,
    showUnproved: true,
  }
  const { errors = [] } = compile(
    [file],
    { modelChecker },
    (path) => {
      if (path === 'parts/Pledge.sol') return pledgeParts(source('src/Pledge.sol'))
      return path === 'parts/Findings.sol' ? findingsParts(source('src/Findings.sol')) : source(path)
    },
    (query) => ({ contents: spawnSync('z3', ['-smt2', '-in', `rlimit=${WORK}`], { input: query, encoding: 'utf8' }).stdout }),
  )
  const said = errors.filter(({ errorCode }) => !REMARKS.includes(errorCode))
  const refuted = said.filter(({ message }) => /(happens|might happen) here/.test(message))
  return {
    proved: said.filter(({ errorCode }) => errorCode === SAFE).length,
    refuted,
    open: said.filter((one) => one.errorCode !== SAFE && !refuted.includes(one)),
  }
}

/**
 * The state and booking functions of a Pledge, verbatim but for `private`, without calls to other contracts, events and what the
 * constructor fixes.
 */
function pledgeParts(source: string): string {
  const state = /\ncontract Pledge [^{]*\{\n([\s\S]*?)\n {4}constructor\(/.exec(source)?.[1]
  if (!state) throw new Error('src/Pledge.sol is written in another way')
  const lines = [state, ...functionsOf(source, BOOKING)]
    .join('\n')
    .replaceAll(/\bprivate\b/g, 'internal')
    .split('\n')
    .filter((line) => !/ immutable |^ *emit |using SafeERC20/.test(line))
  const cast = 'import { SafeCast } from "@openzeppelin/contracts/utils/math/SafeCast.sol";'
  return `// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.37;\n${cast}\nabstract contract PledgeParts {\n${lines.join('\n')}}\n`
}

/** The functions of Findings that say how many votes decide, verbatim. */
function findingsParts(source: string): string {
  const lines = functionsOf(source, QUORUMS).join('\n')
  return `// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.37;\nabstract contract FindingsParts {\n${lines}}\n`
}

function functionsOf(source: string, names: readonly string[]): string[] {
  return names.map((name) => {
    const found = new RegExp(`\\n {4}function ${name}\\([\\s\\S]*?\\n {4}\\}\\n`).exec(source)?.[0]
    if (!found) throw new Error(`${name} is written in another way`)
    return found
  })
}
