import { DesignScreen } from '../design/DesignScreen.tsx'

export default function Design() {
  return <DesignScreen />
}
