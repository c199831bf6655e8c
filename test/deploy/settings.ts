// What the files of deploy/ may name.
import { readFileSync } from 'node:fs'
import { COMMANDS } from '../../packages/cli/src/commands.ts'

const CONFIG = ['config', 'gateway_config']
  .map((name) => new URL(`../../packages/service/src/main/${name}.ts`, import.meta.url))
  .map((file) => readFileSync(file, 'utf8'))
  .join('')

/** Whether the service reads this environment variable. */
export const isSetting = (name: string): boolean =>
  CONFIG.includes(`'${name.replace(/_FILE$/, '')}'`)

/** Whether the command line has this command. */
export const isCommand = (command: string): boolean => COMMANDS.some(({ name }) => name === command)
