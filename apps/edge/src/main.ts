#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Type stripping and compiling at every start would cost half a second, and memory for the lifetime of the process.
enableCompileCache(join(homedir(), '.cache', 'rackfair-edge'))
await import('./cli.ts')
