/** Where a part of a rule stands; lines and columns count from 1. */
export interface RulePlace {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** A number, or text: quoted, or as it stands between commas. */
export type Argument = number | string;

/** One condition of a rule's conjunction: `true`, `false`, or a predicate, which may be given arguments and be negated. */
export type Condition =
  | { readonly kind: 'constant'; readonly value: boolean; readonly place?: RulePlace }
  | {
      readonly kind: 'predicate';
      readonly name: string;
      readonly arguments: readonly Argument[];
      readonly negated: boolean;
      readonly place?: RulePlace;
    };

/**
 * What a rule enforces: `stop`, `user_inspection("…")`, `invoke_action(brake, {"force": 1})`, or the setting of a parameter,
 * `real:trj:emergency_stop = 1.0`, which has the name `real:trj:emergency_stop` and the value 1.
 */
export interface Enforcement {
  readonly name: string;
  readonly arguments: readonly Argument[];
  /** Of a setting; null for everything else. */
  readonly value: number | null;
  readonly place?: RulePlace;
}

/**
 * A reactive rule: when one of its triggers happens and all its conditions hold, all it enforces is done.
 *
 * @see Wang, Poskitt and Sun 2026, arXiv:2503.18666
 */
export interface AgentSpecRule {
  readonly id: string;
  /** Alternatives, such as the names of tools; words of one are joined by a space. */
  readonly triggers: readonly string[];
  readonly conditions: readonly Condition[];
  readonly enforcements: readonly Enforcement[];
  readonly place?: RulePlace;
}

/** Where a rule's part stands, for messages. */
export function describePlace({ place }: { readonly place?: RulePlace }): string {
  return place === undefined ? '' : ` (${place.source}:${place.line})`;
}
