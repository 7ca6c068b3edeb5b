import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// All files share one document: what a test has rendered is gone before the next, also before that of another file.
afterEach(cleanup)
