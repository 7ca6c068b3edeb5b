import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { answer, answerWithData, failure } from '../answers.ts'
import type { Connection } from '../createConnection.ts'
import { progressOf } from '../progressOf.ts'
import { sandboxField } from './sandbox.ts'

/** What a model reads at once. */
const MAX_TEXT_BYTES = 256 * 1024
const MAX_OUTPUT_BYTES = 64 * 1024
const path = z.string().startsWith('/').max(4096)

export function addUseTools(server: McpServer, connection: Connection): void {
  addRun(server, connection)
  addFiles(server, connection)
  server.registerTool(
    'logs',
    {
      description: 'The last lines that the image itself wrote, and what the machine did for it.',
      inputSchema: { sandbox: sandboxField, lines: z.number().int().min(1).max(1000).default(50) },
      annotations: { readOnlyHint: true },
    },
    async ({ sandbox, lines }, { signal }) => {
      try {
        const decoder = new TextDecoder()
        let text = ''
        for await (const { source, bytes, more } of (await connection.sandbox(BigInt(sandbox))).logs({ tail: lines, signal }))
          text = `${text}${source}: ${decoder.decode(bytes)}${more ? '' : '\n'}`.slice(-MAX_TEXT_BYTES)
        return answerWithData({}, { log: text })
      } catch (error) {
        return failure(error)
      }
    },
  )
}

function addRun(server: McpServer, connection: Connection): void {
  server.registerTool(
    'run_command',
    {
      description:
        'Runs a line in the shell of a sandbox to its end, with exit code and the end of what it printed. For long work raise timeout_seconds; exit code 124 says that the time ran out.',
      inputSchema: {
        sandbox: sandboxField,
        command: z.string().min(1).max(60_000),
        cwd: path.optional(),
        timeout_seconds: z.number().int().min(1).max(86_400).default(50),
      },
      annotations: { destructiveHint: true, openWorldHint: true },
    },
    async ({ sandbox, command, cwd, timeout_seconds }, extra) => {
      const progress = progressOf(extra)
      try {
        const { commands } = await connection.sandbox(BigInt(sandbox))
        const options = { cwd, timeoutMs: timeout_seconds * 1000, maxBytes: MAX_OUTPUT_BYTES, signal: extra.signal }
        const { exitCode, isTimeout, droppedBytes, stdout, stderr } = await commands.run(command, options)
        const fields = { exit_code: exitCode, is_timeout: isTimeout, bytes_left_out: droppedBytes }
        return answerWithData(fields, { stdout, stderr })
      } catch (error) {
        return failure(error)
      } finally {
        progress.end()
      }
    },
  )
}

function addFiles(server: McpServer, connection: Connection): void {
  const files = async (sandbox: string) => (await connection.sandbox(BigInt(sandbox))).files
  server.registerTool(
    'read_file',
    {
      description: 'A file of a sandbox, at most 256 KiB; one that is not text as base64.',
      inputSchema: { sandbox: sandboxField, path, base64: z.boolean().default(false) },
      annotations: { readOnlyHint: true },
    },
    async ({ sandbox, path: file, base64 }) => {
      try {
        const bytes = await (await files(sandbox)).readBytes(file, { maxBytes: MAX_TEXT_BYTES })
        const text = base64 ? Buffer.from(bytes).toString('base64') : new TextDecoder().decode(bytes)
        return answerWithData({ path: file, bytes: bytes.length }, { content: text })
      } catch (error) {
        return failure(error)
      }
    },
  )
  server.registerTool(
    'write_file',
    {
      description: 'Writes a file of a sandbox whole, in place of one that is there, with the folders above it.',
      inputSchema: { sandbox: sandboxField, path, content: z.string().max(8 * 2 ** 20), base64: z.boolean().default(false) },
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async ({ sandbox, path: file, content, base64 }) => {
      try {
        const bytes = base64 ? Buffer.from(content, 'base64') : new TextEncoder().encode(content)
        await (await files(sandbox)).write(file, bytes)
        return answer({ path: file, bytes: bytes.length })
      } catch (error) {
        return failure(error)
      }
    },
  )
  server.registerTool(
    'list_files',
    {
      description: 'The first 1,000 entries of a folder of a sandbox.',
      inputSchema: { sandbox: sandboxField, path },
      annotations: { readOnlyHint: true },
    },
    async ({ sandbox, path: folder }) => {
      try {
        const entries = await (await files(sandbox)).list(folder)
        return answerWithData({ entries: entries.length }, { names: JSON.stringify(entries.slice(0, 1000)) })
      } catch (error) {
        return failure(error)
      }
    },
  )
}
