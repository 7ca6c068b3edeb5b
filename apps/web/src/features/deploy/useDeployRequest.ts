import { envText, formatDeployText } from '@rackfair/core'
import type { DeploymentWire, OrderWire } from '@rackfair/core/wire'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keccak256, toHex } from 'viem'
import { api } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { deploymentQuery } from '../../lib/orders/orderQueries.ts'
import { useAccountState, useSignText } from '../../wallet/index.ts'

/** Where a request is: in the wallet, or on its way to the provider. */
export type RequestStage = 'idle' | 'signing' | 'sending'

/** Signs a deploy or clean request with the wallet and hands it to the platform. */
export function useDeployRequest(order: OrderWire) {
  const client = useQueryClient()
  const config = useConfig()
  const { address } = useAccountState()
  const { signText } = useSignText()
  const [stage, setStage] = useState<RequestStage>('idle')

  /** Undefined when the user says no in the wallet; throws AppError for any other failure. */
  const request = async (
    deployId: number,
    env: Record<string, string> = {},
    app?: string,
  ): Promise<DeploymentWire | undefined> => {
    if (!address || !config) return undefined
    const withEnv = Object.keys(env).length > 0
    const text = formatDeployText({
      orderId: BigInt(order.id),
      deployId,
      time: Math.floor(Date.now() / 1000),
      wallet: address,
      provider: order.provider,
      chainId: config.chainId,
      ...(withEnv ? { envHash: keccak256(toHex(envText(env))) } : {}),
      ...(app === undefined ? {} : { appHash: keccak256(toHex(app)) }),
    })
    try {
      setStage('signing')
      const signature = await signText(text)
      if (!signature) return undefined
      setStage('sending')
      const deployment = await api.deploy({ text, signature, ...(withEnv ? { env } : {}), ...(app === undefined ? {} : { app }) })
      client.setQueryData(deploymentQuery(order.id).queryKey, deployment)
      void client.invalidateQueries({ queryKey: deploymentQuery(order.id).queryKey })
      return deployment
    } finally {
      setStage('idle')
    }
  }
  return { request, stage }
}
