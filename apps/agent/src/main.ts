#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { sbinBeside } from './foundation/sbinBeside.ts'

// Stripping types and compiling at every start would cost half a second and 30 MB that a long-running process keeps.
enableCompileCache(join(homedir(), '.cache', 'rackfair-agent'))
process.env.PATH = sbinBeside(process.env.PATH)
await import('./commands/cli.ts')
