import pg from 'pg'

/** What pg calls when the server waits for the rows of a copy, and what it passes. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

class CopyIn extends pg.Query {
  lines = ''

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.lines))
    connection.endCopyFrom()
  }
}

/** Takes the rows of a `copy ... from stdin`, in PostgreSQL's text format, as its only parameter. */
export class CopyingClient extends pg.Client {
  override query = ((...args: [unknown, unknown]) => {
    const [text, values] = args
    if (typeof text === 'string' && text.startsWith('copy ') && Array.isArray(values)) return this.copy(text, String(values[0]))
    return Reflect.apply(pg.Client.prototype.query, this, args)
  }) as pg.Client['query']

  private copy(text: string, lines: string) {
    return new Promise((resolve, reject) => {
      const copy = new CopyIn(text, (error, result) => (error ? reject(error) : resolve(result)))
      copy.lines = lines
      Reflect.apply(pg.Client.prototype.query, this, [copy])
    })
  }
}
