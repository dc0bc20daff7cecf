/** Worker thread that estimates how easily passwords are guessed. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { serveWorker } from '../workers/worker-server.ts';
import type { StrengthMethods } from './password-strength.ts';

/**
 * Characters that are looked at: the time grows faster than the length, and what begins with 64
 * characters that are hard to guess is hard to guess.
 */
const maxLength = 64;
const maxWords = 50;

// Each further list costs the same time again. Surnames and the words of Wikipedia would double it,
// and those that people use as passwords are among the common passwords.
const estimator = new ZxcvbnFactory({
  dictionary: {
    ...common,
    'commonWords-en': english['commonWords-en'],
    'firstnames-en': english['firstnames-en'],
  },
  graphs: adjacencyGraphs,
  maxLength,
});

serveWorker<StrengthMethods>({
  check: (password, words) => {
    const { guesses, feedback } = estimator.check(
      password,
      words.slice(0, maxWords).map((word) => word.slice(0, maxLength)),
    );
    return { guesses, warning: feedback.warning };
  },
});
