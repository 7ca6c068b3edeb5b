import { OrderScreen } from '../../features/orders/OrderScreen.tsx'

export default function OrderInfo() {
  return <OrderScreen />
}
