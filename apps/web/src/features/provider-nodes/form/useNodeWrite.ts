import type { NodeInput } from '@rackfair/rules/formRules'
import { addNodeCall, updateNodeCall } from '@rackfair/sdk'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useTransaction } from '../../../wallet/index.ts'
import { ownNodeMessages } from '../messages.ts'

/** Sends a new node, or the changes of one. */
export function useNodeWrite() {
  const text = useMessages(ownNodeMessages).notices
  const { state, busy, send } = useTransaction()
  const add = (input: NodeInput) =>
    send(({ addresses }) => addNodeCall(addresses, input), {
      description: text.describeAddNode,
      success: { title: text.node, text: text.nodeText },
    })
  const update = (id: number, name: string, input: NodeInput) =>
    send(({ addresses }) => updateNodeCall(addresses, id, input), {
      description: text.describeEditNode(name),
      success: { title: text.nodeEdited, text: text.nodeText },
    })
  return { state, busy, add, update }
}
