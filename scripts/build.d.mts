export function buildAll(report?: (line: string) => void): Promise<void>;
