/** `Promise.withResolvers`, which Node has from version 22. */
export function withResolvers<Value>() {
  let resolve!: (value: Value | PromiseLike<Value>) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
