import { findingsAbi, registryAbi } from '@rackfair/contracts'
import type { ImagePromise } from '@rackfair/protocol/deployments'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { createCalendar } from '@rackfair/rules/uptime/epoch'
import { type Address, type Hex, recoverTypedDataAddress } from 'viem'
import { getBlock } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import type { MarketAddresses } from '../chain/readAddresses.ts'
import { readAt } from '../chain/readAt.ts'
import { getOrder } from '../chain/views.ts'
import { attestationData, promiseData } from './evidence.ts'
import { findWrongImages, type KeptAttestation, type WrongImage } from './findWrongImages.ts'
import { fetchAttestations } from './publishedAttestations.ts'
import { readMonitors } from './readMonitors.ts'
import { type MonitorUrl, readMonitorUrls } from './readMonitorUrls.ts'

/** Past periods for which a proof is still accepted. */
const OPEN_PERIODS = 5

/** What monitors recorded of the running image, compared with the promised one. */
export interface ImageCheck {
  /** Epochs in which the promised image was attested to at least one monitor. */
  asPromised: number
  /** Epochs in which another one was. */
  otherwise: number
  /** The calls that prove what has not been proved yet, one per period. */
  proofs: ReturnType<typeof proofCall>[]
}

/**
 * Compares the image that a provider promised for a deployment with what its operator attested to monitors in the last five periods of
 * eight hours. Only what the operator signed counts, whoever publishes it; monitors that do not answer are skipped.
 *
 * @param promise As in the deployment's details.
 * @example const { otherwise, proofs } = await checkImage(market, 7n, deployment.details.promise)
 * @throws AppError `not_found` if the market has no monitors, `signature_invalid` if the provider did not sign the promise; also if the
 *   chain cannot be read.
 */
export async function checkImage(
  { client, addresses, chainId }: { client: ChainReader; addresses: MarketAddresses; chainId: number },
  orderId: bigint,
  promise: ImagePromise,
): Promise<ImageCheck> {
  const contract = await readMonitors(client, addresses.access)
  if (!contract) throw new AppError('not_found', 'this market has no monitors')
  const { address: monitors, findings } = contract
  const calendar = createCalendar(contract.pace)
  const { registry } = addresses
  const market = lowerCaseAddress(addresses.market)
  const { provider, nodeId } = await getOrder(client, addresses, orderId)
  const { timestamp } = await getBlock(client)
  const present = calendar.periodAt(Number(timestamp))
  /** Whether each signer bound the provider when the oldest period began: a replaced operator answers for what it signed before. */
  const binds = new Map<Address, Promise<boolean>>()
  const isOperators = async (signed: Parameters<typeof recoverTypedDataAddress>[0]): Promise<boolean> => {
    const signer = await recoverTypedDataAddress(signed).catch(() => undefined)
    if (signer === undefined) return false
    const args = [provider, signer, BigInt(calendar.endOf(present - OPEN_PERIODS - 1))] as const
    const known = binds.get(signer) ?? readAt(client, { address: registry, abi: registryAbi, functionName: 'signsFor', args })
    binds.set(signer, known)
    return await known
  }
  const { signature, ...promised } = promise as { deployment: Hex; spec: Hex; image: Hex; signature: Hex }
  if (!(await isOperators({ ...promiseData(chainId, monitors, { ...promised, market, orderId }), signature })))
    throw new AppError('signature_invalid', 'the provider did not sign this promise')

  const signedBy = async (where: MonitorUrl, period: number): Promise<KeptAttestation[]> => {
    const said = await fetchAttestations(where, chainId, period, market, orderId).catch(() => [])
    const signed: KeptAttestation[] = []
    for (const one of said) {
      const data = attestationData(chainId, monitors, { ...one, provider, nodeId, healthy: true })
      if (one.deployment === promised.deployment && (await isOperators({ ...data, signature: one.signature })))
        signed.push({ ...one, promise: { ...promised, signature } })
    }
    return signed
  }
  const urls = await readMonitorUrls(client, monitors, chainId)
  const epochs = { asPromised: new Set<number>(), otherwise: new Set<number>() }
  const proofs: ImageCheck['proofs'] = []
  for (let period = present - 1; period >= present - OPEN_PERIODS; period -= 1) {
    const signed = (await Promise.all(urls.map((where) => signedBy(where, period)))).flat()
    for (const { epoch, image } of signed) epochs[image === promised.image ? 'asPromised' : 'otherwise'].add(epoch)
    // One attestation of the operator per epoch is enough.
    const once = new Map(signed.filter(({ image }) => image !== promised.image).map((one) => [one.epoch, one]))
    for (const wrong of findWrongImages(period, calendar, [...once.values()])) {
      const args = [market, orderId, BigInt(period)] as const
      const { proven } = await readAt(client, { address: findings, abi: findingsAbi, functionName: 'findingOf', args })
      if ((wrong.epochs & ~proven) !== 0n) proofs.push(proofCall(findings, wrong))
    }
  }
  return { asPromised: epochs.asPromised.size, otherwise: epochs.otherwise.size, proofs }
}

const proofCall = (findings: Address, { args }: WrongImage) =>
  ({ address: findings, abi: findingsAbi, functionName: 'proveWrongImage', args }) as const
