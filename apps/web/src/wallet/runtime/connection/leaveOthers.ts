import type { Config } from 'wagmi'
import { disconnect } from 'wagmi/actions'

/** One wallet at a time: the one whose yes came last stays connected, those before it are left. */
export async function leaveOthers(wagmi: Config): Promise<void> {
  const others = [...wagmi.state.connections.values()].filter(({ connector }) => connector.uid !== wagmi.state.current)
  await Promise.allSettled(others.map(({ connector }) => disconnect(wagmi, { connector })))
}
