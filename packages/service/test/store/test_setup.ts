// Runs before each test file, in the worker that runs it.
import { useOwnDatabase } from './test_database.ts'

await useOwnDatabase()
