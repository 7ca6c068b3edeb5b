/**
 * Morphs the children of `here` into those of `next`. Matching elements are kept, with their focus, scroll position and what was typed or
 * opened; a machine's row stays that machine's. Comments and text nodes count too: React reads them when it hydrates the page.
 */
export function morph(here: Node, next: Node): void {
  const left = new Set(here.childNodes)
  const pairs = [...next.childNodes].map((wanted) => {
    const known = [...left].find((node) => isSame(node, wanted))
    if (known) left.delete(known)
    return { wanted, known }
  })
  // Remove first: then no remaining element has to be moved, which would make it lose focus.
  for (const node of left) node.remove()
  let at = here.firstChild
  for (const { wanted, known } of pairs) {
    if (known !== undefined && known === at) at = at.nextSibling
    else here.insertBefore(known ?? wanted, at)
    if (known) change(known, wanted)
  }
}

function change(node: ChildNode, wanted: ChildNode): void {
  if (node.isEqualNode(wanted)) return
  if (!(node instanceof Element && wanted instanceof Element)) {
    node.nodeValue = wanted.nodeValue
    return
  }
  for (const { name } of [...node.attributes]) if (name !== 'open' && !wanted.hasAttribute(name)) node.removeAttribute(name)
  for (const { name, value } of wanted.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value)
  morph(node, wanted)
}

const isSame = (one: Node, other: Node) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other)

/** A row or a link is identified by its target. */
function keyOf(node: Node): string | null | undefined {
  if (!(node instanceof Element)) return undefined
  const link = /^(TR|LI)$/.test(node.nodeName) ? node.querySelector('a[href]') : node
  return node.id || link?.getAttribute('href')
}
