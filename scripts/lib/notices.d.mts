export function isAllowed(expression: string): boolean;
export function writeNotices(found: ReadonlySet<string>, folder: string): void;
