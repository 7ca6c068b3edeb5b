/** The arguments of an event as flat JSON: amounts and ids as decimal strings, the terms of an order inlined. */
export function eventArgsText(args: object): string {
  const flat: Record<string, string | number | boolean> = {}
  const add = (values: object) => {
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'bigint') flat[name] = String(value)
      else if (typeof value === 'object' && value !== null) add(value)
      else flat[name] = value
    }
  }
  add(args)
  return JSON.stringify(flat)
}
