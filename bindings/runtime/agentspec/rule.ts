/** The place of a rule's part in its text; lines and columns count from 1. */
export interface RulePlace {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** A number, or text: quoted, or bare between commas. */
export type Argument = number | string;

/** One condition of a rule's conjunction: `true`, `false`, or a predicate, which may have arguments and be negated. */
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
 * An enforcement of a rule: `stop`, `user_inspection("…")`, `invoke_action(brake, {"force": 1})`, or the setting of a parameter, `real:trj:emergency_stop =
 * 1.0`, which has the name `real:trj:emergency_stop` and the value 1.
 */
export interface Enforcement {
  readonly name: string;
  readonly arguments: readonly Argument[];
  /** The value of a setting; null for all other enforcements. */
  readonly value: number | null;
  readonly place?: RulePlace;
}

/**
 * A reactive rule: when one of its triggers occurs and all its conditions hold, all its enforcements apply.
 *
 * @see Wang, Poskitt and Sun 2026, arXiv:2503.18666
 */
export interface AgentSpecRule {
  readonly id: string;
  /** Alternatives, such as names of tools; the words of one trigger are joined by a space. */
  readonly triggers: readonly string[];
  readonly conditions: readonly Condition[];
  readonly enforcements: readonly Enforcement[];
  readonly place?: RulePlace;
}

/** Describes the place of a rule's part, for messages. */
export function describePlace({ place }: { readonly place?: RulePlace }): string {
  return place === undefined ? '' : ` (${place.source}:${place.line})`;
}
