import type { Provider } from '@rackfair/core'
import { useLocation } from 'wouter'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Section } from '../../../ui/Section.tsx'
import { providerMessages } from '../messages.ts'
import { NodeForm } from '../nodes/NodeForm.tsx'
import { NodesTable } from '../nodes/NodesTable.tsx'
import { EMPTY_NODE } from '../nodes/nodeDraft.ts'
import { useNodeWrite } from '../nodes/useNodeWrite.ts'
import { useDraft } from '../useDraft.ts'

/** Step 2: adds nodes one by one; those added stand below with their edit action. */
export function NodesStep({ provider }: { provider: Provider }) {
  const text = useMessages(providerMessages)
  const [, navigate] = useLocation()
  const draft = useDraft(`rackfair.draft.node.${provider.address}`, EMPTY_NODE)
  const { state, busy, add } = useNodeWrite()
  const nodes = provider.nodes.filter((node) => node.exist)

  return (
    <div className="flex flex-col gap-7">
      <NodeForm
        fields={draft.fields}
        onChange={draft.setFields}
        submitLabel={text.form.submit}
        busy={busy}
        state={state}
        note={text.wizard.kept}
        onSubmit={async (input) => {
          const receipt = await add(input)
          if (receipt) draft.clear(draft.fields)
          return receipt !== undefined
        }}
      />
      <Section title={text.wizard.nodesListed}>
        {nodes.length === 0 ? <p className="text-ink-3">{text.wizard.nodesNone}</p> : <NodesTable nodes={nodes} />}
      </Section>
      <div className="flex justify-between gap-3 border-t border-line pt-5">
        <Button onClick={() => navigate('/addprovider?step=1')}>{text.wizard.previous}</Button>
        <Button variant={nodes.length > 0 ? 'accent' : 'outline'} onClick={() => navigate('/addprovider?step=3')}>
          {text.wizard.next}
        </Button>
      </div>
    </div>
  )
}
