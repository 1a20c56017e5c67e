/** A value that an argument of a call can have. */
export type ArgumentValue = string | number | boolean;

/**
 * The predicates that a call sets, clears or may change: one, several, or each with the condition under which it does so. A predicate is named as it is, or by an
 * argument: `in[to]` is `inKitchen` where `to` is `kitchen`, and `in[*]` is every predicate that `in[…]` names under `actions`.
 */
export type EffectTargets = string | readonly string[] | Readonly<Record<string, string>>;

/** What a tool is declared to require and to do, over named predicates. Plain data, as in specifications. */
export interface DeclaredAction {
  /** For each argument that is read: its values, or its type in words if they cannot be listed. Default: none is read. */
  readonly arguments?: Readonly<Record<string, readonly ArgumentValue[] | string>>;
  /** A condition on predicates before the call, and on arguments. Default: none. */
  readonly requires?: string;
  /** What is true after the call. It goes before what is cleared. */
  readonly sets?: EffectTargets;
  /** What is false after the call. */
  readonly clears?: EffectTargets;
  /** What may be either after the call, whatever is set or cleared. */
  readonly may?: EffectTargets;
}

/** The declared actions, by the names of their tools. */
export type DeclaredActions = Readonly<Record<string, DeclaredAction>>;

/** The ways in which a call changes predicates, in the order in which they apply: a later one counts where they meet. */
export const EFFECTS = ['clears', 'sets', 'may'] as const;

/** One of the ways. */
export type EffectKind = (typeof EFFECTS)[number];

/** The words that declare an action; under `actions` of a specification, other names are predicates over the arguments. */
export const DECLARING = ['arguments', 'requires', 'sets', 'clears', 'may'] as const;

/** A predicate, as it is named, with the condition under which it is changed. */
export interface EffectTarget {
  readonly target: string;
  /** Null: always. */
  readonly when: string | null;
}

export function effectTargets(targets: EffectTargets | undefined): readonly EffectTarget[] {
  if (targets === undefined) return [];
  if (typeof targets === 'string') return [{ target: targets, when: null }];
  if (Array.isArray(targets)) return targets.map((target) => ({ target, when: null }));
  return Object.entries(targets).map(([target, when]) => ({ target, when }));
}
