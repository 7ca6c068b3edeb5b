import { AddProviderScreen } from '../../features/provider/AddProviderScreen.tsx'

export default function AddProvider() {
  return <AddProviderScreen />
}
