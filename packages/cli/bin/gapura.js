#!/usr/bin/env node
// Plain JavaScript that an old Node can read, so that it prints the required version instead of a
// syntax error. Everything else is loaded after this check.
const NODE_MIN = 24
const VERSION = process.versions.node

function refuseNode() {
  const detail = `this is Node ${VERSION}, and Gapura needs ${NODE_MIN} or newer`
  const remedy = `Install Node ${NODE_MIN} (nodejs.org, nvm install ${NODE_MIN}) and run it again.`
  if (!process.argv.includes('--json')) {
    process.stderr.write(`gapura: ${detail}.\n  ${remedy}\n`)
  } else if (process.argv[2] === 'doctor') {
    const check = { name: 'node', status: 'fail', detail, remedy }
    process.stdout.write(`${JSON.stringify({ ok: false, checks: [check] })}\n`)
  } else {
    const error = { exit_code: 1, code: 'node_too_old', message: detail, advice: [remedy] }
    process.stderr.write(`${JSON.stringify({ error })}\n`)
  }
  process.exitCode = 1
}

async function load() {
  const { enableCompileCache } = await import('node:module')
  // A second start does not compile everything again.
  enableCompileCache()
  const main = '../dist/main.js'
  await import(main)
}

if (Number(VERSION.split('.')[0]) < NODE_MIN) refuseNode()
else await load()
