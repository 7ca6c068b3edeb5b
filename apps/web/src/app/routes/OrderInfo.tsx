import { CleanDialog } from '../../features/deploy/CleanDialog.tsx'
import { DeploymentCard } from '../../features/deploy/DeploymentCard.tsx'
import { OrderScreen } from '../../features/orders/OrderScreen.tsx'

export default function OrderInfo() {
  return (
    <OrderScreen
      renderClean={(order, onClose) => <CleanDialog order={order} onClose={onClose} />}
      renderDeployment={(order) => <DeploymentCard order={order} />}
    />
  )
}
