export default {
  // Otherwise Next redirects /notification/, and the gateway loses what it sent.
  skipTrailingSlashRedirect: true,
  // It reads its own files, so it must not be bundled.
  serverExternalPackages: ['gapura'],
}
