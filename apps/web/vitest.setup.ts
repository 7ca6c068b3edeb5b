import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A busy machine may leave a test without a processor for longer than the second that is usual.
configure({ asyncUtilTimeout: 60_000 })

// All files share one document: what a test has rendered is gone before the next, also before that of another file.
afterEach(cleanup)
