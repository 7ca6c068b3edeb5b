import type { LowerCaseAddress } from '@rackfair/rules/address'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDeployRequest } from '../../../entities/deployment/useDeployRequest.ts'
import { orderQuery } from '../../../entities/order/queries.ts'

export interface StartedApp {
  deployId: number
  /** Values that travel beside it. */
  env: Record<string, string>
  /** The text of an application of the buyer's own. */
  app?: string
}

/** Where the start of the application is: not asked for, under way, not signed by the person, refused, or accepted by the platform. */
type AppStart = { at: 'idle' | 'busy' | 'declined' | 'done' } | { at: 'failed'; error: unknown }

/** Deploys on an order that has just been created, once the platform knows it. */
export function useStartApp(provider: LowerCaseAddress) {
  const client = useQueryClient()
  const { request } = useDeployRequest()
  const [start, setStart] = useState<AppStart>({ at: 'idle' })
  /** True when the request is on its way to the provider. */
  const deploy = async (orderId: bigint, { deployId, env, app }: StartedApp): Promise<boolean> => {
    setStart({ at: 'busy' })
    try {
      await client.fetchQuery({ ...orderQuery(String(orderId)), retry: 5 })
      const done = await request({ id: String(orderId), orderId, provider }, deployId, env, app)
      setStart({ at: done ? 'done' : 'declined' })
      return done !== undefined
    } catch (error) {
      setStart({ at: 'failed', error })
      return false
    }
  }
  return { start, setStart, deploy }
}
