import { afterAll, describe, expect, test } from 'vitest';
import { requireGoodPassword } from '../../../../src-main/service/accounts/passwords/password-rules.ts';
import { passwords } from '../../../../src-main/service/secrets/passwords.ts';
import { WorkQueue } from '../../../../src-main/service/secrets/work-queue.ts';

const alice = { username: 'alice', name: 'Alice Example', email: 'a.liddell@optics.example' };
const store = passwords();
afterAll(() => store.close());
const check = (password: string) => requireGoodPassword({ passwords: store }, password, alice);

describe('S101 a password', () => {
  test.each(['1234567', 'x7$kq2m', '', 'x'.repeat(129), '😀'.repeat(7), `${'qz7 '.repeat(32)}x`])(
    'has 8 to 128 characters: %j',
    async (password) => {
      await expect(check(password)).rejects.toThrow('8 to 128 characters');
    },
  );

  test.each([
    'x7$kq2mw',
    'x7kq2m$!',
    Array.from({ length: 32 }, (_, at) => `z${at * at} w`.slice(0, 4)).join(''),
    '😀🎉🚀🌍🔥🎵🍕🐢',
    'correct horse battery staple',
    'a long password',
    'Übergrößenträger',
  ])('may be %j', async (password) => {
    await check(password);
  });

  const guessed = `
    password Password1 P@ssw0rd2024! passwort Passwort123 123password letmein1 trustno1 iloveyou ILoveYou!!! admin123 Sommer2026 sunshine7 welcome2026! football99
    12345678 123456789 87654321 abcdefgh qwertyui qwertzuiop asdfghjkl qwerty123 abcd1234 1q2w3e4r5t qwertz123! aaaaaaaa abcabcabc 11111111 12121212 passpass
    benchport Benchport1 B3nchp0rt! alice123 Alice2026 alicealice aliceexample Winter2025! laboratory7 microscope Liddell26 optics2026 drowssap 19.03.1987`;
  test.each([...guessed.trim().split(/\s+/), 'p a s s w o r d', 'alice example', 'alice'.repeat(12)])(
    'is not one that is guessed first: %s',
    async (password) => {
      await expect(check(password)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('too easy to guess') as string,
      });
    },
  );

  test.each([
    ['football1', ': many people use it.'],
    ['P@ssw0rd2024!', ': it is close to one that many people use.'],
    ['qwertzuiop', ': keys beside each other are tried first.'],
    ['Liddell26', ': it is made of words that are expected here, such as the name of the account.'],
    ['19.03.1987', ': dates and years are tried first.'],
    ['abcabcabc', ': repeated characters are tried first.'],
    ['microscope', '.'],
  ])('is refused with the reason: %s', async (password, reason) => {
    await expect(check(password)).rejects.toThrow(
      `This password is too easy to guess${reason} Choose a longer one, such as four unrelated words.`,
    );
  });

  test('is estimated by its beginning only', async () => {
    const start = 'x7$kq2mw'.repeat(8);
    const { guesses } = await store.strength(start, []);
    expect((await store.strength(start + '4@8({[<|_|'.repeat(100_000), [])).guesses).toBe(guesses);
  });

  test('is never truncated, and is the same however its characters are composed', async () => {
    const long = `${'zq7 '.repeat(31)}wxyz`;
    const hash = await store.hash(long);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await store.verify(hash, long)).toBe(true);
    expect(await store.verify(hash, `${long.slice(0, -1)}Z`)).toBe(false);
    const composed = await store.hash('pässwörter größe'.normalize('NFD'));
    expect(await store.verify(composed, 'pässwörter größe'.normalize('NFC'))).toBe(true);
    expect(await store.verify(null, 'no such user')).toBe(false);
  });
});

describe('the queue of password checks', () => {
  test('runs two at once in order of arrival, and refuses more when too many wait', async () => {
    const queue = new WorkQueue(2, 3);
    let running = 0;
    let peak = 0;
    const order: number[] = [];
    const work = async (id: number) => {
      running += 1;
      peak = Math.max(peak, running);
      order.push(id);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      if (id === 1) throw new Error('this one fails');
      return id;
    };
    const results = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((id) => queue.run(() => work(id))));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(results[6]).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '5' } } });
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(peak).toBe(2);
    expect(await queue.run(() => work(7))).toBe(7);
  });
});
