import { PurchaseScreen } from '../../features/purchase/PurchaseScreen.tsx'

export default function AddOrder() {
  return <PurchaseScreen />
}
