import type { Provider } from '@rackfair/rules/provider/provider'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useDraft } from '../../../entities/provider/useDraft.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { ownNodeMessages } from '../messages.ts'
import { NodeForm } from './NodeForm.tsx'
import { EMPTY_NODE } from './nodeDraft.ts'
import { useNodeWrite } from './useNodeWrite.ts'

export interface NewNodeFormProps {
  provider: Provider
  /** Called when the node is on the chain. */
  onAdded?: () => void
}

/** The form of a node that is not there yet. What was typed is kept until it is. */
export function NewNodeForm({ provider, onAdded }: NewNodeFormProps) {
  const shared = useMessages(providerTexts)
  const text = useMessages(ownNodeMessages)
  const draft = useDraft(`rackfair.draft.node.${provider.address}`, EMPTY_NODE)
  const { state, busy, add } = useNodeWrite()
  return (
    <NodeForm
      fields={draft.fields}
      onChange={draft.setFields}
      submitLabel={text.form.submit}
      busy={busy}
      state={state}
      note={shared.kept}
      onSubmit={async (input) => {
        const receipt = await add(input)
        if (!receipt) return false
        draft.clear(draft.fields)
        onAdded?.()
        return true
      }}
    />
  )
}
