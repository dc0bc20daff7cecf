/**
 * Node's `http`, asked for instead of imported: an import reads every name that the module has, and three of them (`WebSocket` and its events) load fetch,
 * HTTP/2 and web streams on first sight, megabytes of each service.
 */
export const http = process.getBuiltinModule('node:http');
