export function ico(): Buffer;
export function icns(): Buffer;
