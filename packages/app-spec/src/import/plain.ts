/** A number, a boolean or the like, with the text that it was written as: `1e3` is a value of a variable, and no 1000. */
export class Plain {
  readonly value: unknown
  readonly text: string

  constructor(value: unknown, text: string) {
    this.value = value
    this.text = text
  }
}
