/**
 * Node's `http` without an import: an import reads every export of the module, and three of them
 * (`WebSocket` and its events) load fetch, HTTP/2 and web streams on first access, megabytes in
 * each service.
 */
export const http = process.getBuiltinModule('node:http');
