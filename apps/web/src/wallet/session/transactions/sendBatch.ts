import type { Address } from 'viem'
import type { Config } from 'wagmi'
import { getConnection } from 'wagmi/actions'
import { isUnable } from '../connection/abilities.ts'
import { readCanBatch } from '../connection/walletAnswers.ts'

const ASK_MS = 2000

interface Provider {
  request: (call: { method: string; params: unknown[] }) => Promise<unknown>
}

export const providerOf = async (wagmi: Config): Promise<Provider | undefined> =>
  (await getConnection(wagmi).connector?.getProvider()) as Provider | undefined

/** True when the wallet says that it carries out several calls as one (EIP-5792, `atomic`). One that does not answer, or has failed to before, cannot. */
export async function canBatch(wagmi: Config, account: Address): Promise<boolean> {
  const { id } = wagmi.chains[0]
  if (isUnable(getConnection(wagmi).connector?.id ?? '', account, 'batch')) return false
  const ask = async () => {
    const provider = await providerOf(wagmi)
    const params = [account, [`0x${id.toString(16)}`]]
    return provider !== undefined && readCanBatch(await provider.request({ method: 'wallet_getCapabilities', params }), id)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ASK_MS)
  })
  return Promise.race([ask().catch(() => false), silence]).finally(() => clearTimeout(timer))
}
