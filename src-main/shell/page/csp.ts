/**
 * The Content-Security-Policy of every page in the window: no foreign sources, no inline scripts or
 * styles. The development server's page needs its inline preamble, injected styles and WebSocket.
 */
export function contentSecurityPolicy(developmentServer?: URL): string {
  const inline = developmentServer ? " 'unsafe-inline'" : '';
  const socket = developmentServer ? ` ws://${developmentServer.host}` : '';
  return [
    "default-src 'none'",
    `script-src 'self'${inline}`,
    `style-src 'self'${inline}`,
    "font-src 'self'",
    // Previews of drawings: an image runs no scripts and loads nothing.
    "img-src 'self' data:",
    `connect-src 'self'${socket}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
