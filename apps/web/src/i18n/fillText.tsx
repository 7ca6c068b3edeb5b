import { Fragment, type ReactNode } from 'react'

/** Puts elements into a whole translated sentence: `fillText('Read {terms} first', { terms: <a …/> })`. */
export function fillText(text: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  return text.split(/(\{\w+\})/).map((piece, index) => {
    const name = /^\{(\w+)\}$/.exec(piece)?.[1]
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence never change places
    return <Fragment key={index}>{name !== undefined && name in parts ? parts[name] : piece}</Fragment>
  })
}
