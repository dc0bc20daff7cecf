export function manPage(day: string): string;
