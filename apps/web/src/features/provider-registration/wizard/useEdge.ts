import { useDraft } from '../../../entities/provider/useDraft.ts'

/** The edge that a person named for this provider, kept from the first step to the line of the last. */
export function useEdge(address: string): { text: string; set: (text: string) => void } {
  const { fields, setFields } = useDraft(`rackfair.draft.edge.${address}`, { edge: '' })
  return { text: fields.edge, set: (edge) => setFields({ edge }) }
}
