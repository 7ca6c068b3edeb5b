import { PassThrough } from 'node:stream'
import Docker from 'dockerode'
import { expect, it } from 'vitest'
import { execIn } from './execIn.ts'

it('keeps a megabyte of a command’s output, and waits for its end', async () => {
  const stream = new PassThrough()
  const exec = { start: async () => stream, inspect: async () => ({ ExitCode: 3 }) }
  const container = { exec: async () => exec, modem: new Docker().modem } as unknown as Docker.Container
  const answer = execIn(container, ['yes'], 60_000)
  const frame = Buffer.alloc(8 + 64 * 1024, 'y')
  frame.set([1, 0, 0, 0])
  frame.writeUInt32BE(64 * 1024, 4)
  for (let count = 0; count < 64; count += 1)
    if (!stream.write(frame)) await new Promise((resolve) => stream.once('drain', resolve))
  stream.end()
  const { code, output } = await answer
  expect([code, output.length]).toEqual([3, 1024 * 1024])
})
