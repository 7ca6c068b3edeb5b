import { ExtendScreen } from '../../features/purchase/ExtendScreen.tsx'

export default function ExtendOrder() {
  return <ExtendScreen />
}
