import type { Provider } from '@rackfair/rules/provider/provider'
import { useLocation } from 'wouter'
import { FundsNotice } from '../../../entities/provider/FundsNotice.tsx'
import { NewNodeForm } from './NewNodeForm.tsx'

/** Adds one node, and goes back to the provider's page. */
export function AddNode({ provider }: { provider: Provider }) {
  const [, navigate] = useLocation()
  return (
    <>
      <FundsNotice />
      <NewNodeForm provider={provider} onAdded={() => navigate('/providerinfo')} />
    </>
  )
}
