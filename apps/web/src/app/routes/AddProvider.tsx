import { FirstPledge } from '../../features/provider-money/pledge/FirstPledge.tsx'
import { ListNodes } from '../../features/provider-nodes/form/ListNodes.tsx'
import { AddProviderScreen } from '../../features/provider-registration/AddProviderScreen.tsx'

export default function AddProvider() {
  return <AddProviderScreen renderNodes={(provider) => <ListNodes provider={provider} />} pledge={<FirstPledge />} />
}
