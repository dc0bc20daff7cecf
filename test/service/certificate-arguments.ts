/** Arguments of `openssl` for a new key and a certificate that it signs itself. */
export const certificateArguments = [
  'req',
  '-x509',
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:P-256',
  '-nodes',
] as const;
