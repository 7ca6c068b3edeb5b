#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Stripping types and compiling at every start would cost half a second and memory that a daemon keeps.
enableCompileCache(join(homedir(), '.cache', 'rackfair-monitor'))
await import('./cli.ts')
