import { keepSession } from '/.rackfair/session.js'

// Where it failed, the application's address shows the sign-in page.
await keepSession(document.body.dataset).catch(() => {})
location.replace('/')
