import { KeysScreen } from '../../features/keys/KeysScreen.tsx'

export default function Keys() {
  return <KeysScreen />
}
