/** Starts an X server with a free display number. */
export function startXvfb(): Promise<{ readonly display: string; stop(): void }>;
