/**
 * Words that guessers try first. Each also matches in other case, with digits and signs around it,
 * and with usual replacements of letters: `password` also refuses `P@ssw0rd2024!`.
 */
const words = `
password passwort passwd pass parola contrasena senha motdepasse wachtwoord haslo heslo salasana losenord kennwort geheim secret topsecret
admin administrator root superuser sysadmin operator guest user username login logon account default changeme change letmein letmeinnow
welcome willkommen bienvenue hello hallo hola bonjour access enter open opensesame sesame trustno trustnoone master god system server
test testing tester testtest demo sample example temp temporary temppass nopassword mypassword yourpassword newpassword oldpassword
qwerty qwertyui qwertyuiop qwertz qwertzui qwertzuiop azerty azertyui azertyuiop asdf asdfgh asdfghjk asdfghjkl yxcvbnm zxcvbn zxcvbnm
qazwsx qazwsxedc qweasd qweasdzxc asdqwe zaqwsx zaqxsw poiuytrewq lkjhgfdsa mnbvcxz
abc abcd abcde abcdef abcdefg abcdefgh abcabc abcxyz aaa aaaa xxx xxxx zzz zzzz
iloveyou iloveu loveyou lovely lover love loveme forever mylove sweetheart darling honey sweety sweetie princess prince angel angels babygirl
babyboy baby girl boys friend friends bestfriend family mother father sister brother daughter children
monkey dragon tiger lion wolf bear eagle falcon phoenix panther shark dolphin horse butterfly chicken turtle rabbit bunny kitty kitten puppy
sunshine rainbow flower flowers sunflower rose lily sommer summer winter spring autumn holiday weekend monday tuesday wednesday thursday friday
saturday sunday january february march april june july august september october november december
football soccer baseball basketball hockey golf tennis rugby cricket skate surfing fishing hunting swimming
liverpool arsenal chelsea manchester barcelona realmadrid juventus bayern dortmund schalke werder yankees lakers cowboys steelers patriots eagles
superman batman spiderman ironman wonderwoman pokemon pikachu naruto starwars startrek matrix gandalf hobbit hogwarts harrypotter jedi darthvader yoda
mickey donald snoopy garfield simpsons hellokitty minecraft fortnite roblox counterstrike warcraft playstation nintendo xbox
michael jennifer jessica ashley amanda daniel joshua matthew andrew nicole thomas robert charlie william anthony michelle hannah samantha
alexander alexandra christian christopher stephanie elizabeth elisabeth patrick benjamin jonathan nicholas maximilian sebastian katharina
martin peter stefan andreas markus julia sabine claudia sophie charlotte victoria isabella natalie vanessa melissa
george jordan maggie jasmine ginger pepper cookie chocolate cheese pizza banana orange cherry strawberry apple coffee whiskey vodka
computer internet laptop desktop keyboard monitor network wireless linux ubuntu debian windows macintosh android iphone samsung google
facebook instagram twitter youtube linkedin amazon microsoft apple yahoo hotmail gmail outlook github gitlab docker
mustang ferrari porsche mercedes audi volkswagen corvette camaro harley yamaha kawasaki ducati suzuki honda toyota
london paris berlin hamburg munich muenchen vienna wien zurich boston chicago newyork texas california florida dallas houston america
germany deutschland england france canada australia austria switzerland europe
money dollar diamond silver golden crystal shadow killer hunter ranger soldier warrior knight ninja samurai pirate wizard magic mystery
freedom liberty victory peace heaven blessed jesus christ jesuschrist godisgood faith hope grace buddha
whatever nothing something anything everything nobody somebody biteme fuckyou fuckoff asshole bullshit
internet1 metallica nirvana slipknot eminem tupac beatles elvis
benchport bench laboratory labor measurement measure messung station workstation lab laboratorium gitlabadmin
`;
const known = new Set(words.split(/\s+/).filter((word) => word !== ''));

const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  'qsdfghjklm',
  'wxcvbn',
  '1q2w3e4r5t6z7u8i9o0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '147258369',
];
const everySequence = [...sequences, ...sequences.map((text) => Array.from(text).toReversed().join(''))];
const replacements: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
};

/**
 * Whether a password is among the first that a guesser tries: a decorated common word, the user's
 * own names, a keyboard sequence, or a repeated short piece.
 *
 * @param names of the user and of the installation.
 */
export function isCommonPassword(password: string, names: readonly string[]): boolean {
  const plain = password.toLowerCase().replaceAll(/\s/g, '');
  return (
    isRepetition(plain) ||
    isKeyboardSequence(plain) ||
    possibleWords(plain).some(
      (core) => known.has(core) || isRepetition(core) || isKeyboardSequence(core) || isName(core, names),
    )
  );
}

/** Candidates for the word that remains without its decoration. */
function possibleWords(plain: string): readonly string[] {
  const bare = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const withoutDigits = plain.replaceAll(/^\d+|[\d!?.*#$_+-]+$/g, '');
  return [plain, bare, undoReplacements(bare), undoReplacements(plain), undoReplacements(withoutDigits)].filter(
    (core) => core !== '',
  );
}

function undoReplacements(text: string): string {
  return Array.from(text)
    .map((character) => replacements[character] ?? character)
    .join('');
}

/**
 * Matches "aaaaaaaa", "abcabcabc", "passpass": a repeated piece of at most four characters, or a
 * doubled common word.
 */
function isRepetition(text: string): boolean {
  if (/^(.{1,4}?)\1+.?.?.?$/u.test(text) && text.length >= 6) return true;
  const half = text.slice(0, text.length / 2);
  return text === half + half && known.has(half);
}

/**
 * Matches texts made of at most three runs of neighbouring keys or letters, such as "12345678",
 * "qwertyasdfgh" and "abcd1234".
 */
function isKeyboardSequence(text: string): boolean {
  let rest = text;
  for (let runs = 0; runs < 3 && rest !== ''; runs += 1) {
    const length = maxRunLength(rest);
    if (length < 3) return false;
    rest = rest.slice(length);
  }
  return rest === '';
}

function maxRunLength(text: string): number {
  for (let length = text.length; length >= 3; length -= 1) {
    const piece = text.slice(0, length);
    if (everySequence.some((sequence) => sequence.includes(piece))) return length;
  }
  return 0;
}

function isName(core: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const plain = name.toLowerCase().replaceAll(/\s/g, '');
    return plain.length >= 3 && (core === plain || core === plain + plain);
  });
}
