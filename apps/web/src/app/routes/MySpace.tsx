import { CleanDialog } from '../../features/deploy/CleanDialog.tsx'
import { MyOrdersScreen } from '../../features/orders/MyOrdersScreen.tsx'

export default function MySpace() {
  return <MyOrdersScreen renderClean={(order, onClose) => <CleanDialog order={order} onClose={onClose} />} />
}
