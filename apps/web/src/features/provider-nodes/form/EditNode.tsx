import type { MarketNode } from '@rackfair/rules/node/node'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { FundsNotice } from '../../../entities/provider/FundsNotice.tsx'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { ownNodeMessages } from '../messages.ts'
import { NodeForm } from './NodeForm.tsx'
import { fieldsOfNode } from './nodeDraft.ts'
import { useNodeWrite } from './useNodeWrite.ts'

/** Changes what an unsold node offers; a sold one says why it cannot change. */
export function EditNode({ node }: { node: MarketNode }) {
  const all = useMessages(ownNodeMessages)
  const text = all.editNode
  const format = useFormat()
  const [, navigate] = useLocation()
  const before = fieldsOfNode(node)
  const [fields, setFields] = useState(before)
  const { state, busy, update } = useNodeWrite()
  const unchanged = Object.entries(before).every(([name, value]) => fields[name as keyof typeof fields].trim() === value)

  if (node.sold)
    return (
      <Notice tone="warn" title={text.soldTitle} actions={<ButtonLink to="/providerinfo">{text.back}</ButtonLink>}>
        {node.soldUntil === null ? text.sold(node.name) : text.soldUntil(node.name, format.dateTime(node.soldUntil))}
      </Notice>
    )
  return (
    <>
      <FundsNotice />
      <NodeForm
        fields={fields}
        onChange={setFields}
        submitLabel={all.form.submitEdit}
        blocked={unchanged ? all.form.unchanged : undefined}
        busy={busy}
        state={state}
        note={all.form.quoteStale}
        onSubmit={async (input) => {
          const receipt = await update(node.nodeId, node.name, input)
          if (receipt) navigate('/providerinfo')
          return receipt !== undefined
        }}
      />
    </>
  )
}
