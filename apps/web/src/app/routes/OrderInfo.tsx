import { CleanDialog } from '../../features/deploy/CleanDialog.tsx'
import { DeploymentLine } from '../../features/deploy/DeploymentLine.tsx'
import { OrderScreen } from '../../features/orders/OrderScreen.tsx'

export default function OrderInfo() {
  return (
    <OrderScreen
      renderClean={(order, onClose) => <CleanDialog order={order} onClose={onClose} />}
      renderDeployment={(order) => <DeploymentLine order={order} />}
    />
  )
}
