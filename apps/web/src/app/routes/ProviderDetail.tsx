import { ProviderDetailScreen } from '../../features/provider-detail/ProviderDetailScreen.tsx'

export default function ProviderDetail() {
  return <ProviderDetailScreen />
}
