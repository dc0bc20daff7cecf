export const defaultPort = 7420;
