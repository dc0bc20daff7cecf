export function packageDirectory(output?: string): Promise<string>;
