export function packageDirectory(output?: string, more?: object): Promise<string>;
