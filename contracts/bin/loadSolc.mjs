import { createRequire } from 'node:module'

/**
 * Loads the compiler. For each of the millions of calls between its functions it asks a table for the function, a way into the engine
 * that costs a third of its time: here the table remembers what it has returned until it changes.
 */
export function loadSolc() {
  const { prototype } = WebAssembly.Table
  const { get } = prototype
  let of
  let known = []
  prototype.get = function (place) {
    if (this !== of || place >= known.length) {
      of = this
      // A list with holes is looked up as slowly as the table.
      known = new Array(this.length).fill(undefined)
    }
    known[place] ??= get.call(this, place)
    return known[place]
  }
  for (const name of ['set', 'grow']) {
    const change = prototype[name]
    prototype[name] = function (...more) {
      of = undefined
      return change.apply(this, more)
    }
  }
  return createRequire(import.meta.url)('solc')
}
