import { MyOrdersScreen } from '../../features/orders/MyOrdersScreen.tsx'

export default function MySpace() {
  return <MyOrdersScreen />
}
