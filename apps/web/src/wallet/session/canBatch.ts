import { getConnection } from 'wagmi/actions'
import { getRuntime } from './connection/getRuntime.ts'
import { canBatch as canAccountBatch } from './transactions/sendBatch.ts'

/** Whether the connected wallet sends several calls as one. */
export async function canBatch(): Promise<boolean> {
  const { wagmi } = await getRuntime()
  const { address } = getConnection(wagmi)
  return address !== undefined && canAccountBatch(wagmi, address)
}
