import { type Address, isAddressEqual, type PublicClient, zeroAddress, zeroHash } from 'viem'
import { ownerOf } from './contractsOf.ts'
import { type DeployConfig, PARAMS } from './deployConfig.ts'
import type { Deployment } from './deployments.ts'
import {
  accessAbi,
  creditAbi,
  findingsAbi,
  gateAbi,
  marketAbi,
  monitorsAbi,
  pledgeAbi,
  purseFactoryAbi,
  registryAbi,
} from './generated.ts'
import { CANCELLER, PROPOSER, TIMELOCK_SECONDS, timelockAbi } from './timelock.ts'

/** Reads a deployment back from the chain, and throws a sentence that names the first difference from its config. */
export async function verifyDeployment(
  client: PublicClient,
  deployment: Deployment,
  config: DeployConfig,
  deployer: Address,
): Promise<void> {
  const access = { address: deployment.access, abi: accessAbi } as const
  const registry = { address: deployment.registry, abi: registryAbi } as const
  const pledge = { address: deployment.pledge, abi: pledgeAbi } as const
  const market = { address: deployment.market, abi: marketAbi } as const
  const gate = { address: deployment.gate, abi: gateAbi } as const
  const credit = { address: deployment.credit, abi: creditAbi } as const
  const monitors = { address: deployment.monitors, abi: monitorsAbi } as const
  const findings = { address: deployment.findings, abi: findingsAbi } as const
  const { purseFactory } = deployment

  const [ver, set] = await client.readContract({ ...access, functionName: 'current' })
  expectSame('Access.CurrentVer', ver, 1)
  for (const name of ['registry', 'pledge', 'market', 'credit'] as const)
    expectSame(`Access ${name}`, set[name], deployment[name])

  for (const name of ['access', 'pledge'] as const)
    expectSame(`Registry.${name}`, await client.readContract({ ...registry, functionName: name }), deployment[name])
  for (const name of ['access', 'registry', 'credit'] as const)
    expectSame(`Pledge.${name}`, await client.readContract({ ...pledge, functionName: name }), deployment[name])
  for (const name of ['access', 'registry', 'pledge', 'credit'] as const)
    expectSame(`Market.${name}`, await client.readContract({ ...market, functionName: name }), deployment[name])
  for (const name of ['office', 'lens'] as const)
    expectSame(`Market.${name}`, await client.readContract({ ...market, functionName: name }), String(deployment[name]))
  const inService = await client.readContract({ ...registry, functionName: 'isMarket', args: [deployment.market] })
  expectSame('Registry.isMarket of the Market', inService, true)
  expectSame('Pledge.getRate', await client.readContract({ ...pledge, functionName: 'getRate' }), BigInt(config.interestRate))
  expectSame(
    'Market.firstOrderId',
    await client.readContract({ ...market, functionName: 'firstOrderId' }),
    BigInt(config.firstOrderId),
  )

  const params = await client.readContract({ ...market, functionName: 'params' })
  for (const name of PARAMS) expectSame(`Market ${name}`, params[name], config[name])
  expectSame('Market rewardDayCap', params.rewardDayCap, BigInt(config.rewardDayCap))

  for (const role of ['guardian', 'treasury'] as const)
    expectSame(`Access.${role}`, await client.readContract({ ...access, functionName: role }), config[role])
  expectSame('Access.validator', await client.readContract({ ...access, functionName: 'validator' }), deployment.findings)
  expectSame('Monitors.token', await client.readContract({ ...monitors, functionName: 'token' }), deployment.credit)
  for (const name of ['epochSeconds', 'epochsPerPeriod'] as const)
    expectSame(`Monitors.${name}`, await client.readContract({ ...monitors, functionName: name }), config[name])
  expectSame('Findings.monitors', await client.readContract({ ...findings, functionName: 'monitors' }), deployment.monitors)
  expectSame('Findings.rewarder', await client.readContract({ ...findings, functionName: 'rewarder' }), config.rewarder)
  expectSame('Findings.predecessor', await client.readContract({ ...findings, functionName: 'predecessor' }), zeroAddress)
  const owner = ownerOf(config, deployment)
  const offered = deployment.timelock === undefined && !isAddressEqual(owner, deployer)
  expectSame('owner of Access', await client.readContract({ ...access, functionName: offered ? 'pendingOwner' : 'owner' }), owner)
  expectSame('Pledge.owner', await client.readContract({ ...pledge, functionName: 'owner' }), owner)
  if (deployment.timelock !== undefined) await verifyTimelock(client, deployment.timelock, config.owner, deployer)
  expectSame('Credit.gate', await client.readContract({ ...credit, functionName: 'gate' }), deployment.gate)
  for (const name of ['credit', 'usdt'] as const)
    expectSame(`Gate.${name}`, await client.readContract({ ...gate, functionName: name }), deployment[name])
  for (const name of ['access', 'credit'] as const) {
    if (purseFactory === undefined) break
    const found = await client.readContract({ address: purseFactory, abi: purseFactoryAbi, functionName: name })
    expectSame(`PurseFactory.${name}`, found, deployment[name])
  }
  expectSame('Credit.owner', await client.readContract({ ...credit, functionName: 'owner' }), owner)
}

/** Nobody but `owner` proposes, nobody but the timelock itself says who does, and everything waits. */
async function verifyTimelock(client: PublicClient, address: Address, owner: Address, deployer: Address): Promise<void> {
  const timelock = { address, abi: timelockAbi } as const
  const delay = await client.readContract({ ...timelock, functionName: 'getMinDelay' })
  expectSame('notice of the timelock', delay, TIMELOCK_SECONDS)
  for (const [name, role] of Object.entries({ proposer: PROPOSER, canceller: CANCELLER, administrator: zeroHash })) {
    const holds = (account: Address) => client.readContract({ ...timelock, functionName: 'hasRole', args: [role, account] })
    const own = role === zeroHash ? address : owner
    expectSame(`${name} of the timelock is ${own}`, await holds(own), true)
    if (!isAddressEqual(own, deployer)) expectSame(`${name} of the timelock is the deployer`, await holds(deployer), false)
  }
}

function expectSame(what: string, found: string | number | bigint | boolean, expected: string | number | bigint | boolean): void {
  if (String(found).toLowerCase() !== String(expected).toLowerCase())
    throw new Error(`deployment: ${what} is ${found}, expected ${expected}`)
}
