import { ProviderScreen } from '../../features/provider/ProviderScreen.tsx'

export default function ProviderInfo() {
  return <ProviderScreen />
}
