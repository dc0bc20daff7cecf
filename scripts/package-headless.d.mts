export function packHeadless(output: string): string;
