import { monitorsAbi } from '@rackfair/contracts'
import { zeroHash } from 'viem'
import type { createCallSender } from './createCallSender.ts'
import type { MonitorOptions } from './MonitorOptions.ts'

/** Sees to it that monitors are drawn for the period after the running one. */
export function createDraws({ client, monitors }: MonitorOptions, send: ReturnType<typeof createCallSender>) {
  const contract = { address: monitors, abi: monitorsAbi } as const

  /** Without a commitment nobody is drawn two periods later: a market whose first order comes then would be without monitors. */
  const announceDraw = async (period: number): Promise<void> => {
    const args = [BigInt(period + 2)] as const
    const drawBlock = await client.readContract({ ...contract, functionName: 'drawBlockOf', args })
    if (drawBlock === 0n) await send('commit', [BigInt(period), zeroHash])
  }

  /** Whoever comes first draws the monitors of a period, while the chain still has the hash of the block that draws. */
  const draw = async (period: number): Promise<void> => {
    const args = [BigInt(period)] as const
    const [drawBlock, beacon, head] = await Promise.all([
      client.readContract({ ...contract, functionName: 'drawBlockOf', args }),
      client.readContract({ ...contract, functionName: 'beaconOf', args }),
      client.getBlockNumber({ cacheTime: 0 }),
    ])
    if (drawBlock !== 0n && beacon === zeroHash && head > drawBlock) await send('draw', [BigInt(period)])
  }

  return { announceDraw, draw }
}
