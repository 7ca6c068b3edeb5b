import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { addNodeCall, contractCall, pledgeCall, registerCall } from '@rackfair/sdk'
import { makeEncryptionKeys } from '@rackfair/sealed'
import { startChain } from '@rackfair/testkit'
import { openChain } from '../chain/read/chainView.ts'
import { openAgentDb } from '../db/openAgentDb.ts'
import { createTokenBuckets } from '../foundation/buckets.ts'
import { type VerifyContext, verifyDeploy } from '../orders/verify/verifyDeploy.ts'
import { loadCatalog } from '../presets/loadCatalog.ts'
import { OWN_IMAGES } from '../runtime/ownImageRules.ts'
import { createTestBuyer } from './testBuyer.ts'

/** A node as a provider lists it. */
export const nodeToList = {
  ...{ cpuModel: 'x', gpuModel: '', nCPU: 1, core: 1, nGPU: 0, nMEM: 2, nDISK: 20 },
  ...{ pCPU: ONE_CREDIT_WEI, pGPU: 0n, pMEM: 0n, pDISK: 0n },
}

/** Everything an agent needs to verify a deploy request, on a real chain with two providers, the second with one node. */
export async function setupVerify(nodes = 3) {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-verify-'))
  const chain = await startChain()
  const buyer = await createTestBuyer(chain)
  const { addresses } = buyer
  const { accounts } = chain
  const provider = lowerCaseAddress(accounts.provider.address)

  const offer = async (name: string, account: typeof accounts.provider, count: number) => {
    await buyer.fund(account.address, 100n * ONE_CREDIT_WEI)
    const said = { name, ip: '127.0.0.1', domain: '', port: 7070 }
    await buyer.send(account, registerCall(addresses, said))
    await buyer.send(account, contractCall(addresses, 'credit', 'approve', [addresses.pledge, ONE_CREDIT_WEI]))
    await buyer.send(account, pledgeCall(addresses, ONE_CREDIT_WEI))
    for (let index = 0; index < count; index += 1) await buyer.send(account, addNodeCall(addresses, nodeToList))
  }
  await offer('first', accounts.provider, nodes)
  await offer('second', accounts.otherProvider, 1)
  for (const one of [accounts.user, accounts.otherUser]) await buyer.fund(one.address, 10_000n * ONE_CREDIT_WEI)

  const keys = await makeEncryptionKeys()
  buyer.sealTo(keys.publicKeys)
  const context: VerifyContext = {
    chain: await openChain({ rpcUrl: chain.rpcUrl, chainId: chain.chainId, access: chain.deployment.access, provider }),
    provider,
    state: openAgentDb(join(folder, 'state.sqlite')),
    presets: loadCatalog(),
    ownOrigins: true,
    ownImages: OWN_IMAGES,
    appPorts: true,
    whyNoGvisor: undefined,
    whyNoServices: undefined,
    sharesPorts: false,
    keys,
    perOrder: createTokenBuckets({ burst: 1000, refillMs: 1 }),
    overall: createTokenBuckets({ burst: 1000, refillMs: 1 }),
    now: () => Math.floor(Date.now() / 1000),
  }
  return {
    chain,
    buyer,
    provider,
    folder,
    context,
    /** `accepted`, or the code of the refusal. */
    code: (request: unknown, over: Partial<VerifyContext> = {}) =>
      verifyDeploy(request, { ...context, ...over }).then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      ),
    async close() {
      context.state.close()
      await chain.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
