export function debianPackage(unpacked: string, output: string, compression?: string): string;
