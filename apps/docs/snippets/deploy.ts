import { connectMarket, deployApp, withAccount } from '@rackfair/sdk'
import { exec, logs, openWorkspace } from '@rackfair/sdk/workspace'
import { account } from './connect.ts'

const orderId = BigInt(process.argv[2] ?? 1)
const market = await connectMarket({ platform: process.env.PLATFORM ?? 'http://127.0.0.1:3000' })
const renter = withAccount(market, account)

const deployment = await deployApp(renter, orderId, { preset: 'nginx' }, { onProgress: ({ phase }) => console.log(phase) })
console.log(deployment.phase, deployment.visitUrl ?? '')

const workspace = await openWorkspace(renter, orderId)
for await (const line of logs(workspace, { tail: 10 })) console.log(JSON.stringify(new TextDecoder().decode(line.bytes)))
console.log('exit code', await exec(workspace, ['nginx', '-v'], { onStderr: (bytes) => void process.stdout.write(bytes) }))
workspace.close()
