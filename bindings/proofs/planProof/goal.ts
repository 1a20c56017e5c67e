import { InvalidArgumentError } from '../../base/errors.js';
import { isGlob } from '../../languages/expression/index.js';
import { isLikeGlob, Language } from '../../languages/regular/index.js';
import type { Contracts } from '../contract/index.js';
import type { EffectLog, Touch } from './effects.js';
import type { Issue } from './issues.js';
import { quoted } from './words.js';

/** Keys of a store: these, or those that a pattern of `glob` matches. */
export type KeySet = readonly string[] | { readonly glob: string };

/** What a plan is to do to stores, and what it is to leave alone. A goal comes from the user, not from the plan's author. */
export interface Goal {
  /** By store: what is gone when the plan has come to its end. */
  readonly removed?: Readonly<Record<string, KeySet>>;
  /** By store: what the plan may write or create. */
  readonly written?: Readonly<Record<string, KeySet>>;
  /** Whether all other keys, of all stores, must stay as they are. Default: nothing is said of them. */
  readonly unchanged?: 'rest';
}

/**
 * Reads a goal.
 *
 * @throws InvalidArgumentError for a field or a store that there is not, or keys that are none
 */
export function readGoal(value: unknown, contracts: Contracts): Goal {
  const goal = fields(value, 'the goal');
  for (const name of Object.keys(goal))
    if (!['removed', 'written', 'unchanged'].includes(name))
      throw new InvalidArgumentError(`the goal has ${quoted(name)}, expected removed, written or unchanged`);
  if (goal.unchanged !== undefined && goal.unchanged !== 'rest')
    throw new InvalidArgumentError(`unchanged is ${JSON.stringify(goal.unchanged)}, expected "rest"`);
  return {
    ...(goal.removed !== undefined && { removed: keySets(goal.removed, 'removed', contracts) }),
    ...(goal.written !== undefined && { written: keySets(goal.written, 'written', contracts) }),
    ...(goal.unchanged === 'rest' && { unchanged: 'rest' as const }),
  };
}

function keySets(value: unknown, name: string, contracts: Contracts): Record<string, KeySet> {
  const sets: [string, KeySet][] = [];
  for (const [store, keys] of Object.entries(fields(value, name))) {
    if (!contracts.stores.has(store))
      throw new InvalidArgumentError(
        `${name} names the store ${quoted(store)}, which the contracts do not have`,
      );
    sets.push([store, keySet(keys, `${name}.${store}`)]);
  }
  return Object.fromEntries(sets);
}

function keySet(value: unknown, name: string): KeySet {
  if (Array.isArray(value) && value.every((key) => typeof key === 'string')) return value;
  const isPattern = typeof value === 'object' && value !== null && !Array.isArray(value);
  const { glob, ...rest } = isPattern ? fields(value, name) : { glob: null };
  if (typeof glob === 'string' && isGlob(glob) && Object.keys(rest).length === 0) return { glob };
  throw new InvalidArgumentError(`${name} must be a list of keys, or { glob: PATTERN }`);
}

function fields(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidArgumentError(`${name} must be a map`);
  return value as Record<string, unknown>;
}

/** The keys as a set of texts. */
export function languageOfKeys(keys: KeySet | undefined): Language {
  if (keys === undefined) return Language.none;
  return 'glob' in keys ? Language.where(isLikeGlob(keys.glob)) : Language.of(...keys);
}

type GoalIssue = Omit<Issue, 'path'>;

/** What stands against the goal, and removals of everything that no goal asks for. */
export function checkEffects(log: EffectLog, goal: Goal | null): GoalIssue[] {
  const issues = log.touches.flatMap((touch) => vacuous(touch, goal));
  if (goal === null) return issues;
  for (const [store, keys] of Object.entries(goal.removed ?? {})) {
    const missing = languageOfKeys(keys).minus(log.removed(store));
    const key = readable(missing);
    if (key !== null)
      issues.push({
        kind: 'goal',
        step: null,
        rule: 'removed',
        values: [],
        isCertain: true,
        witness: { store, key },
        text: `Goal: ${JSON.stringify(key)} of ${quoted(store)} is to be removed, and not every run that comes to its end removes it.`,
      });
  }
  if (goal.unchanged === 'rest') for (const touch of log.touches) issues.push(...beyond(touch, goal));
  return issues;
}

/** A step that touches keys that are to stay as they are. */
function beyond(touch: Touch, goal: Goal): GoalIssue[] {
  const { store, kind, step, may } = touch;
  const [verb, asked] = kind === 'removes' ? ['removes', goal.removed] : ['writes', goal.written];
  const key = readable(may.minus(languageOfKeys(asked?.[store])));
  if (key === null) return [];
  const text = touch.isKnown
    ? `Goal: step ${step} ${verb} ${JSON.stringify(key)} of ${quoted(store)}, which is to stay as it is.`
    : `Goal: step ${step} may have any value as key, so it is not proved that it leaves ${JSON.stringify(key)} of ${quoted(store)} alone; keys that stand in the plan would do.`;
  return [
    {
      kind: 'goal',
      step,
      rule: 'unchanged',
      values: [],
      isCertain: touch.isKnown,
      witness: { store, key },
      text,
    },
  ];
}

/** Names without folders, and paths from the root: a removal of all of them leaves nothing. */
const EVERYTHING = ['[^/]+', '/.+', '/[^/]+'].map((pattern) => Language.matching(`(?s)${pattern}`));

function vacuous({ kind, store, step, may, isPattern, isKnown }: Touch, goal: Goal | null): GoalIssue[] {
  if (kind !== 'removes' || !isPattern || !EVERYTHING.some((all) => may.includes(all))) return [];
  const asked = goal?.removed?.[store];
  if (asked !== undefined && languageOfKeys(asked).includes(may)) return [];
  const text = isKnown
    ? `Step ${step} removes everything from ${quoted(store)}; only a goal that says so allows it.`
    : `Step ${step} may remove everything from ${quoted(store)}, as its pattern may be any; a pattern that stands in the plan would do.`;
  return [
    {
      kind: 'effects',
      step,
      rule: store,
      values: [],
      isCertain: isKnown,
      text,
      witness: { store, key: 'other' },
    },
  ];
}

const READABLE = ['other', 'other[.a-z]{1,8}', '[a-z]{3,12}', '[a-z][-_./a-z0-9]{0,20}', '.*[a-z].*'].map(
  (pattern) => Language.matching(pattern),
);

/** A text of the set that is easy to read; null if it is empty. */
export function readable(set: Language): string | null {
  for (const form of READABLE) {
    const found = set.intersection(form).shortest();
    if (found !== null) return found;
  }
  return set.shortest();
}
