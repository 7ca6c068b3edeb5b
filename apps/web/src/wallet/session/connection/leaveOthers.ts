import type { Config } from 'wagmi'
import { disconnect } from 'wagmi/actions'

/** One wallet at a time: the one approved last stays connected, earlier ones are disconnected. */
export async function leaveOthers(wagmi: Config): Promise<void> {
  const others = [...wagmi.state.connections.values()].filter(({ connector }) => connector.uid !== wagmi.state.current)
  await Promise.allSettled(others.map(({ connector }) => disconnect(wagmi, { connector })))
}
