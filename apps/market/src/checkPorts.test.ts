import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { checkPorts } from './checkPorts.ts'

test('names a taken port and the option that chooses another', async () => {
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  await expect(checkPorts({ '--rpc-port': port })).rejects.toThrow(
    `Port ${port} is in use. Stop what listens there, or choose another: npm start -- --rpc-port N`,
  )
  await new Promise((resolve) => server.close(resolve))
  await expect(checkPorts({ '--rpc-port': port })).resolves.toBeUndefined()
})
