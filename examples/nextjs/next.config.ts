export default {
  // Otherwise Next redirects /notification/, and the gateway loses what it sent.
  skipTrailingSlashRedirect: true,
  // It reads files of its own and must not be bundled.
  serverExternalPackages: ['gapura'],
}
