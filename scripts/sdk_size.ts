// Prints the size of the SDK; test/sdk/generated.test.ts checks the limit.
import { bundleSdk, GZIP_BYTES_MAX } from './sdk/size.ts'

const { minified_bytes, gzip_bytes } = await bundleSdk()
console.log(
  `@gapura/sdk: ${minified_bytes} bytes minified, ${gzip_bytes} gzipped (limit ${GZIP_BYTES_MAX})`,
)
