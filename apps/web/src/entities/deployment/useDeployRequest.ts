import { type DeployText, formatDeployText } from '@rackfair/protocol/deployText'
import type { Deployment } from '@rackfair/rules/deployment/deployment'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Order } from '@rackfair/rules/order/order'
import { readDeployment, serverSeconds } from '@rackfair/sdk/http'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keccak256, toHex } from 'viem'
import { api } from '../../platform/api/api.ts'
import { useConfig } from '../../platform/api/config.ts'
import { useAccountState, useMarket, useSignText } from '../../wallet/index.ts'
import { deploymentQuery } from '../order/queries.ts'

/** Where a request is: in the wallet, or on its way to the provider. */
export type RequestStage = 'idle' | 'signing' | 'sending'

/** Signs a deploy or clean request with the wallet and submits it to the platform. */
export function useDeployRequest() {
  const client = useQueryClient()
  const config = useConfig()
  const { address } = useAccountState()
  const { signText } = useSignText()
  const market = useMarket()
  const [stage, setStage] = useState<RequestStage>('idle')

  /** The sealing code is loaded with the first request that has values. */
  const textOf = async (facts: DeployText, env: Record<string, string>): Promise<{ text: string; sealed?: string }> => {
    if (Object.keys(env).length === 0) return { text: formatDeployText(facts) }
    if (market.status === 'failed') throw market.error
    if (market.status !== 'ready') throw new AppError('not_ready', 'the chain has not answered yet', { retryable: true })
    const { sealValues } = await import('./sealValues.ts')
    return sealValues(market.market, facts, env)
  }

  /** Undefined when the user says no in the wallet; throws AppError for any other failure. */
  const request = async (
    order: Pick<Order, 'id' | 'orderId' | 'provider'>,
    deployId: number,
    env: Record<string, string> = {},
    app?: string,
  ): Promise<Deployment | undefined> => {
    if (!address || !config) return undefined
    const facts = {
      orderId: order.orderId,
      deployId,
      time: serverSeconds(),
      wallet: address,
      provider: order.provider,
      chainId: config.chainId,
      ...(app === undefined ? {} : { appHash: keccak256(toHex(app)) }),
    }
    try {
      setStage('signing')
      const { text, sealed } = await textOf(facts, env)
      const signature = await signText(text)
      if (!signature) return undefined
      setStage('sending')
      const deployment = await api.deploy({
        ...{ text, signature },
        ...(sealed === undefined ? {} : { sealed }),
        ...(app === undefined ? {} : { app }),
      })
      client.setQueryData(deploymentQuery(order.id).queryKey, deployment)
      void client.invalidateQueries({ queryKey: deploymentQuery(order.id).queryKey })
      return readDeployment(deployment)
    } finally {
      setStage('idle')
    }
  }
  return { request, stage }
}
