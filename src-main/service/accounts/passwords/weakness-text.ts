const common = 'many people use it';
const keys = 'keys beside each other are tried first';
const names = 'names are tried first';
const repeats = 'repeated characters are tried first';
const dates = 'dates and years are tried first';

/** By the name that the library gives the weakness. */
const texts: Readonly<Record<string, string>> = {
  topTen: common,
  topHundred: common,
  common,
  similarToCommon: 'it is close to one that many people use',
  wordByItself: 'words of a dictionary are tried first',
  namesByThemselves: names,
  commonNames: names,
  userInputs: 'it is made of words that are expected here, such as the name of the account',
  straightRow: keys,
  keyPattern: keys,
  simpleRepeat: repeats,
  extendedRepeat: repeats,
  sequences: 'the alphabet and numbers in order are tried first',
  recentYears: dates,
  dates,
};

/** Says why a password is weak, to follow a colon; null when nothing helpful can be said. */
export function weaknessText(warning: string | null): string | null {
  return warning === null ? null : (texts[warning] ?? null);
}
