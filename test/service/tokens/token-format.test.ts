import { expect, test } from 'vitest';
import { isPersonalAccessToken, newPersonalAccessToken } from '../../../src-main/service/tokens/token-format.ts';
import { tokenResolver } from '../../../src-main/service/auth/token-resolver.ts';
import { startTestService } from '../start.ts';

test('S94 a mistyped or invented token is refused without a database query', async () => {
  const service = await startTestService();
  try {
    let looked = 0;
    const { tokens, oauth, changes } = service.services;
    const usable: typeof tokens.usable = async (hash, now) => {
      looked += 1;
      return tokens.usable(hash, now);
    };
    const resolver = tokenResolver({
      tokens: { ...tokens, usable },
      oauth,
      changes,
      onReuse: async () => void (looked += 1),
    });
    const token = newPersonalAccessToken();
    for (let i = 6; i < token.length; i += 1) {
      const typo = `${token.slice(0, i)}${token[i] === 'x' ? 'y' : 'x'}${token.slice(i + 1)}`;
      expect(await resolver.resolve(typo), typo).toBeNull();
    }
    for (const other of [
      '',
      'bppat-',
      token.slice(0, -1),
      `${token}0`,
      token.toUpperCase(),
      `glpat-${token.slice(6)}`,
    ]) {
      expect(await resolver.resolve(other), other).toBeNull();
    }
    expect(looked).toBe(0);
    expect(await resolver.resolve(token)).toBeNull();
    expect(looked).toBe(2);
  } finally {
    await service.end();
  }
});

test('S74 a personal access token has 190 random bits of the system, evenly distributed, and check characters', () => {
  const tokens = Array.from({ length: 2000 }, newPersonalAccessToken);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens.every((token) => isPersonalAccessToken(token))).toBe(true);
  const counts = new Map<string, number>();
  for (const character of tokens.flatMap((token) => token.slice(6, 38).split('')))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  // 64000 draws from 62: each about 1032 times; six standard deviations are 192.
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - 1032)).toBeLessThan(192);
});
