/** Reads each answer once, however many queries show it. */
export function readOnce<Answer extends object, Value>(read: (answer: Answer) => Value): (answer: Answer) => Value {
  const values = new WeakMap<Answer, Value>()
  return (answer) => {
    const known = values.get(answer)
    if (known !== undefined) return known
    const value = read(answer)
    values.set(answer, value)
    return value
  }
}
