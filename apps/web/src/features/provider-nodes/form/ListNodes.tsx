import type { Provider } from '@rackfair/rules/provider/provider'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Section } from '../../../ui/Section.tsx'
import { ownNodeMessages } from '../messages.ts'
import { NewNodeForm } from './NewNodeForm.tsx'
import { NodesTable } from './NodesTable.tsx'

/** Adds nodes one by one; those added stand below with their edit action. */
export function ListNodes({ provider }: { provider: Provider }) {
  const text = useMessages(ownNodeMessages)
  const nodes = provider.nodes.filter((node) => node.exist)
  return (
    <>
      <NewNodeForm provider={provider} />
      <Section title={text.wizard.listed}>
        {nodes.length === 0 ? <p className="text-ink-3">{text.wizard.none}</p> : <NodesTable nodes={nodes} />}
      </Section>
    </>
  )
}
