/**
 * The name of an image by the digest that a deployment promised, in hexadecimal digits, whatever digest the catalogue has meanwhile. One
 * that promised none, because its name was a tag, keeps its name.
 */
export const pinned = (image: string, promised: string | undefined): string =>
  promised === undefined ? image : `${image.replace(/@.*/, '')}@sha256:${promised}`
