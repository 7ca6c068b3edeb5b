import published from '@openzeppelin/contracts/build/contracts/TimelockController.json' with { type: 'json' }
import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, stringToHex, zeroHash } from 'viem'
import { accessAbi } from './generated.ts'

/** OpenZeppelin's TimelockController, as it is published. */
export const timelockBytecode = published.bytecode as Hex

export const timelockAbi = parseAbi([
  'constructor(uint256 minDelay, address[] proposers, address[] executors, address admin)',
  'function getMinDelay() view returns (uint256)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function updateDelay(uint256 newDelay)',
  'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function execute(address target, uint256 value, bytes payload, bytes32 predecessor, bytes32 salt) payable',
  'function scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt) payable',
  'error TimelockInsufficientDelay(uint256 delay, uint256 minDelay)',
  'error TimelockUnauthorizedCaller(address caller)',
  'error TimelockUnexpectedOperationState(bytes32 operationId, bytes32 expectedStates)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
])

/** How long every change of the owner waits, in seconds: as long as a new version of the market. */
export const TIMELOCK_SECONDS = 604_800

export const PROPOSER = keccak256(stringToHex('PROPOSER_ROLE'))
export const CANCELLER = keccak256(stringToHex('CANCELLER_ROLE'))

/**
 * The arguments of the timelock's last batch without a notice: it takes Access, makes `owner` the only one who proposes and cancels, and
 * makes everything after it wait.
 */
export function handOver(
  access: Address,
  timelock: Address,
  owner: Address,
  deployer: Address,
): readonly [Address[], bigint[], Hex[], Hex, Hex] {
  const own = (functionName: 'grantRole' | 'revokeRole', role: Hex, account: Address) =>
    encodeFunctionData({ abi: timelockAbi, functionName, args: [role, account] })
  const roles = [PROPOSER, CANCELLER]
  const calls = [
    { target: access, data: encodeFunctionData({ abi: accessAbi, functionName: 'acceptOwnership' }) },
    // In this order: the owner may be the deployer.
    ...roles.map((role) => ({ target: timelock, data: own('revokeRole', role, deployer) })),
    ...roles.map((role) => ({ target: timelock, data: own('grantRole', role, owner) })),
    {
      target: timelock,
      data: encodeFunctionData({ abi: timelockAbi, functionName: 'updateDelay', args: [BigInt(TIMELOCK_SECONDS)] }),
    },
  ]
  return [calls.map(({ target }) => target), calls.map(() => 0n), calls.map(({ data }) => data), zeroHash, zeroHash]
}
