import { behindVerb } from './negation.js';
import { STATES } from './states.js';

/** A sentence taken apart: who, what is said of it, and how the verb is formed. A verb whose spelling leaves it open has several forms; those that are no words do no harm. */
export interface Clause {
  /** Without article. */
  readonly subject: string;
  /** The article; null if there is none. */
  readonly article: string | null;
  /** What is behind the verb: "a mail", "on". */
  readonly rest: string;
  /** "be" for sentences with "is". */
  readonly bases: readonly string[];
  readonly thirds: readonly string[];
  readonly gerunds: readonly string[];
  readonly participles: readonly string[];
}

/** Verbs whose participle is not made by "-ed". */
const PARTICIPLES: ReadonlyMap<string, string> = new Map(
  'be:been become:become begin:begun break:broken bring:brought build:built buy:bought catch:caught choose:chosen come:come cut:cut do:done draw:drawn drive:driven eat:eaten fall:fallen feed:fed find:found fly:flown forget:forgotten freeze:frozen get:got give:given go:gone grow:grown hang:hung have:had hear:heard hide:hidden hit:hit hold:held keep:kept know:known lay:laid lead:led leave:left lend:lent let:let light:lit lose:lost make:made meet:met pay:paid put:put read:read ring:rung rise:risen run:run say:said see:seen sell:sold send:sent set:set shake:shaken shoot:shot show:shown shut:shut sit:sat sleep:slept speak:spoken spend:spent split:split stand:stood steal:stolen stick:stuck sweep:swept swim:swum take:taken teach:taught tell:told think:thought throw:thrown understand:understood wake:woken wear:worn win:won withdraw:withdrawn write:written'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);
const IRREGULAR_BASES: ReadonlyMap<string, string> = new Map(
  [...PARTICIPLES].map(([base, participle]) => [participle, base]),
);
/** What is done something to, and what is behind it. */
const OBJECT = /^(an? (?!lot |few )\S+(?: (?!(?:to|at|in|on|from|for|of|with|into|by)\b)\S+)*)((?: .*)?)$/;
const ARTICLE = /^(the|an?) /;

/** Takes a sentence apart; null if it is not clear where its verb is, or if "not" beside the verb would not deny all of it. */
export function clauseOf(sentence: string): Clause | null {
  const text = sentence.toLowerCase();
  const is = /^(.+?) (?:is|are) (.+)$/.exec(text);
  if (is !== null) return behindVerb(text, 'not') === null ? null : made(is[1], ['be'], ['is', 'are'], is[2]);
  const words = text.split(' ');
  const first = ARTICLE.test(text) ? 2 : 1;
  const at = words.findIndex((word, i) => i >= first && /(?:[^siu]|ie)s$/.test(word) && word !== 'does');
  if (at < 0 || behindVerb(`it is ${words.slice(at + 1).join(' ') || 'so'}`, 'not') === null) return null;
  return made(words.slice(0, at).join(' '), basesOf(words[at]), [words[at]], words.slice(at + 1).join(' '));
}

/** "The robot is vacuuming the hall" as "the robot vacuums the hall"; none if nothing goes on in the sentence. */
export function progressive({ subject, article, bases, rest }: Clause): Clause[] {
  const [doing, ...others] = rest.split(' ');
  if (bases[0] !== 'be' || !/..ing$/.test(doing)) return [];
  const stem = doing.slice(0, -3);
  const verbs = [stem, `${stem}e`, ...undoubled(stem)];
  return [made(whole(article, subject), verbs, thirdsOf(verbs), others.join(' '))];
}

const BESIDE = /^(?:on|over|near|under|above|below|behind|outside|beside|between|across) the /;
const MOVES = 'go fly drive move walk travel run come get'.split(' ');

/** "The drone is over the school" as "the drone flies over the school", and so with other verbs of movement. */
export function moving({ subject, article, bases, rest }: Clause): Clause[] {
  return bases[0] === 'be' && BESIDE.test(rest)
    ? [made(whole(article, subject), MOVES, thirdsOf(MOVES), rest)]
    : [];
}

const whole = (article: string | null, subject: string): string =>
  article === null ? subject : `${article} ${subject}`;

const thirdsOf = (bases: readonly string[]): string[] =>
  bases.flatMap((base) => [`${base}s`, `${base}es`, base.replace(/y$/, 'ies')]);

/** Whether it happens rather than lasts, as far as its verb tells: "a mail is sent", and all that is not said with "is". */
export function isEvent({ bases, rest }: Clause): boolean {
  const [state] = rest.split(' ');
  return bases[0] !== 'be' || ((/..ed$/.test(state) || IRREGULAR_BASES.has(state)) && !STATES.has(state));
}

/** "The agent lifts a pallet" as "a pallet is lifted": only of what has "a", since "the door is closed" may be a state that lasts. */
export function passives({ bases, participles, rest }: Clause): Clause[] {
  const object = OBJECT.exec(rest);
  if (bases[0] === 'be' || object === null) return [];
  return participles.map((participle) => made(object[1], ['be'], ['is', 'are'], participle + object[2]));
}

/** What brings it about: "close the window", of "the window is closed"; "switch on the stove". None where nothing is told to be made so. */
export function causes({ subject, article, bases, rest }: Clause): string[] {
  const [state, ...others] = rest.split(' ');
  const thing = whole(article, subject);
  const behind = others.map((word) => ` ${word}`).join('');
  if (bases[0] !== 'be') return [];
  if (/^(?:on|off)$/.test(state))
    return ['turn', 'switch'].flatMap((verb) => [`${verb} ${state} ${thing}`, `${verb} ${thing} ${state}`]);
  const irregular = IRREGULAR_BASES.get(state);
  const verbs =
    state === 'open'
      ? [state]
      : irregular !== undefined
        ? [irregular]
        : /..ed$/.test(state)
          ? [
              state.slice(0, -2),
              state.slice(0, -1),
              ...undoubled(state.slice(0, -2)),
              state.replace(/ied$/, 'y'),
            ]
          : [];
  return verbs.flatMap((verb) => [
    `${verb} ${thing}${behind}`,
    ...(others.length === 1 ? [`${verb}${behind} ${thing}`] : []),
  ]);
}

function made(who: string, bases: readonly string[], thirds: readonly string[], rest: string): Clause {
  const article = ARTICLE.exec(who)?.[1] ?? null;
  return {
    subject: who.replace(ARTICLE, ''),
    article,
    rest,
    bases,
    thirds,
    gerunds: bases.flatMap((base) => withEnding(base, 'ing')),
    participles: bases.flatMap((base) => {
      const irregular = PARTICIPLES.get(base);
      return irregular === undefined ? withEnding(base, 'ed') : [irregular];
    }),
  };
}

function basesOf(third: string): string[] {
  if (third === 'has') return ['have'];
  const stem = third.slice(0, -1);
  const short = /(?:[sxzo]|[cs]h)es$/.test(third) ? [third.slice(0, -2)] : [];
  return /..ies$/.test(third) ? [`${third.slice(0, -3)}y`, stem] : [...short, stem];
}

function withEnding(base: string, ending: 'ing' | 'ed'): string[] {
  const last = base.at(-1) as string;
  const found = [base.replace(/e$/, '') + ending];
  if (/[^aeiou][aeiou][^aeiouwxy]$/.test(base)) found.push(base + last + ending);
  if (ending === 'ing') found.push(base + ending, base.replace(/ie$/, 'y') + ending);
  else found.push(base.replace(/([^aeiou])y$/, '$1i') + ending);
  return [...new Set(found)];
}

function undoubled(stem: string): string[] {
  return /(.)\1$/.test(stem) ? [stem.slice(0, -1)] : [];
}
