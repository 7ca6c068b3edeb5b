import { createServer } from 'node:net'

/** Throws an Error that names every taken port and the option that chooses another. */
export async function checkPorts(ports: Readonly<Record<string, number>>): Promise<void> {
  const taken: string[] = []
  for (const [flag, port] of Object.entries(ports)) {
    if (!(await isFree(port)))
      taken.push(`Port ${port} is in use. Stop what listens there, or choose another: npm start -- ${flag} N`)
  }
  if (taken.length > 0) throw new Error(taken.join('\n'))
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
