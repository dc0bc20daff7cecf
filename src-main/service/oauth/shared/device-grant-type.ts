export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';
