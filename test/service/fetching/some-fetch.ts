/** A fetch of all files of a measurement `m`. */
export const someFetch = {
  serverId: 1,
  baseUrl: 'http://lab.example',
  measurementId: 'm',
  title: null,
  what: 'files',
  chosen: null,
  target: '/data/m',
  unpack: false,
  priority: 0,
  paused: false,
} as const;
