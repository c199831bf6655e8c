import { gapuraOfProcess } from '../../../lib/gapura'

const handler = (request: Request): Promise<Response> => gapuraOfProcess().fetchHandler(request)

export { handler as GET, handler as HEAD, handler as POST }
export { handler as PUT, handler as PATCH, handler as DELETE }
