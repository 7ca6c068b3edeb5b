import { useParams } from 'wouter'
import { DeployScreen } from '../../features/deploy/DeployScreen.tsx'
import { useParam } from '../../platform/browser/searchParams.ts'

export default function Deploy() {
  const { orderid } = useParams<{ orderid?: string }>()
  const id = useParam('id')
  return <DeployScreen orderId={orderid ?? id} />
}
