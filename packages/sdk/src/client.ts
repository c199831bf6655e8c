import type { Resources } from './api/model.ts'
import { resourcesOf } from './api/resources.ts'
import { callOf } from './call.ts'
import { settingsOf, type ClientOptions } from './settings.ts'

/** Every resource of the interface, with a method for each of its routes. */
export type Client = Resources

/** Nothing is sent before a method is called. The key stays in here: the client can be logged. */
export const createClient = (options: ClientOptions): Client =>
  resourcesOf(callOf(settingsOf(options)))
