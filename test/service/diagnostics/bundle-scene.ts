import { randomBytes } from 'node:crypto';
import { ledger } from '../security/ledger.ts';

export const secrets = ledger();
const hex = (bytes = 32) => randomBytes(bytes).toString('hex');
export const planted = {
  token: secrets.note('a personal access token', 'bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae0uK7iX'),
  password: secrets.note('a password', 'violet-Quagga 71'),
  clientSecret: secrets.note('a client secret', `bpas-${hex()}`),
  code: secrets.note('an authorization code', hex()),
  dsn: secrets.note('the key of a DSN', `bpk_${hex(16)}`),
  cookie: secrets.note('a cookie', randomBytes(32).toString('base64url')),
  csrf: secrets.note('a CSRF token', randomBytes(24).toString('base64url')),
  remote: secrets.note('the token of another server', 'glpat-Zk3mQ9xV4cTz8WfR1nLb'),
  external: secrets.note('the token of an external backend', `sntrys_${randomBytes(30).toString('base64url')}`),
  launch: secrets.note('the secret of the window’s door', hex()),
  recovery: secrets.note('a recovery code', 'k7m2p-9xq4r'),
  setup: secrets.note('a setup code', 'QX4T-9KLM-27'),
  authenticator: secrets.note('the key of an authenticator', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
  sealed: secrets.note('a sealed secret', randomBytes(48).toString('base64')),
  signed: secrets.note(
    'an id_token',
    `eyJhbGciOiJSUzI1NiJ9.${randomBytes(40).toString('base64url')}.${randomBytes(40).toString('base64url')}`,
  ),
};
/** Names that must not leave the lab. */
export const names = {
  user: 'quentin.tarkin',
  measurement: 'patient-4711',
  title: 'Blood of Mr Tarkin',
  file: 'tarkin-liver.raw',
  server: 'tarkin.example',
  project: 'tarkin/lab',
};

/** Each secret in each form in which a log line could reveal it. */
export function lines(): string {
  const {
    token,
    password,
    clientSecret,
    code,
    dsn,
    cookie,
    csrf,
    remote,
    external,
    launch,
    recovery,
    setup,
    authenticator,
    sealed,
    signed,
  } = planted;
  const texts = [
    `used ${token}`,
    `login failed: password=${password.replaceAll(' ', '_')} {"password":"${password}"}`,
    `client_secret: ${clientSecret}`,
    `/oauth/token?code=${code}&client_secret=${clientSecret}`,
    `https://${dsn}@bench.example/api/v4/error_tracking/collector/1 and https://${dsn}:${hex(16)}@bench.example/1`,
    `cookie: benchport_session=${cookie}; a=b`,
    `x-csrf-token: ${csrf}`,
    `Authorization: Bearer ${remote}`,
    `Authorization: Bearer ${external}, PRIVATE-TOKEN: ${remote}`,
    `x-benchport-launch-secret: ${launch} and again ${launch}`,
    `recovery code ${recovery}`,
    `setup?code=${setup}`,
    `otpauth://totp/x?secret=${authenticator} ${authenticator}`,
    `sealed as ${sealed}`,
    `id_token ${signed}`,
    `mail to ${names.user}@lab.example about ${names.file.replace('tarkin', '/data/tarkin')}`,
  ];
  return texts
    .flatMap((text) => [
      { level: 50, msg: text },
      {
        level: 30,
        msg: 'request',
        url: `/measurements/${names.measurement}/files/0?access_token=${token}`,
        user: names.user,
      },
      { level: 30, msg: 'request', url: `/${names.project}/-/error_tracking?x=${encodeURIComponent(text)}` },
      {
        level: 50,
        msg: 'x',
        err: {
          type: 'Error',
          message: text,
          stack: `Error: ${text}\n    at f (/home/${names.user}/x.js:1:2)`,
          config: { token, nested: { password } },
        },
      },
      {
        level: 40,
        msg: 'x',
        reason: text,
        headers: { authorization: `Bearer ${token}`, cookie },
        token,
        body: JSON.stringify({ password, code }),
      },
    ])
    .map((fields) => `${JSON.stringify({ time: new Date().toISOString(), ...fields })}\n`)
    .join('');
}
